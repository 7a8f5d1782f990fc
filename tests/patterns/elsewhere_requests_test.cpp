// SPDX-License-Identifier: Apache-2.0
#include "docs/page_table.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/patterns/index_elsewhere.hpp"
#include "tablemap/patterns/index_relay.hpp"
#include "tablemap/queue/queue.hpp"
#include "tablemap/store/observer.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace tablemap {
namespace {

struct person {
    std::string department{};
    std::int32_t id{};
    std::string email{};
    std::string desk{};
    std::int32_t age{};
};

}  // namespace

template <> struct mapping<person> {
    static constexpr auto partition_key = key(part<&person::department>);
    static constexpr auto row_key = key("empid_", part<&person::id>.width(6));
    static constexpr auto indexes = tablemap::indexes(
        index_in<"by_email", "PeopleByEmail">(key(part<&person::email>), key("person")).include<&person::age>());
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
        people.create();
        relay.create_if_not_exists();
    }

    entity<person> insert(std::int32_t id = 1) const { return people.insert({"Sales", id, "a@x", "N1", 30}); }
    void insert_and_relay(std::int32_t count = 1) const {
        for (std::int32_t id = 1; id <= count; ++id) insert(id);
        relay.sweep();
    }
    template <class Change> void change(Change c) const { people.modify({"Sales", 1}, c); }

    std::shared_ptr<counting_requests> requests = std::make_shared<counting_requests>();
    store_ptr store = with_observer(value_or_throw(open_embedded({.path = ":memory:"})), requests);
    table<person> people{store, "People"};
    index_relay<person> relay{people};
    index_elsewhere<person, "by_email"> by_email{people};
};

/// The preparation of each line of the page's table, which returns the operation.
using operation = std::function<std::function<void()>(company&)>;

std::function<void()> pass(company& c) {
    return [&c] { c.relay.run_once(partition("Sales")); };
}

/// A pass after some changes.
operation pass_after(std::function<void(company&)> change) {
    return [change](company& c) {
        c.insert_and_relay();
        change(c);
        return pass(c);
    };
}

operation look_up(std::int32_t entities) {
    return [entities](company& c) {
        c.insert_and_relay(entities);
        return [&c, entities] {
            EXPECT_EQ(c.by_email.find_all(partition("a@x")).size(), static_cast<std::size_t>(entities));
        };
    };
}

std::map<std::string, operation> const operations{
    {"insert", [](company& c) { return [&c] { c.insert(); }; }},
    {"replace",
     [](company& c) {
         return [&c, e = c.insert()]() mutable {
             c.requests->count = 0;
             e.value.email = "b@x";
             c.people.replace(e);
         };
     }},
    {"erase_any",
     [](company& c) {
         c.insert();
         return [&c] { c.people.erase_any("Sales", 1); };
     }},
    {"merge of a member that no index has",
     [](company& c) {
         c.insert();
         return [&c] { c.people.merge_any({.department = "Sales", .id = 1, .desk = "N2"}, only<&person::desk>); };
     }},
    {"pass without an intent", pass},
    {"pass after an insert",
     [](company& c) {
         c.insert();
         return pass(c);
     }},
    {"pass after a change of the value", pass_after([](company& c) { c.change([](person& p) { p.email = "b@x"; }); })},
    {"pass after a change of another member", pass_after([](company& c) { c.change([](person& p) { ++p.age; }); })},
    {"pass after an erase", pass_after([](company& c) { c.people.erase_any("Sales", 1); })},
    {"pass after 10 changes of one entity", pass_after([](company& c) {
         for (int i = 0; i < 10; ++i) c.change([](person& p) { ++p.age; });
     })},
    {"find_all of 1 entity", look_up(1)},
    {"find_all of 10 entities", look_up(10)},
    {"find_page of 5 entities among 10",
     [](company& c) {
         c.insert_and_relay(10);
         return [&c] { EXPECT_EQ(c.by_email.find_page(partition("a@x"), {.top = 5}).entities.size(), 5U); };
     }},
    {"announce",
     [](company& c) {
         queue{c.store, "work"}.create();
         return [&c] { index_relay<person>{c.people, {.queue = "work"}}.announce(partition("Sales")); };
     }},
    {"copies of 10 entities",
     [](company& c) {
         c.insert_and_relay(10);
         return [&c] { EXPECT_EQ(c.by_email.copies(partition("a@x")).count(), 10U); };
     }},
};

TEST(page_of_indexes_elsewhere, counts_the_requests_of_each_operation) {
    std::set<std::string> named;
    for (auto const& row : page_table("patterns/indexes-elsewhere.md", "requests")) {
        auto const& name = *named.insert(row.at(0)).first;
        ASSERT_TRUE(operations.contains(name)) << name;
        company c;
        auto const operate = operations.at(name)(c);
        c.requests->count = 0;
        operate();
        EXPECT_EQ(std::to_string(c.requests->count), row.at(1)) << name;
    }
    EXPECT_EQ(named.size(), operations.size());
}

}  // namespace
}  // namespace test
}  // namespace tablemap
