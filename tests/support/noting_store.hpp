// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/store.hpp"
#include "tablemap/testing/scripted_store.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tablemap::test {

/// A store that keeps what it passes on, one line each as `describe` has it, without bodies. For one thread.
class noting_store final : public store {
public:
    explicit noting_store(store_ptr inner) : inner_(std::move(inner)) {}

    /// Calls a function before the request after `skip` others from now on: someone else comes in between.
    void before_next(std::size_t skip, std::function<void()> f) {
        skip_ = skip;
        before_ = std::move(f);
    }

    /// The requests that were passed on since the last call.
    std::vector<std::string> take() { return std::exchange(lines_, {}); }

    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    store_context const& context() const noexcept override { return inner_->context(); }

    response execute(request const& r, call_options const& options) override {
        if (before_ && skip_-- == 0) std::exchange(before_, nullptr)();
        lines_.push_back(without_bodies(tablemap::testing::describe(r)));
        return inner_->execute(r, options);
    }

private:
    /// Bodies begin with " {" and end with "}" before "; " or the end.
    static std::string without_bodies(std::string line) {
        for (auto at = line.find(" {"); at != std::string::npos; at = line.find(" {", at)) {
            auto const end = line.find("}; ", at);
            line.erase(at, end == std::string::npos ? end : end + 1 - at);
        }
        return line;
    }

    store_ptr inner_;
    std::size_t skip_ = 0;
    std::function<void()> before_{};
    std::vector<std::string> lines_{};
};

}  // namespace tablemap::test
