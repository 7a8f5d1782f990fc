// SPDX-License-Identifier: Apache-2.0
#include "faults/queues.hpp"

#include "faults/fault_case.hpp"
#include "support/without_value.hpp"

#include "tablemap/queue/queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap::test {
namespace {

using std::chrono::seconds;

/// An operation, and what the queue holds before and after it, as `state_of` tells it.
struct queue_operation {
    char const* name;
    std::string before;
    std::string after;
    std::function<result<void>(queue const&, queue_message const&, call_options const&)> run;
    bool writes = true;
    std::vector<std::string> repeated{};  ///< after it was carried out more than once; empty: as after once
};

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
        for (auto const& f : every_fault_case(true)) try_faults(op, f);
    }

private:
    void try_faults(queue_operation const& op, fault_case const& f) {
        SCOPED_TRACE(described(op.name, f));
        auto const name = name_of_this_case();
        queue const clean{way_.clean(), name};
        auto const prepared = prepare(clean, op.before);
        auto const run = [&](call_options const& o) { return op.run(queue{way_.faulty(), name}, prepared, o); };
        auto const r = run_with_faults(way_, f, run);
        if (r) check(op, f.policy, *r, state_of(clean));
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
