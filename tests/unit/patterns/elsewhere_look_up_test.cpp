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

TEST_F(elsewhere_pages, of_another_value_have_no_entity) {
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
        EXPECT_EQ(r.error().code(), service_errc::out_of_range_input);
        EXPECT_EQ(r.error().outcome(), outcome::not_applied);
    }
}

/// Devices of one model and of the years 1990 to 2001, each in a partition of its own.
class elsewhere_pages_of_devices : public ::testing::Test {
protected:
    elsewhere_pages_of_devices() {
        devices.create();
        for (std::int32_t year = 1990; year <= 2001; ++year)
            devices.insert({std::to_string(year), 1, "X", year, false});
        index_relay<device>{devices}.sweep();
    }

    store_ptr store = value_or_throw(open_embedded({.path = ":memory:"}));
    table<device> devices{store, "Devices"};
    devices_by_model by_model{devices};
};

TEST_F(elsewhere_pages_of_devices, hold_the_selected_rows_alone) {
    auto const page = by_model.find_page(partition("X"), leading(2001), {});
    ASSERT_THAT(page.entities, SizeIs(1));
    EXPECT_EQ(page.entities[0].value.year, 2001);
    EXPECT_FALSE(page.next);
    EXPECT_THAT(by_model.find_page(partition("X"), row_range(1990, 2000), {}).entities, SizeIs(10));
    EXPECT_THAT(by_model.find_page(partition("X"), {}).entities, SizeIs(12));
}

TEST_F(elsewhere_pages_of_devices, begin_at_no_place_of_another_selection) {
    auto const next = *by_model.find_page(partition("X"), row_range(1990, 2000), {.top = 1}).next;
    page_selection const from_there{.from = next};
    EXPECT_THAT(by_model.find_page(partition("X"), row_range(1990, 2000), from_there).entities, SizeIs(9));
    EXPECT_TRUE(failed_with(by_model.try_find_page(partition("X"), row_range(1990, 2001), from_there),
                            library_errc::invalid_cursor));
    EXPECT_TRUE(failed_with(by_model.try_find_page(partition("X"), from_there), library_errc::invalid_cursor));
}

}  // namespace
}  // namespace tablemap::test
