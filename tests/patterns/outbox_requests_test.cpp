// SPDX-License-Identifier: Apache-2.0
#include "docs/page_table.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/patterns/relay.hpp"
#include "tablemap/queue/queue.hpp"
#include "tablemap/store/observer.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace tablemap {
namespace {

struct worker {
    std::string department{};
    std::int32_t id{};
};

struct archive_worker {
    std::int32_t id{};
};

}  // namespace

template <> struct mapping<worker> {
    static constexpr auto partition_key = key(part<&worker::department>);
    static constexpr auto row_key = key("empid_", part<&worker::id>.width(6));
};

namespace test {
namespace {

class counting_requests final : public observer {
public:
    void request_done(request_event const&) noexcept override { ++count; }
    std::size_t count = 0;
};

struct company {
    company() {
        rows.create();
        queue{store, "work"}.create();
    }

    void commit(outbox<worker, archive_worker> const& o, std::int32_t id, std::string department = "Sales") {
        auto t = rows.transaction();
        t.insert(worker{std::move(department), id});
        o.commit(t, archive_worker{id});
    }
    void commit_some(std::int32_t n) {
        for (std::int32_t id = 0; id < n; ++id) commit(box, id);
    }
    auto relay_that(bool fails) {
        return relay{box, {.attempts = 1}, on<archive_worker>([fails](archive_worker const&) {
                         if (fails) throw std::runtime_error{"closed"};
                     })};
    }

    std::shared_ptr<counting_requests> requests = std::make_shared<counting_requests>();
    store_ptr store = with_observer(value_or_throw(open_embedded({.path = ":memory:"})), requests);
    table<worker> rows{store, "Company"};
    outbox<worker, archive_worker> box{rows};
};

/// The preparation of each line of the page's table, which returns the operation.
using operation = std::function<std::function<void(company&)>(company&)>;

operation commit_to(std::string queue) {
    return [queue](company&) {
        return [queue](company& c) { c.commit(outbox<worker, archive_worker>{c.rows, {.queue = queue}}, 1000); };
    };
}
operation pass_over(std::int32_t effects) {
    return [effects](company& c) {
        c.commit(c.box, 1000);
        c.relay_that(false).run_once(partition("Sales"));
        c.commit_some(effects);
        return [](company& of) { of.relay_that(false).run_once(partition("Sales")); };
    };
}
std::function<void(company&)> sweep(company&) {
    return [](company& c) { c.relay_that(false).sweep(); };
}
std::function<void(company&)> put_back(company& c) {
    c.commit_some(10);
    c.relay_that(true).run_once(partition("Sales"));
    return [](company& of) { EXPECT_EQ(of.relay_that(false).put_back(partition("Sales")), 10U); };
}
/// Parked effects in some partitions, with a message for each of them.
operation put_back_all(std::vector<std::string> departments, std::int32_t effects, std::string queue) {
    return [=](company& c) {
        outbox<worker, archive_worker> const box{c.rows, {.queue = queue}};
        relay const failing{box, {.attempts = 1}, on<archive_worker>([](archive_worker const&) {
                                throw std::runtime_error{"closed"};
                            })};
        for (auto const& d : departments) {
            for (std::int32_t id = 0; id < effects; ++id) c.commit(box, id, d);
            failing.run_once(partition(d));
        }
        auto const all = departments.size() * static_cast<std::size_t>(effects);
        return [=](company&) { EXPECT_EQ(failing.put_back().effects, all); };
    };
}
std::function<void(company&)> status(company&) {
    return [](company& c) { c.box.status(); };
}
std::function<void(company&)> status_of_two_partitions(company& c) {
    c.commit_some(10);
    c.commit(c.box, 1, "Legal");
    return status(c);
}

std::map<std::string, operation> const operations{
    {"commit", commit_to("")},
    {"commit with a queue", commit_to("work")},
    {"pass without a pending effect", pass_over(0)},
    {"pass over 1 effect", pass_over(1)},
    {"pass over 10 effects", pass_over(10)},
    {"sweep without a pending effect", sweep},
    {"put_back of 10 effects", put_back},
    {"put_back of all, 10 effects in each of 2 partitions", put_back_all({"Sales", "Legal"}, 10, "")},
    {"put_back of all with a queue, 10 effects in each of 2 partitions", put_back_all({"Sales", "Legal"}, 10, "work")},
    {"status without an effect", status},
    {"status with pending effects in 2 partitions", status_of_two_partitions},
};

TEST(page_of_the_outbox, counts_the_requests_of_each_operation) {
    std::set<std::string> named;
    for (auto const& row : page_table("patterns/outbox.md", "requests")) {
        auto const& name = *named.insert(row.at(0)).first;
        ASSERT_TRUE(operations.contains(name)) << name;
        company c;
        auto const operate = operations.at(name)(c);
        c.requests->count = 0;
        operate(c);
        EXPECT_EQ(std::to_string(c.requests->count), row.at(1)) << name;
    }
    EXPECT_EQ(named.size(), operations.size());
}

}  // namespace
}  // namespace test
}  // namespace tablemap
