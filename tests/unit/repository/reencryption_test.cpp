// SPDX-License-Identifier: Apache-2.0
#include "support/answers.hpp"
#include "support/encrypted_samples.hpp"

#include "tablemap/crypto/sealed_value.hpp"
#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <utility>
#include <variant>

namespace tablemap {
namespace {

/// Version 1 held the number in the open, and the pin under another name.
struct card {
    std::string owner{};
    encrypted<std::string> number{};
    encrypted<std::int32_t> pin{};

    friend bool operator==(card const&, card const&) = default;
};

struct member_of_staff {
    std::string name{};
    encrypted<std::int64_t> salary{};

    friend bool operator==(member_of_staff const&, member_of_staff const&) = default;
};

void encrypt_number(dynamic_entity& row) {
    row.encrypt("number");
    row.set("pin", *row.try_get<std::int32_t>("code"));
    row.encrypt("pin");
    row.erase("code");
}

}  // namespace

template <> struct mapping<card> {
    static constexpr auto discriminator = tablemap::discriminator("Type", "card");
    static constexpr auto versions = tablemap::versions<2>(upgrade_from<1>(&encrypt_number));
    static constexpr auto partition_key = key("cards");
    static constexpr auto row_key = key("card_", part<&card::owner>);
    static constexpr auto members = tablemap::members(member<&card::number>.blind_index());
};

template <> struct mapping<member_of_staff> {
    static constexpr auto discriminator = tablemap::discriminator("Type", "staff");
    static constexpr auto partition_key = key("cards");
    static constexpr auto row_key = key("staff_", part<&member_of_staff::name>);
};

namespace {

using test::failed_with;
using test::patient;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using anyone = std::variant<card, member_of_staff>;

/// Keys that call a function when they are asked for the first time: after a page was read.
struct disturbing_keys final : key_provider {
    result<encryption_key> current() const override {
        if (disturb) std::exchange(disturb, nullptr)();
        return ring->current();
    }
    result<encryption_key> find(std::string_view id) const override { return ring->find(id); }

    std::shared_ptr<key_ring> ring{};
    mutable std::function<void()> disturb{};
};

class reencryption : public ::testing::Test {
protected:
    void SetUp() override {
        raw.create();
        table<dynamic_entity>{plain, "cards"}.create();
    }

    void insert(int count) {
        for (int id = 0; id < count; ++id)
            patients.insert({.ward = "W" + std::to_string(id % 3),
                             .id = id,
                             .name = "N",
                             .diagnosis = "flu",
                             .insurance = "I" + std::to_string(id),
                             .age = id});
    }

    std::size_t under(std::string_view id) {
        std::size_t count = 0;
        for (auto const& e : raw.scan())
            for (auto const& p : e.value.properties())
                if (detail::is_sealed(p.value)) count += detail::key_id_of(std::get<bytes>(p.value)) == id;
        return count;
    }

    std::shared_ptr<tablemap::testing::faulty_store> const plain =
        std::make_shared<tablemap::testing::faulty_store>(value_or_throw(open_embedded({.path = ":memory:"})));
    std::shared_ptr<key_ring> const ring = test::ring_of("ab");
    store_ptr const store = with_keys(plain, ring);
    table<dynamic_entity> const raw{plain, "patients"};
    table<patient> const patients{store, "patients"};
};

TEST_F(reencryption, brings_all_values_under_the_current_key) {
    insert(20);
    ring->use("b");
    auto const report = patients.reencrypt();
    EXPECT_EQ(report.rewritten, 20u);
    EXPECT_EQ(under("a"), 0u);
    EXPECT_EQ(under("b"), 60u);
    ring->erase("a");
    EXPECT_EQ(*patients.find("W2", 5)->value.age, 5);
    EXPECT_EQ(patients.scan(blind<&patient::insurance> == "I7").count(), 1u);
}

TEST_F(reencryption, leaves_rows_alone_that_are_current) {
    insert(3);
    auto const before = patients.find("W0", 0)->etag;
    auto const report = patients.reencrypt();
    EXPECT_EQ(report.rewritten, 0u);
    EXPECT_EQ(patients.find("W0", 0)->etag, before);
}

TEST_F(reencryption, goes_on_after_an_interruption) {
    insert(20);
    ring->use("b");
    plain->fail_next(tablemap::testing::fault::busy, 12);
    auto const first = patients.try_reencrypt({}, {.retry = retry_policy::none()});
    ASSERT_FALSE(first);
    EXPECT_EQ(first.error().outcome(), outcome::in_doubt);
    auto const second = patients.reencrypt();
    EXPECT_GT(second.rewritten, 0u);
    EXPECT_LT(second.rewritten, 20u);
    EXPECT_EQ(under("b"), 60u);
}

TEST_F(reencryption, keeps_what_someone_else_writes_meanwhile) {
    insert(1);
    ring->use("b");
    auto const busy = std::make_shared<disturbing_keys>();
    busy->ring = ring;
    busy->disturb = [&] { raw.modify({"W0", "0000"}, [](dynamic_entity& e) { e.set("name", "New"); }); };
    EXPECT_EQ((table<patient>{with_keys(plain, busy), "patients"}.reencrypt().rewritten), 1u);
    EXPECT_EQ(patients.find("W0", 0)->value.name, "New");
    EXPECT_EQ(under("a"), 0u);
}

TEST_F(reencryption, reports_rows_that_it_cannot_read_and_goes_on) {
    insert(4);
    auto e = *raw.find("W1", "0001");
    auto damaged = *e.value.try_get<bytes>("age");
    damaged.back() ^= std::byte{1};
    e.value.set("age", damaged);
    raw.replace(e);
    ring->use("b");
    auto const report = patients.reencrypt();
    EXPECT_EQ(report.rewritten, 3u);
    ASSERT_THAT(report.refused, SizeIs(1));
    EXPECT_EQ(report.refused.front().row_key, "0001");
    EXPECT_EQ(report.refused.front().error.code(), library_errc::altered_ciphertext);
}

TEST_F(reencryption, works_without_the_types_of_rows) {
    insert(4);
    ring->use("b");
    EXPECT_EQ((table<dynamic_entity>{store, "patients"}.reencrypt().rewritten), 4u);
    EXPECT_EQ(under("a"), 0u);
}

TEST_F(reencryption, needs_keys) { EXPECT_TRUE(failed_with(raw.try_reencrypt(), library_errc::no_encryption_key)); }

TEST_F(reencryption, encrypts_values_in_the_open_if_it_is_told_to) {
    dynamic_entity e{"W0", "0001"};
    e.set("diagnosis", "flu");
    e.set("insurance", "I1");
    e.set("age", std::int32_t{5});
    raw.insert(e);
    EXPECT_EQ(patients.reencrypt().rewritten, 0u);
    reencryption_options adopting;
    adopting.values_in_the_open = true;
    EXPECT_EQ(patients.reencrypt(adopting).rewritten, 1u);
    EXPECT_EQ(*patients.find("W0", 1)->value.age, 5);
    EXPECT_EQ(patients.scan(blind<&patient::insurance> == "I1").count(), 1u);
}

// ---- versions and kinds ---------------------------------------------------------------------------------------------

class versions_with_encryption : public reencryption {
protected:
    void SetUp() override {
        reencryption::SetUp();
        dynamic_entity old{"cards", "card_ann"};
        old.set("Type", "card");
        old.set("number", "4711");
        old.set("code", std::int32_t{99});
        old.set("note", "kept");
        old_rows.insert(old);
    }

    table<dynamic_entity> const old_rows{plain, "cards"};
    table<card> const cards{store, "cards"};
    card const ann{.owner = "ann", .number = "4711", .pin = 99};
};

TEST_F(versions_with_encryption, upgrade_values_from_the_open) {
    auto const e = cards.find("ann");
    EXPECT_EQ(e->value, ann);
    EXPECT_TRUE(e->outdated);
}

TEST_F(versions_with_encryption, modify_old_rows) {
    cards.modify({"ann"}, [](card& c) { c.pin = 1; });
    auto const e = cards.find("ann");
    EXPECT_FALSE(e->outdated);
    EXPECT_EQ(*e->value.pin, 1);
    EXPECT_EQ(*e->value.number, "4711");
    EXPECT_EQ(*old_rows.find("cards", "card_ann")->value.try_get<std::string>("note"), "kept");
    EXPECT_EQ(cards.scan(blind<&card::number> == "4711").count(), 1u);
}

TEST_F(versions_with_encryption, migrate_old_rows) {
    EXPECT_EQ(cards.migrate().rewritten, 1u);
    auto const row = old_rows.find("cards", "card_ann")->value;
    EXPECT_TRUE(detail::is_sealed(*row.find("number")));
    EXPECT_EQ(*row.try_get<std::string>("note"), "kept");
    EXPECT_EQ(cards.find("ann")->value, ann);
    EXPECT_EQ(cards.scan(blind<&card::number> == "4711").count(), 1u);
}

TEST_F(versions_with_encryption, read_and_write_several_kinds) {
    table<anyone> const all{store, "cards"};
    member_of_staff const bob{.name = "bob", .salary = std::int64_t{5000}};
    all.insert(bob);
    all.insert(card{.owner = "eve", .number = "1", .pin = 2});
    EXPECT_EQ(std::get<member_of_staff>(all.find(key_of<member_of_staff>{"bob"})->value), bob);
    ring->use("b");
    EXPECT_THAT(all.reencrypt().refused, IsEmpty());
    ring->erase("a");
    EXPECT_EQ(all.scan().count(), 3u);
    EXPECT_EQ(*std::get<card>(all.find(key_of<card>{"eve"})->value).pin, 2);
}

}  // namespace
}  // namespace tablemap
