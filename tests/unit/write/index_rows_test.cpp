// SPDX-License-Identifier: Apache-2.0
#include "support/answers.hpp"
#include "support/encrypted_samples.hpp"

#include "crypto/sealed_value.hpp"
#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// Rows of indexes for members that are more than a property, and their fate if rows are
/// rewritten.
namespace tablemap {
namespace {

/// Version 1 had the e-mail as it was typed.
struct member_of_club {
    std::string club{};
    std::int32_t id{};
    std::string email{};
    std::string name{};

    [[maybe_unused]] friend bool operator==(member_of_club const&, member_of_club const&) = default;
};

void lower_case(dynamic_entity& row) {
    auto email = row.find("email") ? *row.try_get<std::string>("email") : std::string{};
    for (char& c : email)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    row.set("email", email);
}

struct account {
    std::string owner{};
    encrypted<std::string> iban{};
    std::string bank{};
    std::string note{};

    [[maybe_unused]] friend bool operator==(account const&, account const&) = default;
};

struct safe {
    std::string owner{};
    encrypted<std::string> code{};
    std::string room{};
};

struct address {
    std::string street{};
    std::int32_t number{};

    [[maybe_unused]] friend bool operator==(address const&, address const&) = default;
};

/// Members of all forms.
struct site {
    std::string owner{};
    std::int32_t id{};
    std::string name{};
    std::vector<address> gates{};
    address home{};
    std::array<std::int32_t, 2> hours{};
    std::map<std::string, std::int64_t> tags{};
    extras rest{};
};

}  // namespace

template <> struct mapping<member_of_club> {
    static constexpr auto discriminator = tablemap::discriminator("Type", "member");
    static constexpr auto versions = tablemap::versions<2>(upgrade_from<1>(&lower_case));
    static constexpr auto partition_key = key(part<&member_of_club::club>);
    static constexpr auto row_key = key("id_", part<&member_of_club::id>.width(3));
    static constexpr auto indexes =
        tablemap::indexes(unique_index<"by_email">(key("email_", part<&member_of_club::email>)));
};

template <> struct mapping<account> {
    static constexpr auto discriminator = tablemap::discriminator("Type", "account");
    static constexpr auto partition_key = key("accounts");
    static constexpr auto row_key = key("acc_", part<&account::owner>);
    static constexpr auto members = tablemap::members(member<&account::iban>.blind_index());
    static constexpr auto indexes =
        tablemap::indexes(index<"by_bank">(key("bank_", part<&account::bank>.escaped())).include<&account::iban>());
};

template <> struct mapping<safe> {
    static constexpr auto partition_key = key("safes");
    static constexpr auto row_key = key("safe_", part<&safe::owner>);
    static constexpr auto indexes =
        tablemap::indexes(index<"by_room">(key("room_", part<&safe::room>.escaped())).include<>());
};

template <> struct mapping<site> {
    static constexpr auto partition_key = key(part<&site::owner>);
    static constexpr auto row_key = key("site_", part<&site::id>.width(3));
    static constexpr auto members = tablemap::members(member<&site::gates>.as_json(), member<&site::home>.flattened(),
                                                      member<&site::hours>.numbered(), member<&site::tags>.prefixed());
    static constexpr auto indexes = tablemap::indexes(index<"by_name">(key("name_", part<&site::name>.escaped())));
};

namespace {

using test::failed_with;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class index_rows : public ::testing::Test {
protected:
    index_rows() { raw.create(); }

    std::vector<std::string> rows() {
        std::vector<std::string> keys;
        for (auto const& e : raw.scan()) keys.push_back(e.value.row_key);
        return keys;
    }

    std::string text(std::string const& partition, std::string const& row, std::string const& property) {
        auto const found = raw.find(partition, row);
        auto const* const p = found ? found->value.try_get<std::string>(property) : nullptr;
        return p ? *p : "none";
    }

    std::string key_id(std::string const& row) {
        auto const found = raw.find("accounts", row);
        return found ? std::string{detail::key_id_of(*found->value.try_get<bytes>("iban"))} : "none";
    }

    std::shared_ptr<tablemap::testing::faulty_store> const inner =
        std::make_shared<tablemap::testing::faulty_store>(value_or_throw(open_embedded({.path = ":memory:"})));
    std::shared_ptr<key_ring> const ring = test::ring_of("ab");
    store_ptr const store = with_keys(inner, ring);
    table<dynamic_entity> const raw{inner, "Rows"};
    table<member_of_club> const members{inner, "Rows"};
    table<account> const accounts{store, "Rows"};
    table<site> const sites{inner, "Rows"};
    tablemap::testing::fixed_clock clock{1};
};

// ---- contents -------------------------------------------------------------------------------------------------------

TEST_F(index_rows, are_of_a_type_of_their_own_so_that_no_scan_takes_them_for_entities) {
    members.insert({.club = "C", .id = 1, .email = "don@x"});
    EXPECT_EQ(text("C", "email_don@x", "Type"), "member_index_v2");
    EXPECT_EQ(members.scan().count(), 1u);
}

TEST_F(index_rows, hold_members_in_every_form_and_follow_them) {
    auto e = sites.insert({.owner = "O",
                           .id = 1,
                           .name = "north",
                           .gates = {{"High St", 4}},
                           .home = {"Low St", 2},
                           .hours = {8, 17},
                           .tags = {{"a", 1}}});
    auto row = raw.find("O", "name_north !_site_001");
    ASSERT_TRUE(row);
    EXPECT_THAT(row->value.properties(), SizeIs(8));
    e.value.gates.push_back({"Side St", 1});
    e.value.tags.clear();
    e.value.rest.set("Extra", 5);
    sites.replace(e);
    row = raw.find("O", "name_north !_site_001");
    EXPECT_EQ(row->value.find("tags_a"), nullptr);
    EXPECT_EQ(*row->value.try_get<std::int32_t>("Extra"), 5);
    EXPECT_EQ(*row->value.try_get<std::string>("gates"),
              *raw.find("O", "site_001")->value.try_get<std::string>("gates"));
}

TEST_F(index_rows, follow_columns_that_the_type_does_not_know_by_its_extras) {
    sites.insert({.owner = "O", .id = 1, .name = "north"});
    sites.modify({"O", 1}, [](site& s) { s.rest.set("Extra", 5); });
    EXPECT_NE(raw.find("O", "name_north !_site_001")->value.find("Extra"), nullptr);
}

// ---- variants -------------------------------------------------------------------------------------------------------

TEST_F(index_rows, of_each_type_are_kept_by_a_table_of_a_variant) {
    using anything = std::variant<member_of_club, account>;
    table<anything> const all{store, "Rows"};
    all.insert(anything{member_of_club{.club = "C", .id = 1, .email = "don@x"}});
    auto e = all.insert(anything{account{.owner = "don", .iban = "DE1", .bank = "b1"}});
    EXPECT_THAT(rows(), ElementsAre("email_don@x", "id_001", "acc_don", "bank_b1 !_acc_don"));
    std::get<account>(e.value).bank = "b2";
    all.replace(e);
    all.modify(key_of<member_of_club>{"C", 1}, [](anything& a) { std::get<member_of_club>(a).email = "new@x"; });
    EXPECT_THAT(rows(), ElementsAre("email_new@x", "id_001", "acc_don", "bank_b2 !_acc_don"));
    EXPECT_TRUE(all.erase_any(key_of<account>{"don"}));
    EXPECT_THAT(rows(), ElementsAre("email_new@x", "id_001"));
}

// ---- encryption -----------------------------------------------------------------------------------------------------

TEST_F(index_rows, are_encrypted_for_their_own_keys_as_entities_are) {
    accounts.insert({.owner = "don", .iban = "DE1", .bank = "b1"});
    auto const row = raw.find("accounts", "bank_b1 !_acc_don")->value;
    auto const base = raw.find("accounts", "acc_don")->value;
    EXPECT_TRUE(detail::is_sealed(*row.find("iban")));
    EXPECT_NE(*row.find("iban"), *base.find("iban"));
    EXPECT_EQ(*row.find("iban_index"), *base.find("iban_index"));
}

TEST_F(index_rows, of_a_type_without_indexed_changes_are_sealed_anew_with_their_entity) {
    accounts.insert({.owner = "don", .iban = "DE1", .bank = "b1"});
    ring->use("b");
    accounts.modify({"don"}, [](account& a) { a.iban = "DE2"; });
    EXPECT_EQ(key_id("acc_don"), "b");
    EXPECT_EQ(key_id("bank_b1 !_acc_don"), "b");
}

TEST_F(index_rows, without_encrypted_members_stay_when_those_of_their_entity_change) {
    table<safe> const safes{store, "Rows"};
    safes.insert({.owner = "don", .code = "1", .room = "r"});
    auto const before = raw.find("safes", "room_r !_safe_don")->etag;
    safes.modify({"don"}, [](safe& s) { s.code = "2"; });
    EXPECT_EQ(raw.find("safes", "room_r !_safe_don")->etag, before);
}

TEST_F(index_rows, are_reencrypted_so_that_the_old_key_may_be_forgotten) {
    accounts.insert({.owner = "don", .iban = "DE1", .bank = "b1"});
    ring->use("b");
    auto const report = accounts.reencrypt();
    EXPECT_EQ(report.rewritten, 2u);
    EXPECT_THAT(report.refused, IsEmpty());
    EXPECT_EQ(key_id("acc_don"), "b");
    EXPECT_EQ(key_id("bank_b1 !_acc_don"), "b");
    EXPECT_EQ(*raw.find("accounts", "acc_don")->value.find("iban_index"),
              *raw.find("accounts", "bank_b1 !_acc_don")->value.find("iban_index"));
    ring->erase("a");
    accounts.modify({"don"}, [](account& a) { a.bank = "b2"; });
    EXPECT_EQ(accounts.reencrypt().rewritten, 0u);
}

TEST_F(index_rows, whose_values_are_in_the_open_are_encrypted_by_reencrypt_where_it_is_told_to) {
    accounts.insert({.owner = "don", .iban = "DE1", .bank = "b1"});
    for (char const* row : {"acc_don", "bank_b1 !_acc_don"})
        raw.modify({"accounts", row}, [](dynamic_entity& e) {
            e.set("iban", "DE1");
            e.erase("iban_index");
        });
    EXPECT_THAT(accounts.reencrypt().refused, SizeIs(2));
    reencryption_options adopting;
    adopting.values_in_the_open = true;
    EXPECT_EQ(accounts.reencrypt(adopting).rewritten, 2u);
    EXPECT_EQ(key_id("bank_b1 !_acc_don"), "a");
}

// ---- versions -------------------------------------------------------------------------------------------------------

class old_index_rows : public index_rows {
protected:
    old_index_rows() { put(); }

    void put() {
        for (char const* row : {"id_001", "email_don@x"}) {
            dynamic_entity e{"C", row};
            bool const base = row[0] == 'i';
            e.set("Type", base ? "member" : "member_index");
            if (!base) e.set("id", 1);
            e.set("email", "Don@x");
            e.set("name", "Hall");
            raw.upsert_replace(e);
        }
    }
};

TEST_F(old_index_rows, become_current_when_their_entity_is_replaced) {
    auto e = *members.find("C", 1);
    EXPECT_TRUE(e.outdated);
    members.replace(e);
    EXPECT_EQ(text("C", "id_001", "Type"), "member_v2");
    EXPECT_EQ(text("C", "email_don@x", "Type"), "member_index_v2");
    EXPECT_EQ(text("C", "email_don@x", "email"), "don@x");
}

TEST_F(old_index_rows, become_current_when_their_entity_is_modified) {
    members.modify({"C", 1}, [](member_of_club& m) { m.email = "new@x"; });
    EXPECT_THAT(rows(), ElementsAre("email_new@x", "id_001"));
    EXPECT_EQ(text("C", "email_new@x", "Type"), "member_index_v2");
}

TEST_F(old_index_rows, are_migrated_in_one_group_with_their_entity) {
    auto const report = members.migrate();
    EXPECT_EQ(report.rewritten, 1u);
    EXPECT_THAT(report.refused, IsEmpty());
    EXPECT_EQ(text("C", "id_001", "Type"), "member_v2");
    EXPECT_EQ(text("C", "email_don@x", "Type"), "member_index_v2");
    EXPECT_EQ(members.migrate().rewritten, 0u);
}

TEST_F(old_index_rows, that_are_missing_are_made_by_migrate) {
    raw.erase_any({"C", "email_don@x"});
    EXPECT_EQ(members.migrate().rewritten, 1u);
    EXPECT_EQ(text("C", "email_don@x", "Type"), "member_index_v2");
}

TEST_F(old_index_rows, that_are_of_another_entity_are_left_alone_by_migrate) {
    raw.erase_any({"C", "email_don@x"});
    members.insert({.club = "C", .id = 2, .email = "don@x", .name = "Cao"});
    auto const version = raw.find("C", "email_don@x")->etag;
    auto const report = members.migrate();
    ASSERT_THAT(report.refused, SizeIs(1));
    EXPECT_EQ(report.refused.front().row_key, "id_001");
    EXPECT_EQ(report.refused.front().error.code(), library_errc::unique_value_taken);
    EXPECT_EQ(report.rewritten, 0u);
    EXPECT_EQ(text("C", "id_001", "Type"), "member");
    EXPECT_EQ(raw.find("C", "email_don@x")->etag, version);
}

TEST_F(old_index_rows, that_cannot_be_read_end_migrate) {
    inner->fail_next(tablemap::testing::fault::busy, 1);
    auto const r = members.try_migrate({}, {.retry = retry_policy::none()});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), service_errc::server_busy);
    EXPECT_EQ(text("C", "id_001", "Type"), "member");
}

TEST_F(old_index_rows, are_migrated_though_answers_are_lost) {
    for (auto const f : {tablemap::testing::fault::lost_before, tablemap::testing::fault::lost_after}) {
        put();
        inner->fail_next(f, 2);  // behind the page and the row of the unique index
        EXPECT_THAT(members.migrate({}, {.clock = &clock}).refused, IsEmpty());
        EXPECT_EQ(text("C", "id_001", "Type"), "member_v2");
        EXPECT_EQ(text("C", "email_don@x", "Type"), "member_index_v2");
    }
}

}  // namespace
}  // namespace tablemap
