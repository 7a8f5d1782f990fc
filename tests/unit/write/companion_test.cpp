// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/write/companion.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace tablemap::detail {
namespace {

/// A row whose body is the row key of its owner.
result<std::string> body_as_owner(std::string& row) {
    if (row.empty()) return fail(library_errc::missing_property);
    if (row == "{") return fail(library_errc::malformed_response);
    return row;
}

companion unique_row(write_kind kind) {
    return {.kind = kind, .row_key = "u", .body = "new", .owner_of = &body_as_owner};
}

response row_of(std::string owner, std::string version = "V") {
    response r;
    r.body = std::move(owner);
    r.etag = etag{std::move(version)};
    return r;
}
response absent() { return response::failed(error{service_errc::resource_not_found}); }
error conflict() { return error{service_errc::update_condition_not_satisfied}; }

std::vector<companion> after(write_kind kind, response read) {
    std::vector rows{unique_row(kind)};
    EXPECT_TRUE(take_look(rows, "me", read));
    return rows;
}

TEST(companion, needs_a_look_if_it_might_be_another_ones_and_is_to_be_changed) {
    EXPECT_TRUE(needs_look(unique_row(write_kind::erase)));
    EXPECT_TRUE(needs_look(unique_row(write_kind::replace)));
    EXPECT_FALSE(needs_look(unique_row(write_kind::insert)));
    EXPECT_FALSE(needs_look({.kind = write_kind::erase, .if_match = "*"}));
}

TEST(companion, of_the_entity_is_written_under_the_etag_that_was_read) {
    for (auto const kind : {write_kind::erase, write_kind::replace}) {
        auto const rows = after(kind, row_of("me"));
        ASSERT_EQ(rows.size(), 1u);
        EXPECT_EQ(rows[0].kind, kind);
        EXPECT_EQ(rows[0].if_match, "V");
        EXPECT_FALSE(needs_look(rows[0]));
    }
}

TEST(companion, of_another_entity_or_of_none_is_not_erased) {
    for (auto const& read : {row_of("other"), row_of(""), absent()})
        EXPECT_TRUE(after(write_kind::erase, read).empty());
}

TEST(companion, of_another_entity_or_of_none_is_inserted_and_not_replaced) {
    for (auto const& read : {row_of("other"), row_of(""), absent()}) {
        auto const rows = after(write_kind::replace, read);
        ASSERT_EQ(rows.size(), 1u);
        EXPECT_EQ(rows[0].kind, write_kind::insert);
        EXPECT_TRUE(rows[0].if_match.empty());
        EXPECT_FALSE(needs_look(rows[0]));
    }
}

TEST(companion, is_left_as_it_was_where_the_answer_does_not_tell_whose_it_is) {
    for (auto read : {row_of("{"), row_of("me", ""), row_of("me", "*")}) {
        std::vector rows{unique_row(write_kind::erase)};
        auto const r = take_look(rows, "me", read);
        ASSERT_FALSE(r);
        EXPECT_EQ(r.error().code(), library_errc::malformed_response);
        EXPECT_TRUE(needs_look(rows.at(0)));
    }
}

TEST(companion, is_read_in_the_order_of_those_that_need_it) {
    std::vector rows{unique_row(write_kind::insert), unique_row(write_kind::erase), unique_row(write_kind::replace)};
    rows[1].row_key = "gone";
    rows[2].row_key = "mine";
    std::vector<request> looks;
    add_looks(rows, "T", "p", looks);
    ASSERT_EQ(looks.size(), 2u);
    EXPECT_EQ(std::get<get_entity>(looks[0]).row_key, "gone");
    EXPECT_TRUE(std::get<get_entity>(looks[1]).current);
    std::vector answers{row_of("other"), row_of("me"), row_of("next plan's")};
    std::span<response> left{answers};
    EXPECT_TRUE(take_looks(rows, "me", left));
    EXPECT_EQ(left.size(), 1u);
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[1].if_match, "V");
}

TEST(companion, that_was_changed_after_it_was_read_needs_another_look) {
    auto rows = after(write_kind::erase, row_of("me"));
    auto const& row = rows.front();
    EXPECT_FALSE(was_changed(row, error{service_errc::resource_not_found}));
    EXPECT_FALSE(was_changed(row, conflict().with(outcome::in_doubt)));
    ASSERT_TRUE(was_changed(row, conflict()));
    forget_look(rows, row.row_key);
    EXPECT_TRUE(needs_look(row));
    EXPECT_FALSE(was_changed({.kind = write_kind::erase, .if_match = "*"}, conflict()));
}

}  // namespace
}  // namespace tablemap::detail
