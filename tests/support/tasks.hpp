// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store/ask.hpp"
#include "store/task_group.hpp"
#include "tablemap/detail/store/task_run.hpp"
#include "tablemap/testing/scripted_store.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

/// Tasks that tests run, and stores for them.
namespace tablemap::test {

template <class V> result<V> run_task(store& s, detail::task<result<V>> first, call_options const& o = {}) {
    return detail::run(s, detail::plain_call<V>{std::move(first)}, o);
}

/// A clock that stands still, and whose waits end at once.
class still_clock final : public clock {
public:
    time_point now() override { return time_point{std::chrono::hours{1}}; }
    std::uint64_t random() override { return 4; }
    void sleep_until(time_point, std::stop_token const&) override {}
};

/// Point reads of partition "p", a number of them beside each other.
struct readings {
    std::vector<std::string> rows;
    std::size_t at_once;
    std::function<void()> before_next{};
    std::size_t asked = 0;
    std::vector<std::string> order{};

    detail::task<> read() {
        auto const call = co_await detail::this_call();
        while (asked < rows.size() && !call.env.why_stop()) {
            if (before_next) before_next();
            auto const& row = rows[asked++];
            request const what = get_entity{"T", "p", row};
            auto const answer = co_await detail::ask(what);
            order.push_back(answer.ok() ? row : row + ": " + answer.failure->code().message());
        }
    }
};

/// The row keys in the order in which their responses came, with the code's text where one failed.
inline detail::task<result<std::vector<std::string>>> read_beside_each_other(readings what) {
    detail::task_group readers;
    for (std::size_t i = 0; i < what.at_once; ++i) readers.add(what.read());
    co_await readers.all();
    co_return std::move(what.order);
}

inline store_ptr always_found() {
    std::vector<tablemap::testing::exchange> script(300, {"find", tablemap::testing::answer_ok()});
    return std::make_shared<tablemap::testing::scripted_store>(std::move(script));
}

/// Answers every request at once.
class instant_store final : public store {
public:
    tablemap::capabilities const& capabilities() const noexcept override { return can_; }
    response execute(request const&, call_options const&) override { return {}; }

private:
    tablemap::capabilities can_{.name = "instant"};
};

}  // namespace tablemap::test
