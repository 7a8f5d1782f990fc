// SPDX-License-Identifier: Apache-2.0
#include "support/answers.hpp"
#include "support/elsewhere_samples.hpp"

#include "tablemap/embedded/store.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace tablemap::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Clerks of one address, found page by page.
class elsewhere_pages : public ::testing::Test {
protected:
    elsewhere_pages() {
        clerks.create();
        relay.create_if_not_exists();
        for (std::int32_t id = 1; id <= 5; ++id) clerks.insert({"Bonn", id, "Ann", "a@x", id + 10});
        relay.sweep();
    }

    entity_page<clerk> page(std::string from = {}, std::size_t top = 2) const {
        return by_email.find_page(partition("a@x"), {.from = std::move(from), .top = top});
    }
    static std::vector<std::int32_t> ids(std::vector<entity<clerk>> const& all) {
        std::vector<std::int32_t> found;
        for (auto const& e : all) found.push_back(e.value.id);
        return found;
    }

    store_ptr store = value_or_throw(open_embedded({.path = ":memory:"}));
    table<clerk> clerks{store, "Clerks"};
    index_relay<clerk> relay{clerks};
    clerks_by_email by_email{clerks};
};

TEST_F(elsewhere_pages, hold_as_many_entities_as_were_requested) {
    auto const first = page();
    EXPECT_THAT(ids(first.entities), ElementsAre(1, 2));
    ASSERT_TRUE(first.next);
    auto const second = page(*first.next);
    EXPECT_THAT(ids(second.entities), ElementsAre(3, 4));
    ASSERT_TRUE(second.next);
    auto const last = page(*second.next);
    EXPECT_THAT(ids(last.entities), ElementsAre(5));
    EXPECT_FALSE(last.next);
}

TEST_F(elsewhere_pages, hold_entities_with_the_etags_of_their_table) {
    auto const first = page();
    ASSERT_THAT(first.entities, SizeIs(2));
    EXPECT_EQ(first.entities[0].etag, clerks.find("Bonn", 1)->etag);
}

TEST_F(elsewhere_pages, of_a_selection_of_rows_hold_those_alone) {
    EXPECT_THAT(by_email.find_page(partition("a@x"), leading(), {}).entities, SizeIs(5));
    EXPECT_THAT(by_email.find_page(partition("b@x"), leading(), {.top = 1}).entities, IsEmpty());
}

TEST_F(elsewhere_pages, leave_out_entities_without_the_value_and_go_on) {
    for (auto id : {1, 2}) clerks.modify({"Bonn", id}, [](clerk& c) { c.email = "b@x"; });
    auto const first = page();
    EXPECT_THAT(first.entities, IsEmpty());
    ASSERT_TRUE(first.next);
    EXPECT_THAT(ids(page(*first.next).entities), ElementsAre(3, 4));
}

TEST_F(elsewhere_pages, begin_at_no_place_of_another_look_up) {
    auto const next = *page().next;
    auto const other = by_email.try_find_page(partition("b@x"), {.from = next, .top = 2});
    EXPECT_TRUE(failed_with(other, library_errc::invalid_cursor));
    auto const query = *clerks.query(partition("Bonn")).top(1).cursor();
    EXPECT_TRUE(failed_with(by_email.try_find_page(partition("a@x"), {.from = query}), library_errc::invalid_cursor));
    EXPECT_TRUE(failed_with(by_email.try_find_page(partition("a@x"), {.from = "?"}), library_errc::invalid_cursor));
}

TEST_F(elsewhere_pages, are_of_the_size_that_a_store_takes) {
    for (std::size_t const top : {std::size_t{0}, std::size_t{1'001}}) {
        auto const r = by_email.try_find_page(partition("a@x"), {.top = top});
        ASSERT_FALSE(r) << top;
        EXPECT_EQ(r.error().outcome(), outcome::not_applied);
    }
}

}  // namespace
}  // namespace tablemap::test
