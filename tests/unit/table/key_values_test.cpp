// SPDX-License-Identifier: Apache-2.0
#include "support/waited.hpp"
#include "tablemap/embedded/store.hpp"
#include "tablemap/mapping/variant.hpp"
#include "tablemap/table/async_cached_table.hpp"
#include "tablemap/table/async_table.hpp"
#include "tablemap/table/cached_table.hpp"
#include "tablemap/table/table.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>

/// A key is given in braces, as an object, or as its values one after the other.
namespace tablemap {
namespace {

struct page {
    std::string book{};
    std::int32_t number{};
    std::string title{};
    std::int32_t reads{};
};

struct setting {
    std::string name{};
    std::int32_t value{};
};

struct only_one {
    std::int32_t value{};
};

}  // namespace

template <> struct mapping<page> {
    static constexpr auto partition_key = key(part<&page::book>);
    static constexpr auto row_key = key("page_", part<&page::number>.width(4));
    static constexpr auto indexes = tablemap::indexes(unique_index<"by_title">(key("title_", part<&page::title>)));
};

template <> struct mapping<setting> {
    static constexpr auto partition_key = key("settings");
    static constexpr auto row_key = key(part<&setting::name>);
};

template <> struct mapping<only_one> {
    static constexpr auto partition_key = key("only");
    static constexpr auto row_key = key("one");
};

namespace {

class keys_in_values : public ::testing::Test {
protected:
    void SetUp() override {
        pages.create();
        for (std::int32_t n = 1; n <= 4; ++n) pages.insert({.book = "b", .number = n, .title = std::to_string(n)});
        settings.insert({.name = "size", .value = 1});
        one.insert({.value = 1});
    }

    static void read_it(page& p) { ++p.reads; }

    store_ptr store = value_or_throw(open_embedded({.path = ":memory:"}));
    table<page> pages{store, "Library"};
    table<setting> settings{store, "Library"};
    table<only_one> one{store, "Library"};
    call_options const o{};
    std::string const book = "b";
};

TEST_F(keys_in_values, are_taken_by_reads_with_options_and_without) {
    EXPECT_TRUE(pages.find("b", 1));
    EXPECT_TRUE(pages.find({"b", 1}));
    EXPECT_TRUE(pages.find(book, 1, o));
    EXPECT_TRUE(pages.find({"b", 1}, {.retry = retry_policy::none()}));
    EXPECT_TRUE(*pages.try_find("b", 1));
    EXPECT_TRUE(*pages.try_find("b", 1, call_options{}));
    EXPECT_FALSE(*pages.try_find(key_of<page>{"b", 9}, o));
    EXPECT_TRUE(pages.find_by<"by_title">("b", "1", o));
    EXPECT_TRUE(*pages.try_find_by<"by_title">("b", "1"));
}

TEST_F(keys_in_values, are_taken_by_writes) {
    EXPECT_EQ(pages.modify("b", 1, read_it).value.reads, 1);
    EXPECT_EQ(pages
                  .modify(
                      book, 1, [](page& p) { ++p.reads; }, modify_options{}, o)
                  .value.reads,
              2);
    EXPECT_EQ(pages.modify({"b", 1}, read_it, {.attempts = 2}).value.reads, 3);
    EXPECT_EQ(pages.try_modify("b", 1, read_it, o)->value.reads, 4);
    EXPECT_TRUE(pages.erase_any("b", 1));
    EXPECT_TRUE(*pages.try_erase_any("b", 2, o));
    EXPECT_FALSE(pages.erase_any({"b", 2}));
}

TEST_F(keys_in_values, are_taken_by_calls_that_do_not_block) {
    async_table<page> const async{store, "Library"};
    auto const found = [](auto const& call) { return test::waited<std::optional<entity<page>>>(call).has_value(); };
    EXPECT_TRUE(found([&](auto token) { async.find("b", 1, token); }));
    EXPECT_TRUE(found([&](auto token) { async.find(book, 1, o, token); }));
    EXPECT_TRUE(found([&](auto token) { async.find({"b", 1}, token); }));
    EXPECT_TRUE(found([&](auto token) { async.find_by<"by_title">("b", "1", token); }));
}

TEST_F(keys_in_values, are_taken_by_writes_that_do_not_block) {
    async_table<page> const async{store, "Library"};
    auto const reads = [](auto const& call) { return test::waited<entity<page>>(call).value.reads; };
    EXPECT_EQ(reads([&](auto token) { async.modify("b", 1, read_it, token); }), 1);
    EXPECT_EQ(reads([&](auto token) { async.modify("b", 1, read_it, modify_options{}, o, token); }), 2);
    EXPECT_EQ(reads([&](auto token) { async.modify({"b", 1}, read_it, token); }), 3);
    EXPECT_TRUE(test::waited<bool>([&](auto token) { async.erase_any("b", 1, token); }));
    EXPECT_FALSE(test::waited<bool>([&](auto token) { async.erase_any({"b", 1}, token); }));
}

TEST_F(keys_in_values, are_taken_where_a_key_has_one_value_or_none) {
    EXPECT_TRUE(settings.find("size"));
    EXPECT_TRUE(settings.find("size", o));
    EXPECT_TRUE(settings.find({"size"}, o));
    EXPECT_EQ(settings.modify("size", [](setting& s) { ++s.value; }).value.value, 2);
    EXPECT_TRUE(one.find());
    EXPECT_TRUE(one.find(o));
    EXPECT_TRUE(one.find({}));
    EXPECT_EQ(one.modify([](only_one& s) { ++s.value; }).value.value, 2);
    EXPECT_TRUE(one.erase_any());
}

TEST_F(keys_in_values, are_taken_by_transactions_and_copies_in_memory) {
    cached_table<page> cached{pages};
    EXPECT_TRUE(cached.find("b", 1));
    EXPECT_TRUE(*cached.try_find("b", 1, o));
    async_cached_table<page> async{pages};
    EXPECT_TRUE(test::waited<std::optional<entity<page>>>([&](auto token) { async.find("b", 1, token); }));
    auto t = settings.transaction();
    t.erase_any<setting>("size");
    t.commit();
    EXPECT_FALSE(settings.find("size"));
}

TEST_F(keys_in_values, of_variants_and_dynamic_entities_are_what_makes_their_keys) {
    table<dynamic_entity> const raw{store, "Library"};
    EXPECT_TRUE(raw.find("b", "page_0001", o));
    EXPECT_TRUE(raw.modify("b", "page_0001", [](dynamic_entity& e) { e.set("seen", true); }).value.find("seen"));
    EXPECT_TRUE(raw.erase_any("b", "page_0001"));
}

}  // namespace
}  // namespace tablemap
