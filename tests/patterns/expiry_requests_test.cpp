// SPDX-License-Identifier: Apache-2.0
#include "docs/page_table.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/patterns/expiry_sweeper.hpp"
#include "tablemap/patterns/index_relay.hpp"
#include "tablemap/patterns/unexpired_table.hpp"
#include "tablemap/store/observer.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace tablemap {
namespace {

struct visit {
    std::string guest{};
    std::int32_t id{};
    ticks until{};
};

ticks hour(int n) { return std::chrono::sys_days{std::chrono::year{2014} / 7 / 31} + std::chrono::hours{n}; }

}  // namespace

template <> struct mapping<visit> {
    static constexpr auto partition_key = key(part<&visit::guest>);
    static constexpr auto row_key = key("visit_", part<&visit::id>.width(6));
    static constexpr auto indexes =
        tablemap::indexes(expiry_in<"VisitExpiry">(part<&visit::until>, spread<4>(part<&visit::id>)));
};

namespace test {
namespace {

class counting_requests final : public observer {
public:
    void request_done(request_event const&) noexcept override { ++count; }
    std::size_t count = 0;
};

struct hotel {
    hotel() {
        visits.create();
        relay.create_if_not_exists();
    }

    /// So many visits of a guest, or of as many guests, that end at this hour.
    void insert(std::int32_t count, int until, bool one_guest = true) const {
        for (std::int32_t id = 1; id <= count; ++id)
            visits.insert({one_guest ? "ana" : "guest" + std::to_string(id), id, hour(until)});
        relay.sweep();
    }

    std::shared_ptr<counting_requests> requests = std::make_shared<counting_requests>();
    store_ptr store = with_observer(value_or_throw(open_embedded({.path = ":memory:"})), requests);
    table<visit> visits{store, "Visits"};
    index_relay<visit> relay{visits};
    expiry_sweeper<visit> sweeper{visits, {.now = [] { return hour(12); }}};
    unexpired_table<visit> live{visits, [] { return hour(12); }};
};

/// The preparation of each line of the page's table, which returns the operation.
using operation = std::function<std::function<void()>(hotel&)>;

operation sweep_of(std::int32_t visits, int until, bool one_guest, std::size_t erased) {
    return [=](hotel& h) {
        h.insert(visits, until, one_guest);
        return [&h, erased] { EXPECT_EQ(h.sweeper.sweep().erased, erased); };
    };
}

std::map<std::string, operation> const operations{
    {"sweep without a row in the past", [](hotel& h) { return [&h] { EXPECT_EQ(h.sweeper.sweep().seen, 0U); }; }},
    {"sweep with 10 entities that expire later", sweep_of(10, 13, true, 0)},
    {"sweep with 1 expired entity", sweep_of(1, 11, true, 1)},
    {"sweep with 10 expired entities of one partition", sweep_of(10, 11, true, 10)},
    {"sweep with 10 expired entities of 10 partitions", sweep_of(10, 11, false, 10)},
    {"sweep with 1 prolonged entity",
     [](hotel& h) {
         h.insert(1, 11);
         h.visits.modify({"ana", 1}, [](visit& v) { v.until = hour(13); });
         return [&h] { EXPECT_EQ(h.sweeper.sweep().prolonged, 1U); };
     }},
    {"find of an unexpired_table", [](hotel& h) { return [&h] { EXPECT_FALSE(h.live.find("ana", 1)); }; }},
    {"query of an unexpired_table, with 10 entities",
     [](hotel& h) {
         h.insert(10, 13);
         return [&h] { EXPECT_TRUE(h.live.query(partition("ana")).first()); };
     }},
};

TEST(page_of_expiry, counts_the_requests_of_each_operation) {
    std::set<std::string> named;
    for (auto const& row : page_table("patterns/expiry.md", "requests")) {
        auto const& name = *named.insert(row.at(0)).first;
        ASSERT_TRUE(operations.contains(name)) << name;
        hotel h;
        auto const operate = operations.at(name)(h);
        h.requests->count = 0;
        operate();
        EXPECT_EQ(std::to_string(h.requests->count), row.at(1)) << name;
    }
    EXPECT_EQ(named.size(), operations.size());
}

}  // namespace
}  // namespace test
}  // namespace tablemap
