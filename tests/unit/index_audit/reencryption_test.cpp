// SPDX-License-Identifier: Apache-2.0
#include "support/answers.hpp"
#include "support/encrypted_samples.hpp"

#include "crypto/sealed_value.hpp"
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

/// The same with an upgrade that takes what is there.
struct lenient_card {
    std::string owner{};
    std::int32_t pin{};
};

void rename_code(dynamic_entity& row) {
    auto const* const code = row.try_get<std::int32_t>("code");
    row.set("pin", code ? *code : 0);
    row.erase("code");
}

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

template <> struct mapping<lenient_card> {
    static constexpr auto discriminator = tablemap::discriminator("Type", "card");
    static constexpr auto versions = tablemap::versions<2>(upgrade_from<1>(&rename_code));
    static constexpr auto partition_key = key("cards");
    static constexpr auto row_key = key("card_", part<&lenient_card::owner>);
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

/// Keys whose vault gives out the current one alone.
struct broken_keys final : key_provider {
    explicit broken_keys(std::shared_ptr<key_ring> r) : ring(std::move(r)) {}
    result<encryption_key> current() const override { return ring->current(); }
    result<encryption_key> find(std::string_view) const override { return fail(transport_errc::cannot_connect); }

    std::shared_ptr<key_ring> ring;
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

    static reencryption_options adopting() {
        reencryption_options o;
        o.values_in_the_open = true;
        return o;
    }

    void damage(std::string const& partition, std::string const& row, std::string const& property) {
        raw.modify({partition, row}, [&](dynamic_entity& e) {
            auto damaged = *e.try_get<bytes>(property);
            damaged.back() ^= std::byte{1};
            e.set(property, damaged);
        });
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

TEST_F(reencryption, leaves_a_value_that_it_cannot_decrypt_and_reports_its_row) {
    insert(4);
    damage("W1", "0001", "age");
    ring->use("b");
    auto const report = patients.reencrypt();
    EXPECT_EQ(report.rewritten, 4u);
    EXPECT_EQ(under("a"), 1u) << "the other values of the row are under the new key";
    ASSERT_THAT(report.refused, SizeIs(1));
    EXPECT_EQ(report.refused.front().row_key, "0001");
    EXPECT_EQ(report.refused.front().error.code(), library_errc::altered_ciphertext);
    EXPECT_THAT(patients.scan(blind<&patient::insurance> == "I1").count(), 1u);
}

TEST_F(reencryption, ends_where_the_keys_cannot_be_reached) {
    insert(4);
    ring->use("b");
    auto const down = std::make_shared<broken_keys>(ring);
    auto const r = table<patient>{with_keys(plain, down), "patients"}.try_reencrypt();
    EXPECT_TRUE(failed_with(r, transport_errc::cannot_connect));
    EXPECT_EQ(under("a"), 12u);
}

TEST_F(reencryption, refuses_a_row_that_the_service_refuses_and_goes_on) {
    dynamic_entity full{"W0", "0001"};
    full.set("insurance", "I1");
    for (int i = 1; i < 252; ++i) full.set("p" + std::to_string(i), true);
    raw.insert(full);
    insert(4);
    raw.modify({"W2", "0002"}, [](dynamic_entity& e) { e.erase("insurance_index"); });
    auto const report = patients.reencrypt(adopting());
    EXPECT_EQ(report.rewritten, 1u);
    ASSERT_THAT(report.refused, SizeIs(1));
    EXPECT_EQ(report.refused.front().row_key, "0001");
    EXPECT_EQ(report.refused.front().error.code(), service_errc::too_many_properties);
}

TEST_F(reencryption, removes_the_blind_index_of_a_value_that_is_gone) {
    insert(1);
    raw.modify({"W0", "0000"}, [](dynamic_entity& e) { e.erase("insurance"); });
    EXPECT_EQ(patients.reencrypt().rewritten, 1u);
    EXPECT_EQ(raw.find("W0", "0000")->value.find("insurance_index"), nullptr);
    EXPECT_EQ(*patients.find("W0", 0)->value.diagnosis, "flu");
}

TEST_F(reencryption, renews_blind_indexes_without_the_types_of_rows) {
    insert(2);
    ring->use("b");
    table<dynamic_entity>{store, "patients"}.reencrypt();
    ring->erase("a");
    EXPECT_EQ(patients.scan(blind<&patient::insurance> == "I1").count(), 1u);
}

TEST_F(reencryption, works_without_the_types_of_rows) {
    insert(4);
    ring->use("b");
    EXPECT_EQ((table<dynamic_entity>{store, "patients"}.reencrypt().rewritten), 4u);
    EXPECT_EQ(under("a"), 0u);
}

TEST_F(reencryption, needs_keys) { EXPECT_TRUE(failed_with(raw.try_reencrypt(), library_errc::no_encryption_key)); }

TEST_F(reencryption, reports_members_that_are_stored_in_the_open) {
    insert(1);
    raw.modify({"W0", "0000"}, [](dynamic_entity& e) { e.set("diagnosis", "measles"); });
    auto const report = patients.reencrypt();
    ASSERT_EQ(report.refused.size(), 1U);
    EXPECT_EQ(report.refused.front().error.code(), library_errc::unencrypted_value);
    EXPECT_EQ(report.refused.front().error.member(), "diagnosis");
}

TEST_F(reencryption, encrypts_values_in_the_open_if_it_is_told_to) {
    dynamic_entity e{"W0", "0001"};
    e.set("diagnosis", "flu");
    e.set("insurance", "I1");
    e.set("age", std::int32_t{5});
    raw.insert(e);
    EXPECT_EQ(patients.reencrypt().rewritten, 0u);
    EXPECT_EQ(patients.reencrypt(adopting()).rewritten, 1u);
    EXPECT_EQ(*patients.find("W0", 1)->value.age, 5);
    EXPECT_EQ(patients.scan(blind<&patient::insurance> == "I1").count(), 1u);
}

TEST_F(reencryption, encrypts_no_value_that_its_member_could_not_read) {
    dynamic_entity e{"W0", "0001"};
    e.set("diagnosis", "flu");
    e.set("age", "five");
    raw.insert(e);
    auto const report = patients.reencrypt(adopting());
    EXPECT_EQ(report.rewritten, 1u);
    ASSERT_THAT(report.refused, SizeIs(1));
    EXPECT_EQ(report.refused.front().error.code(), library_errc::type_mismatch);
    EXPECT_EQ(*raw.find("W0", "0001")->value.try_get<std::string>("age"), "five");
}

TEST_F(reencryption, encrypts_no_value_of_a_later_format) {
    insert(1);
    raw.modify({"W0", "0000"}, [](dynamic_entity& e) {
        auto later = *e.try_get<bytes>("age");
        later[5] = std::byte{2};
        e.set("age", later);
    });
    EXPECT_TRUE(failed_with(patients.try_find({"W0", 0}), library_errc::malformed_ciphertext));
    auto const before = raw.find("W0", "0000")->etag;
    auto const report = patients.reencrypt(adopting());
    ASSERT_THAT(report.refused, SizeIs(1));
    EXPECT_EQ(report.refused.front().error.code(), library_errc::malformed_ciphertext);
    EXPECT_EQ(raw.find("W0", "0000")->etag, before);
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

    /// Encrypts what the upgrade takes, with a key that may be unknown then.
    void encrypt_code(std::string_view id) {
        auto e = *old_rows.find("cards", "card_ann");
        e.value.encrypt("code");
        auto const other = std::make_shared<key_ring>();
        other->add_current(id, test::key_bytes('a'));
        table<dynamic_entity>{with_keys(plain, other), "cards"}.replace(e);
    }

    static table_options pins() {
        return {.encrypt = [](auto, auto, std::string_view name) { return name == "pin" || name == "note"; }};
    }

    table<dynamic_entity> const old_rows{plain, "cards"};
    table<card> const cards{store, "cards"};
    card const ann{.owner = "ann", .number = "4711", .pin = 99};
};

TEST_F(versions_with_encryption, keep_blind_indexes_readable_where_everything_is_encrypted) {
    old_rows.modify({"cards", "card_ann"}, [](dynamic_entity& e) { e.set("number_index", bytes(16)); });
    table<card> const all{store, "cards", {.encrypt = [](auto, auto, auto) { return true; }}};
    EXPECT_EQ(all.migrate().rewritten, 1U);
    EXPECT_EQ(all.scan(blind<&card::number> == "4711").first()->value, ann);
}

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

TEST_F(versions_with_encryption, are_not_upgraded_where_a_value_cannot_be_decrypted) {
    encrypt_code("lost");
    EXPECT_TRUE(failed_with(cards.try_find({"ann"}), library_errc::unknown_encryption_key));
    EXPECT_TRUE(failed_with(cards.try_modify({"ann"}, [](card&) {}), library_errc::unknown_encryption_key));
    auto const report = cards.migrate();
    EXPECT_EQ(report.rewritten, 0u);
    ASSERT_THAT(report.refused, SizeIs(1));
    EXPECT_EQ(report.refused.front().error.code(), library_errc::unknown_encryption_key);
    EXPECT_NE(old_rows.find("cards", "card_ann")->value.find("code"), nullptr);
}

TEST_F(versions_with_encryption, are_not_rewritten_by_an_upgrade_that_takes_what_is_there) {
    encrypt_code("lost");
    auto const before = old_rows.find("cards", "card_ann")->etag;
    table<lenient_card> const others{store, "cards"};
    EXPECT_FALSE(others.try_modify({"ann"}, [](lenient_card& c) { c.pin = 2; }));
    EXPECT_EQ(others.migrate().rewritten, 0u);
    EXPECT_FALSE((table<lenient_card>{plain, "cards"}.try_migrate())) << "nor without keys";
    EXPECT_EQ(old_rows.find("cards", "card_ann")->etag, before);
}

TEST_F(versions_with_encryption, are_not_migrated_where_the_keys_cannot_be_reached) {
    encrypt_code("a");
    table<card> const others{with_keys(plain, std::make_shared<broken_keys>(ring)), "cards"};
    EXPECT_TRUE(failed_with(others.try_migrate(), transport_errc::cannot_connect));
}

TEST_F(versions_with_encryption, are_migrated_to_what_a_resolver_wants) {
    table<lenient_card> const others{store, "cards", pins()};
    EXPECT_EQ(others.migrate().rewritten, 1u);
    auto const row = old_rows.find("cards", "card_ann")->value;
    EXPECT_TRUE(detail::is_sealed(*row.find("pin")));
    EXPECT_TRUE(detail::is_sealed(*row.find("note")));
    EXPECT_EQ(*row.try_get<std::string>("Type"), "card_v2");
    EXPECT_EQ(others.find("ann")->value.pin, 99);
}

TEST_F(versions_with_encryption, are_modified_to_what_a_resolver_wants) {
    table<lenient_card>{store, "cards", pins()}.modify({"ann"}, [](lenient_card& c) { c.pin = 3; });
    auto const row = old_rows.find("cards", "card_ann")->value;
    EXPECT_TRUE(detail::is_sealed(*row.find("pin")));
    EXPECT_TRUE(detail::is_sealed(*row.find("note"))) << "which the type does not know";
}

TEST_F(versions_with_encryption, renew_the_blind_indexes_of_old_rows) {
    cards.insert({.owner = "eve", .number = "1", .pin = 2});
    old_rows.modify({"cards", "card_eve"}, [](dynamic_entity& e) { e.set("Type", "card"); });
    ring->use("b");
    EXPECT_EQ(cards.reencrypt().rewritten, 1u);
    auto const hashed = [&] { return *old_rows.find("cards", "card_eve")->value.try_get<bytes>("number_index"); };
    auto const under_b = hashed();
    old_rows.modify({"cards", "card_eve"}, [](dynamic_entity& e) { e.set("number_index", bytes(16)); });
    auto const report = cards.reencrypt();
    ASSERT_THAT(report.refused, SizeIs(1)) << "an index of which nothing is known";
    EXPECT_EQ(report.refused.front().error.code(), library_errc::outdated_entity);
    EXPECT_NE(hashed(), under_b);
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
