// SPDX-License-Identifier: Apache-2.0
#include "support/ways_to_send.hpp"

#include <list>
#include <mutex>
#include <thread>
#include <utility>

namespace tablemap::test {
namespace {

/// Calls, and tells the receiver what came of it.
class by_calls final : public transport {
public:
    explicit by_calls(std::shared_ptr<transport> inner) : inner_(std::move(inner)) {}

    void send(http_request const& r, call_options const& o, http_receiver& to) override {
        std::lock_guard const lock{mutex_};
        threads_.emplace_back([this, &r, &o, &to] { to.complete(inner_->call(r, o)); });
    }

private:
    std::shared_ptr<transport> inner_;
    std::mutex mutex_;
    std::list<std::jthread> threads_;  // last: joined before the rest goes
};

}  // namespace

std::shared_ptr<transport> way_to_send::connect(http_origin const& origin, transport_options options) const {
    options.name = transport;
    auto t = make_transport(origin, options);
    return blocking ? std::make_shared<by_calls>(std::move(t)) : t;
}

std::vector<way_to_send> const& ways_to_send() {
    static auto const all = [] {
        auto ways = asynchronous_ways_to_send();
        for (auto const name : transport_names())
            if (name == "beast") ways.push_back({.transport = std::string{name}, .blocking = true});
        return ways;
    }();
    return all;
}

std::vector<way_to_send> const& asynchronous_ways_to_send() {
    static auto const all = [] {
        std::vector<way_to_send> ways;
        for (auto const name : transport_names()) ways.push_back({.transport = std::string{name}});
        return ways;
    }();
    return all;
}

}  // namespace tablemap::test
