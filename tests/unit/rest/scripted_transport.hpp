// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/rest/transport.hpp"

#include <thread>
#include <utility>
#include <vector>

namespace tablemap::test {

/// Answers from a script, on the thread that sends or on another one, and keeps what was sent.
class scripted_transport final : public transport {
public:
    ~scripted_transport() override { finish(); }

    /// Waits until everything is answered.
    void finish() {
        for (auto& t : threads_) t.join();
        threads_.clear();
    }

    void send(http_request const& r, call_options const&, http_receiver& to) override {
        sent.push_back(r);
        auto result = std::move(answers.at(sent.size() - 1));
        if (on_another_thread)
            threads_.emplace_back([&to, result = std::move(result)]() mutable { to.complete(std::move(result)); });
        else
            to.complete(std::move(result));
    }

    std::vector<http_result> answers{};
    std::vector<http_request> sent{};
    bool on_another_thread = false;

private:
    std::vector<std::thread> threads_;
};

}  // namespace tablemap::test
