// SPDX-License-Identifier: Apache-2.0
#include "tablemap/embedded/store.hpp"
#include "tablemap/tablemap.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

/// Rows that are not what the program's indexes write: of others, and of older versions.

namespace tablemap {
namespace {

struct porter {
    std::string hotel{};
    std::int32_t id{};
    std::string email{};
    std::optional<std::string> phone{};
    extras rest{};
};

/// Version 1 had no floor, and version 2 tells it from the name.
struct maid {
    std::string hotel{};
    std::int32_t id{};
    std::string name{};
    std::string email{};
};
struct maid_on_floor {
    std::string hotel{};
    std::int32_t id{};
    std::string name{};
    std::string email{};
    std::int32_t floor{};
};

void find_floor(dynamic_entity& row) {
    auto const* const name = row.try_get<std::string>("name");
    if (!name) throw std::runtime_error{"no name"};
    row.set("floor", static_cast<std::int32_t>(name->size()));
}

}  // namespace

template <> struct mapping<porter> {
    static constexpr auto partition_key = key(part<&porter::hotel>);
    static constexpr auto row_key = key("id_", part<&porter::id>.width(3));
    static constexpr auto indexes =
        tablemap::indexes(unique_index<"by_email">(key("email_", part<&porter::email>)),
                          unique_index<"by_phone">(key("phone_", part<&porter::phone>)).include<>());
};
template <> struct mapping<maid> {
    static constexpr auto discriminator = tablemap::discriminator("Type", "maid");
    static constexpr auto partition_key = key(part<&maid::hotel>);
    static constexpr auto row_key = key("id_", part<&maid::id>.width(3));
    static constexpr auto indexes =
        tablemap::indexes(unique_index<"by_email">(key("email_", part<&maid::email>)).include<>());
};
template <> struct mapping<maid_on_floor> {
    using t = maid_on_floor;
    static constexpr auto discriminator = tablemap::discriminator("Type", "maid");
    static constexpr auto versions = tablemap::versions<2>(upgrade_from<1>(&find_floor));
    static constexpr auto partition_key = key(part<&t::hotel>);
    static constexpr auto row_key = key("id_", part<&t::id>.width(3));
    static constexpr auto indexes =
        tablemap::indexes(unique_index<"by_email">(key("email_", part<&t::email>)).include<>());
};

namespace {

using ::testing::ElementsAre;

class strange_rows : public ::testing::Test {
protected:
    void SetUp() override {
        porters.create();
        porters.insert({.hotel = "R", .id = 1, .email = "a", .phone = "1"});
    }

    void put(char const* row_key, std::optional<std::int32_t> id = {}) {
        dynamic_entity row{"R", row_key};
        row.set("text", "welcome");
        if (id) row.set("id", *id);
        rows.upsert_replace(row);
    }
    static std::vector<std::string> unreadable(index_report const& r) {
        std::vector<std::string> keys;
        for (auto const& f : r.findings)
            if (f.what == index_fault::unreadable && !f.repaired) keys.push_back(f.key.row_key);
        return keys;
    }

    store_ptr store = value_or_throw(open_embedded({.path = ":memory:"}));
    table<porter> porters{store, "Porters"};
    table<dynamic_entity> rows{store, "Porters"};
    partition_values<std::string> there = partition(std::string{"R"});
};

TEST_F(strange_rows, that_begin_like_those_of_an_index_are_left_and_told) {
    put("email_welcome"), put("phone_list");
    for (auto const& r : {porters.verify_indexes(), porters.rebuild_indexes()}) {
        EXPECT_THAT(unreadable(r), ElementsAre("email_welcome", "phone_list"));
        EXPECT_EQ(r.found(), 2u);
        EXPECT_EQ(r.findings.front().error->code(), library_errc::missing_property);
    }
    EXPECT_TRUE(rows.find("R", "email_welcome") && rows.find("R", "phone_list"));
}

TEST_F(strange_rows, in_the_place_of_a_row_of_an_index_are_left_and_told_once) {
    put("email_a");
    for (auto const& r : {porters.verify_indexes(), porters.rebuild_indexes()}) {
        EXPECT_THAT(unreadable(r), ElementsAre("email_a"));
        EXPECT_EQ(r.found(), 1u);
    }
    EXPECT_TRUE(rows.find("R", "email_a")->value.find("text"));
}

TEST_F(strange_rows, are_found_by_no_index) {
    put("email_welcome"), put("phone_list"), put("phone_none", 1);
    EXPECT_EQ(porters.try_find_by<"by_email">({"R", "welcome"}).error().code(), library_errc::missing_property);
    EXPECT_EQ(porters.try_find_by<"by_phone">({"R", "list"}).error().code(), library_errc::missing_property);
    std::vector<std::string> bad;
    auto const skip = skip_bad_rows([&](bad_row const& r) { bad.push_back(r.row_key); });
    for (auto& [id, email] : porters.query_by<"by_email">(there).select<&porter::id, &porter::email>().on_error(skip))
        EXPECT_EQ(email, "a");
    std::size_t phones = 0;
    for (auto& [phone] : porters.query_by<"by_phone">(there).select<&porter::phone>().on_error(skip))
        if (phone) ++phones;
    EXPECT_EQ(phones, 1u);
    EXPECT_THAT(bad, ElementsAre("email_welcome", "phone_list", "phone_none"));
}

TEST_F(strange_rows, that_differ_in_what_is_no_key_are_repaired) {
    auto row = *rows.find("R", "email_a");
    row.value.set("phone", 7);
    rows.replace(row);
    EXPECT_EQ(porters.rebuild_indexes().repaired, 1u);
    EXPECT_EQ(porters.find_by<"by_email">("R", "a")->value.phone, "1");
}

TEST_F(strange_rows, of_entities_whose_extras_are_named_like_a_key_member_are_written_and_erased) {
    put("id_002", 77);
    rows.upsert_merge([] {
        dynamic_entity e{"R", "id_002"};
        e.set("email", "b");
        return e;
    }());
    EXPECT_EQ(porters.rebuild_indexes().repaired, 1u);
    EXPECT_EQ(porters.find_by<"by_email">("R", "b")->value.id, 2);
    porters.modify({"R", 2}, [](porter& p) { p.email = "c"; });
    EXPECT_EQ(*porters.find("R", 2)->value.rest.try_get<std::int32_t>("id"), 77);
    EXPECT_EQ(porters.find_by<"by_email">("R", "c")->value.id, 2);
    EXPECT_TRUE(porters.erase_any({"R", 2}));
    EXPECT_EQ(rows.scan().count(), 3u);
}

class older_rows : public strange_rows {
protected:
    void SetUp() override {
        porters.create();
        table<maid>{store, "Porters"}.insert({"R", 1, "Eva", "e"});
    }

    table<maid_on_floor> maids{store, "Porters"};
};

TEST_F(older_rows, that_hold_some_members_lead_to_their_entities) {
    EXPECT_EQ(maids.find_by<"by_email">("R", "e")->value.floor, 3);
}

TEST_F(older_rows, that_hold_some_members_say_what_to_do_when_they_are_read_themselves) {
    auto range = maids.query_by<"by_email">(there).select<&maid_on_floor::email>();
    auto const r = range.try_next();
    EXPECT_EQ(r.error().code(), library_errc::outdated_entity);
    EXPECT_THAT(r.error().what(), ::testing::HasSubstr("migrate()"));
    maids.migrate();
    EXPECT_EQ(std::get<0>(*maids.query_by<"by_email">(there).select<&maid_on_floor::email>().first()), "e");
}

TEST_F(older_rows, are_repaired_though_they_cannot_be_upgraded) {
    EXPECT_EQ(maids.rebuild_indexes().differing, 1u);
    EXPECT_TRUE(maids.verify_indexes().in_step());
}

}  // namespace
}  // namespace tablemap
