// SPDX-License-Identifier: Apache-2.0
#include "tablemap/embedded/store.hpp"
#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/patterns/wide_table.hpp"
#include "tablemap/table/table.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tablemap::test {

/// Its row keys end in an escaped text and two digits.
struct form_page {
    std::string area{};
    std::string form{};
    std::int32_t page{};
    std::string text{};
    std::string notes{};

    friend bool operator==(form_page const&, form_page const&) = default;
};

/// Its row keys end in escaped text.
struct form_note {
    std::string area{};
    std::string form{};
    std::string text{};
    std::string notes{};

    friend bool operator==(form_note const&, form_note const&) = default;
};

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::form_page> {
    using form_page = tablemap::test::form_page;
    static constexpr auto partition_key = key(part<&form_page::area>);
    static constexpr auto row_key = key("answer_", part<&form_page::form>.escaped(), part<&form_page::page>.width(2));
    static constexpr auto wide = next_row_at<&form_page::text, &form_page::notes>;
};

template <> struct tablemap::mapping<tablemap::test::form_note> {
    using form_note = tablemap::test::form_note;
    static constexpr auto partition_key = key(part<&form_note::area>);
    static constexpr auto row_key = key("note_", part<&form_note::form>.escaped());
    static constexpr auto wide = next_row_at<&form_note::text, &form_note::notes>;
};

/// Row keys of wide entities that look like those of further rows.
namespace tablemap::test {
namespace {

class wide_keys : public ::testing::Test {
protected:
    void SetUp() override { pages.create(); }

    store_ptr store = value_or_throw(open_embedded({.path = ":memory:"}));
    wide_table<form_page> pages{store, "Forms"};
    wide_table<form_note> notes{store, "Forms"};
};

TEST_F(wide_keys, may_end_in_escaped_text_and_two_digits) {
    for (std::int32_t const page : {0, 1, 7, 99}) {
        form_page const p{.area = "north", .form = "intake", .page = page, .text = "t", .notes = "n"};
        auto const e = pages.insert(p);
        auto const found = pages.find("north", "intake", page);
        ASSERT_TRUE(found) << page;
        EXPECT_EQ(found->value, p);
        auto range = pages.query(partition("north"));
        auto const next = range.try_next();
        ASSERT_TRUE(next && *next) << page;
        EXPECT_EQ((**next).value, p);
        pages.erase(e);
        EXPECT_FALSE(pages.find("north", "intake", page)) << page;
    }
}

TEST_F(wide_keys, of_all_pages_lie_beside_each_other) {
    for (std::int32_t page = 0; page < 100; ++page)
        pages.insert({.area = "north", .form = "intake", .page = page, .text = std::to_string(page)});
    std::int32_t page = 0;
    for (auto& e : pages.query(partition("north"))) EXPECT_EQ(e.value.text, std::to_string(page++));
    EXPECT_EQ(page, 100);
}

std::vector<std::string> const difficult_forms{"a",
                                               "a ",
                                               "a  01",
                                               "a !01",
                                               std::string("a\0"
                                                           "01",
                                                           4),
                                               "a!",
                                               "b"};

TEST_F(wide_keys, may_end_in_escaped_text_of_any_characters) {
    for (auto const& form : difficult_forms) notes.insert({.area = "north", .form = form, .text = "t" + form});
    for (auto const& form : difficult_forms) EXPECT_EQ(notes.find("north", form)->value.text, "t" + form) << form;
    std::size_t found = 0;
    for (auto& e : notes.query(partition("north"))) found += e.value.text == "t" + e.value.form ? 1U : 0U;
    EXPECT_EQ(found, difficult_forms.size());
    for (auto const& form : difficult_forms) notes.erase(*notes.find("north", form));
    EXPECT_FALSE(*notes.query(partition("north")).try_next());
}

TEST_F(wide_keys, of_escaped_text_end_a_range_behind_all_rows_of_the_last_entity) {
    for (std::string const form : {"a", "b", "c"}) notes.insert({.area = "north", .form = form, .text = "t"});
    auto const counting = std::make_shared<tablemap::testing::faulty_store>(store);
    wide_table<form_note> const counted{counting, "Forms"};
    std::string found;
    for (auto& e : counted.query(partition("north"), row_between("a", "b"))) found += e.value.form;
    EXPECT_EQ(found, "ab");
    EXPECT_EQ(counting->requests(), 1u);
}

TEST_F(wide_keys, have_at_most_508_characters) {
    form_note n{.area = "north", .form = std::string(503, 'f')};
    EXPECT_TRUE(notes.try_insert(n));
    n.form += 'f';
    auto const r = notes.try_insert(n);
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::key_too_large);
    EXPECT_FALSE(notes.find("north", n.form));
}

TEST_F(wide_keys, that_end_as_those_of_further_rows_are_refused_before_anything_is_sent) {
    EXPECT_TRUE(detail::check_head({"north", "answer_intake !07"}));
    EXPECT_TRUE(detail::check_head({"north", "answer_intake  00"}));
    EXPECT_TRUE(detail::check_head({"north", "answer_intake  007"}));
    auto const refused = detail::check_head({"north", "answer_intake  07"});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code(), library_errc::invalid_key);
}

// ---- the rule ---------------------------------------------------------------------------------------------------

constexpr auto form = part<&form_page::form>;
constexpr auto page = part<&form_page::page>;

template <class Key> constexpr bool can_end_like_further_row(Key const& k) {
    return detail::can_end_like_further_row(k.layouts, detail::further_row_tail);
}

static_assert(can_end_like_further_row(key("a  01")));
static_assert(can_end_like_further_row(key("a ", " 0", "1")));
static_assert(can_end_like_further_row(key("a  ", page.width(2))));
static_assert(can_end_like_further_row(key("a  0", page.width(1))));
static_assert(can_end_like_further_row(key("a  ", page, "1")));
static_assert(can_end_like_further_row(key(form, "1")));
static_assert(can_end_like_further_row(key("a ", form.escaped())));
static_assert(!can_end_like_further_row(key("a !", page.width(2))));
static_assert(!can_end_like_further_row(key("a  ", page.width(3))));
static_assert(!can_end_like_further_row(key("a  _", page.width(2))));
static_assert(!can_end_like_further_row(key("a  ", page, "_")));
static_assert(!can_end_like_further_row(key(form, "_01")));
static_assert(!can_end_like_further_row(key(form, "_", page.width(2))));
static_assert(!can_end_like_further_row(key("a_", form.escaped())));
static_assert(!can_end_like_further_row(key(form.escaped(), page.width(2))));
static_assert(!can_end_like_further_row(key(form.descending(), "01")));
static_assert(!can_end_like_further_row(key("a  ", form.hashed())));

}  // namespace
}  // namespace tablemap::test
