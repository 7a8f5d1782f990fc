// SPDX-License-Identifier: Apache-2.0
#include "faults/queues.hpp"

#include "support/operations.hpp"

#include "tablemap/queue/queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap::test {
namespace {

using std::chrono::seconds;
using tablemap::testing::fault;

/// An operation, and what the queue holds before and after it, as `state_of` tells it.
struct queue_operation {
    char const* name;
    std::string before;
    std::string after;
    std::function<result<void>(queue const&, queue_message const&, call_options const&)> run;
    bool writes = true;
    std::vector<std::string> repeated{};  ///< after it was carried out more than once; empty: as after once
};

template <class V> result<void> without_value(result<V> const& r) {
    if (!r) return failure{r.error()};
    return {};
}

std::vector<queue_operation> operations_of_queues() {
    constexpr auto missing = "no queue", empty = "0:", one = "1: a";
    using m = queue_message;
    using o = call_options;
    return {
        {"create", missing, empty, [](queue const& q, m const&, o const& c) { return q.try_create(c); }},
        {"create_if_not_exists", missing, empty,
         [](queue const& q, m const&, o const& c) { return without_value(q.try_create_if_not_exists(c)); }},
        {"delete_queue", one, missing, [](queue const& q, m const&, o const& c) { return q.try_delete_queue(c); }},
        {"delete_if_exists", one, missing,
         [](queue const& q, m const&, o const& c) { return without_value(q.try_delete_if_exists(c)); }},
        {"put",
         empty,
         one,
         [](queue const& q, m const&, o const& c) { return without_value(q.try_put("a", {}, c)); },
         true,
         {"2: a a", "3: a a a"}},
        {"update", one, "1: b",
         [](queue const& q, m const& put, o const& c) { return without_value(q.try_update(put, seconds{0}, "b", c)); }},
        {"erase", one, empty, [](queue const& q, m const& put, o const& c) { return q.try_erase(put, c); }},
        {"clear", one, empty, [](queue const& q, m const&, o const& c) { return q.try_clear(c); }},
        {"get", one,
         "1:", [](queue const& q, m const&, o const& c) { return without_value(q.try_get(1, seconds{60}, c)); }, false},
        {"peek", one, one, [](queue const& q, m const&, o const& c) { return without_value(q.try_peek(1, c)); }, false},
        {"approximate_count", one, one,
         [](queue const& q, m const&, o const& c) { return without_value(q.try_approximate_count(c)); }, false},
    };
}

std::string state_of(queue const& q) {
    if (!q.exists()) return "no queue";
    auto state = std::to_string(q.approximate_count()) + ":";
    for (auto const& m : q.peek(32)) state += " " + m.text;
    return state;
}

class queue_cases {
public:
    explicit queue_cases(faulty_way& way) : way_(way) {}

    std::size_t count() const noexcept { return count_; }

    void try_all_faults(queue_operation const& op) {
        for (auto const& policy : policies())
            for (auto const first : every_fault) {
                try_faults(op, policy, first, {});
                if (policy.attempts > 1)
                    for (auto const second : every_fault) try_faults(op, policy, first, second);
            }
    }

private:
    static std::vector<retry_policy> policies() {
        auto const once = retry_policy::none();
        auto const thrice = exact_retry(3);
        auto repeating = thrice;
        repeating.repeat_in_doubt = true;
        return {once, thrice, repeating};
    }

    /// Names of queues on the emulator are used by one case each.
    static std::string fresh_name() {
        static auto const run = std::random_device{}();
        static int count = 0;
        return "faults-" + std::to_string(run) + "-" + std::to_string(++count);
    }

    void try_faults(queue_operation const& op, retry_policy const& policy, fault first, std::optional<fault> second) {
        SCOPED_TRACE(op.name + std::string{", faults "} + std::to_string(static_cast<int>(first)) +
                     (second ? " and " + std::to_string(static_cast<int>(*second)) : "") + ", attempts " +
                     std::to_string(policy.attempts) + (policy.repeat_in_doubt ? ", repeating" : ""));
        auto const name = fresh_name();
        queue const clean{way_.clean(), name};
        auto const prepared = prepare(clean, op.before);
        auto const faults_before = way_.faults();
        way_.fail_next(first, 0);
        if (second) way_.fail_next(*second, 1);
        call_options o{.retry = policy, .clock = &way_.clock()};
        o.deadline = way_.clock().now() + way_.patience();
        auto const r = op.run(queue{way_.faulty(), name}, prepared, o);
        way_.stop_failing();
        EXPECT_GT(way_.faults(), faults_before);
        check(op, policy, r, state_of(clean));
        clean.delete_if_exists();
        ++count_;
    }

    static queue_message prepare(queue const& q, std::string const& before) {
        if (before == "no queue") return {};
        q.create();
        return before == "0:" ? queue_message{} : q.put("a");
    }

    static void check(queue_operation const& op, retry_policy const& policy, result<void> const& r,
                      std::string const& state) {
        bool const repeated =
            policy.repeat_in_doubt && std::find(op.repeated.begin(), op.repeated.end(), state) != op.repeated.end();
        if (r || (op.writes && r.error().outcome() == outcome::applied)) {
            EXPECT_TRUE(state == op.after || repeated) << state;
        } else if (op.writes && r.error().outcome() == outcome::not_applied) {
            EXPECT_EQ(state, op.before) << r.error().what();
        } else {
            EXPECT_TRUE(state == op.before || state == op.after || repeated) << state << ": " << r.error().what();
        }
    }

    faulty_way& way_;
    std::size_t count_ = 0;
};

}  // namespace

std::size_t try_every_fault_of_queues(faulty_way& way) {
    queue_cases cases{way};
    for (auto const& op : operations_of_queues()) cases.try_all_faults(op);
    return cases.count();
}

}  // namespace tablemap::test
