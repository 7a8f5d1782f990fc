// SPDX-License-Identifier: Apache-2.0
#include "support/answers.hpp"
#include "support/encrypted_samples.hpp"

#include "crypto/sealed_value.hpp"
#include "tablemap/embedded/store.hpp"
#include "tablemap/table/bulk_writer.hpp"
#include "tablemap/table/cached_table.hpp"
#include "tablemap/table/join.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace tablemap;
using test::failed_with;
using test::patient;
using test::vault;
using ::testing::HasSubstr;
using ::testing::Not;

class encryption : public ::testing::Test {
protected:
    encryption() {
        raw.create();
        vaults.create();
    }

    static patient ann() {
        return {.ward = "W1", .id = 7, .name = "Ann", .diagnosis = "measles", .insurance = "AT-1", .age = 61};
    }

    bytes stored(std::string const& name, std::string const& row = "0007") {
        auto const e = raw.find("W1", row);
        auto const* b = e->value.try_get<bytes>(name);
        return b ? *b : bytes{};
    }

    void store_in(std::string const& name, property_value v, std::string const& row = "0007") {
        raw.modify({"W1", row}, [&](dynamic_entity& e) { e.set_value(name, v); });
    }

    store_ptr const plain = value_or_throw(open_embedded({.path = ":memory:"}));
    std::shared_ptr<key_ring> const ring = test::ring_of("ab");
    store_ptr const store = with_keys(plain, ring);
    table<dynamic_entity> const raw{plain, "patients"};
    table<patient> const patients{store, "patients"};
    table<vault> const vaults{store, "vaults"};
};

vault full() {
    return {.name = "v",
            .text = "\u00fcn\"\\\n\x01",
            .flag = true,
            .small = -5,
            .large = std::int64_t{1} << 60,
            .real = -0.125,
            .when = ticks{std::chrono::sys_days{std::chrono::year{2026} / 11 / 21}},
            .id = guid::from_random(1, 2),
            .data = bytes{std::byte{0}, std::byte{255}},
            .narrow = std::uint16_t{65535},
            .rank = test::grade::senior,
            .day = std::chrono::sys_days{std::chrono::year{1999} / 2 / 3},
            .maybe = std::int64_t{-1},
            .codes = {1, 2},
            .notes = {{"x", "eks"}, {"y", ""}},
            .home = {.street = "Ring 1", .city = "Graz"}};
}

TEST_F(encryption, reads_back_every_type_in_every_form) {
    vaults.insert(full());
    EXPECT_EQ(vaults.find("v")->value, full());
}

TEST_F(encryption, reads_back_absence_and_defaults) {
    vaults.insert({.name = "empty"});
    EXPECT_EQ(vaults.find("empty")->value, vault{.name = "empty"});
}

TEST_F(encryption, leaves_nothing_in_the_open) {
    vaults.insert(full());
    auto const row = table<dynamic_entity>{plain, "vaults"}.find("vaults", "v");
    for (auto const& p : row->value.properties())
        EXPECT_EQ(detail::is_sealed(p.value), p.name != "home_city") << p.name;
    EXPECT_EQ(row->value.properties().size(), 18u);
}

TEST_F(encryption, encrypts_equal_values_differently) {
    patients.insert(ann());
    auto const before = stored("diagnosis");
    patients.replace_any(ann());
    EXPECT_NE(stored("diagnosis"), before);
}

TEST_F(encryption, merges_one_member_and_leaves_the_ciphertexts_of_the_others) {
    auto e = patients.insert(ann());
    auto const diagnosis = stored("diagnosis");
    e.value.age = 62;
    patients.merge(e, only<&patient::age>);
    EXPECT_EQ(stored("diagnosis"), diagnosis);
    EXPECT_EQ(*patients.find("W1", 7)->value.age, 62);
}

TEST_F(encryption, finds_no_change_where_there_is_none) {
    auto e = patients.insert(ann());
    EXPECT_FALSE(patients.merge(e, changed_since(e.value)));
    auto const kept = patients.modify({"W1", 7}, [](patient&) {});
    EXPECT_EQ(kept.etag, e.etag);
}

TEST_F(encryption, modifies_what_changed_and_nothing_else) {
    patients.insert(ann());
    auto const age = stored("age");
    patients.modify({"W1", 7}, [](patient& p) { p.diagnosis = "mumps"; });
    EXPECT_EQ(stored("age"), age);
    EXPECT_EQ(*patients.find("W1", 7)->value.diagnosis, "mumps");
}

TEST_F(encryption, keeps_the_ciphertexts_of_others_where_a_modify_replaces) {
    patients.insert(ann());
    store_in("foreign", stored("age"));
    auto const age = stored("age");
    patients.modify({"W1", 7}, [](patient& p) { p.insurance.reset(); });
    EXPECT_EQ(stored("foreign"), age);
    EXPECT_EQ(stored("age"), age);
    EXPECT_FALSE(patients.find("W1", 7)->value.insurance);
    EXPECT_TRUE(stored("insurance_index").empty());
}

// ---- attacks on the store, and accidents ----------------------------------------------------------------------------

TEST_F(encryption, refuses_a_value_of_another_row_property_or_table) {
    patients.insert(ann());
    auto bob = ann();
    bob.id = 8;
    patients.insert(bob);
    store_in("diagnosis", stored("diagnosis", "0008"));
    EXPECT_TRUE(failed_with(patients.try_find({"W1", 7}), library_errc::misplaced_ciphertext));
    store_in("diagnosis", stored("insurance"));
    EXPECT_TRUE(failed_with(patients.try_find({"W1", 7}), library_errc::misplaced_ciphertext));
    table<patient> const others{store, "others"};
    others.create();
    others.insert(ann());
    auto const elsewhere = table<dynamic_entity>{plain, "others"}.find("W1", "0007");
    store_in("diagnosis", *elsewhere->value.find("diagnosis"));
    EXPECT_TRUE(failed_with(patients.try_find({"W1", 7}), library_errc::misplaced_ciphertext));
}

TEST_F(encryption, refuses_a_value_that_was_altered_and_names_the_member) {
    patients.insert(ann());
    auto changed = stored("age");
    changed.back() ^= std::byte{1};
    store_in("age", changed);
    auto const read = patients.try_find({"W1", 7});
    ASSERT_TRUE(failed_with(read, library_errc::altered_ciphertext));
    EXPECT_EQ(read.error().member(), "age");
    EXPECT_EQ(read.error().table(), "patients");
}

TEST_F(encryption, refuses_a_value_in_the_open) {
    patients.insert(ann());
    store_in("diagnosis", std::string{"none"});
    auto const read = patients.try_find({"W1", 7});
    ASSERT_TRUE(failed_with(read, library_errc::unencrypted_value));
    EXPECT_EQ(read.error().member(), "diagnosis");
    EXPECT_THAT(read.error().what(), Not(HasSubstr("none")));
}

TEST_F(encryption, tells_a_value_cut_short_from_one_in_the_open) {
    patients.insert(ann());
    auto const age = stored("age");
    for (std::size_t const size : {5u, 6u, 20u}) {
        store_in("age", bytes{age.begin(), age.begin() + static_cast<std::ptrdiff_t>(size)});
        EXPECT_TRUE(failed_with(patients.try_find({"W1", 7}), library_errc::malformed_ciphertext)) << size;
    }
}

TEST_F(encryption, refuses_binary_in_the_open) {
    patients.insert(ann());
    store_in("diagnosis", bytes(40));
    EXPECT_TRUE(failed_with(patients.try_find({"W1", 7}), library_errc::unencrypted_value));
}

TEST_F(encryption, reports_a_bad_row_and_reads_the_others) {
    for (int id = 1; id < 4; ++id) {
        auto p = ann();
        p.id = id;
        patients.insert(p);
    }
    store_in("age", bytes(40), "0002");
    std::vector<std::string> bad;
    std::size_t good = 0;
    auto const skip = skip_bad_rows([&](bad_row const& r) { bad.push_back(r.row_key); });
    for (auto& e : patients.query(partition("W1")).on_error(skip)) good += e.value == ann() || e.value.name == "Ann";
    EXPECT_EQ(bad, std::vector<std::string>{"0002"});
    EXPECT_EQ(good, 2u);
}

// ---- keys -----------------------------------------------------------------------------------------------------------

TEST_F(encryption, needs_keys) {
    EXPECT_THROW((table<patient>{plain, "patients"}), error);
    try {
        table<patient> const t{plain, "patients"};
    } catch (error const& e) {
        EXPECT_EQ(e.code(), library_errc::no_encryption_key);
        EXPECT_THAT(e.what(), HasSubstr(".keys = ring"));
    }
    auto t = table<dynamic_entity>{plain, "patients"}.transaction();
    t.insert(ann());
    EXPECT_TRUE(failed_with(t.try_commit(), library_errc::no_encryption_key));
}

TEST_F(encryption, says_which_member_has_an_unknown_key) {
    patients.insert(ann());
    table<patient> const stranger{with_keys(plain, test::ring_of("z")), "patients"};
    auto const read = stranger.try_find({"W1", 7});
    ASSERT_TRUE(failed_with(read, library_errc::unknown_encryption_key));
    EXPECT_EQ(read.error().faults().size(), 3u);
}

TEST_F(encryption, lets_two_writers_with_different_current_keys_read_each_other) {
    table<patient> const other{with_keys(plain, test::ring_of("ba")), "patients"};
    patients.insert(ann());
    auto bob = ann();
    bob.id = 8;
    other.insert(bob);
    EXPECT_EQ(other.find("W1", 7)->value, ann());
    EXPECT_EQ(patients.find("W1", 8)->value, bob);
}

TEST_F(encryption, says_how_long_a_value_may_be) {
    vault v{.name = "v", .data = bytes(limits::binary_bytes - 53)};
    EXPECT_TRUE(vaults.try_insert(v));
    v.data->push_back({});
    v.name = "w";
    auto const r = vaults.try_insert(v);
    ASSERT_TRUE(failed_with(r, library_errc::value_too_large));
    EXPECT_EQ(r.error().member(), "data");
    EXPECT_THAT(r.error().what(), HasSubstr("65483"));
}

// ---- every way of reading and writing
// ---------------------------------------------------------------------------------

TEST_F(encryption, works_in_group_transactions) {
    auto t = patients.transaction();
    t.insert(ann());
    t.commit();
    EXPECT_EQ(patients.find("W1", 7)->value, ann());
}

TEST_F(encryption, works_in_bulk) {
    std::vector<patient> many(250, ann());
    for (std::size_t i = 0; i < many.size(); ++i) many[i].id = static_cast<std::int32_t>(i);
    EXPECT_TRUE(patients.insert_many(many).complete());
    std::size_t i = 0;
    for (auto const& e : patients.query(partition("W1"))) EXPECT_EQ(e.value, many[i++]);
}

TEST_F(encryption, works_for_chosen_members) {
    patients.insert(ann());
    auto range = patients.query(partition("W1")).select<&patient::id, &patient::diagnosis>();
    auto const row = *range.begin();
    EXPECT_EQ(*std::get<1>(row), "measles");
    EXPECT_EQ(std::get<0>(row), 7);
}

TEST_F(encryption, works_for_many_keys) {
    patients.insert(ann());
    auto const found = patients.find_many({{"W1", 6}, {"W1", 7}});
    EXPECT_FALSE(found[0]);
    EXPECT_EQ(found[1]->value, ann());
}

TEST_F(encryption, inserts_what_modify_or_insert_makes) {
    auto const made = patients.modify_or_insert(ann(), [](patient& p) { p.age = 62; });
    EXPECT_EQ(*made.value.age, 62);
    EXPECT_EQ(*patients.find("W1", 7)->value.age, 62);
}

TEST_F(encryption, works_in_joins_and_caches) {
    patients.insert(ann());
    vaults.insert({.name = "Ann", .text = "t"});
    auto const key = [](entity<patient> const& p) { return key_of<vault>{p.value.name}; };
    for (auto const& pair : join(patients.query(partition("W1")), vaults, key)) {
        EXPECT_EQ(pair.left.value, ann());
        EXPECT_EQ(*pair.right->value.text, "t");
    }
    cached_table<vault> cache{vaults, std::chrono::seconds{1}};
    EXPECT_EQ(*cache.find("Ann")->value.text, "t");
}

// ---- blind indexes --------------------------------------------------------------------------------------------------

TEST_F(encryption, looks_up_by_a_blind_index) {
    for (int id = 1; id < 6; ++id) {
        auto p = ann();
        p.id = id;
        p.insurance = "AT-" + std::to_string(id % 2);
        patients.insert(p);
    }
    std::vector<int> found;
    for (auto const& e : patients.query(partition("W1")).where(blind<&patient::insurance> == "AT-0"))
        found.push_back(e.value.id);
    EXPECT_EQ(found, (std::vector{2, 4}));
}

TEST_F(encryption, looks_up_under_every_key_of_the_ring) {
    patients.insert(ann());
    ring->use("b");
    auto bob = ann();
    bob.id = 8;
    patients.insert(bob);
    EXPECT_EQ(patients.scan(blind<&patient::insurance> == "AT-1").count(), 2u);
    EXPECT_EQ(patients.scan(!(blind<&patient::insurance> == "AT-1")).count(), 0u);
}

TEST_F(encryption, looks_up_under_the_current_key_though_it_is_not_listed_yet) {
    struct late final : key_provider {
        explicit late(std::shared_ptr<key_ring> r) : ring(std::move(r)) {}
        result<encryption_key> current() const override { return ring->current(); }
        result<encryption_key> find(std::string_view id) const override { return ring->find(id); }
        result<std::vector<encryption_key>> all() const override { return std::vector{*ring->find("b")}; }
        std::shared_ptr<key_ring> ring;
    };
    patients.insert(ann());
    table<patient> const others{with_keys(plain, std::make_shared<late>(ring)), "patients"};
    EXPECT_EQ(others.scan(blind<&patient::insurance> == "AT-1").count(), 1u);
}

TEST_F(encryption, refuses_a_row_that_is_found_by_an_index_of_another_value) {
    patients.insert(ann());
    auto bob = ann();
    bob.id = 8;
    bob.insurance = "AT-2";
    patients.insert(bob);
    store_in("insurance_index", stored("insurance_index"), "0008");
    std::vector<error> bad;
    std::vector<int> found;
    auto range = patients.query(partition("W1")).where(blind<&patient::insurance> == "AT-1");
    for (auto const& e : std::move(range).on_error(skip_bad_rows([&](bad_row const& r) { bad.push_back(r.error); })))
        found.push_back(e.value.id);
    EXPECT_EQ(found, std::vector{7});
    ASSERT_EQ(bad.size(), 1u);
    EXPECT_EQ(bad.front().code(), library_errc::altered_ciphertext);
    EXPECT_EQ(bad.front().member(), "insurance");
    EXPECT_EQ(patients.find("W1", 8)->value, bob) << "what was not looked up by it is as good as before";
}

// ---- chosen at run time ---------------------------------------------------------------------------------------------

TEST_F(encryption, encrypts_what_a_resolver_chooses_and_reads_it_without) {
    table_options const o{.encrypt = [](auto, auto, std::string_view name) { return name == "name"; }};
    table<patient>{store, "patients", o}.insert(ann());
    EXPECT_FALSE(stored("name").empty());
    EXPECT_EQ(patients.find("W1", 7)->value, ann());
}

TEST_F(encryption, gives_dynamic_entities_their_values_and_encrypts_them_again) {
    patients.insert(ann());
    table<dynamic_entity> const rows{store, "patients"};
    auto e = *rows.find("W1", "0007");
    EXPECT_EQ(*e.value.try_get<std::string>("diagnosis"), "measles");
    e.value.set("age", std::int32_t{70});
    rows.replace(e);
    EXPECT_EQ(*patients.find("W1", 7)->value.age, 70);
}

TEST_F(encryption, writes_a_binary_that_looks_encrypted_so_that_it_reads_back) {
    table<dynamic_entity> const rows{store, "patients"};
    dynamic_entity e{"W1", "look"};
    auto const text = std::as_bytes(std::span{detail::sealed_prefix});
    e.set("data", bytes{text.begin(), text.end()});
    rows.insert(e);
    EXPECT_EQ(*rows.find("W1", "look")->value.find("data"), *e.find("data"));
}

TEST_F(encryption, converts_between_typed_and_dynamic_entities) {
    auto const row = to_dynamic(full()).value();
    EXPECT_EQ(*row.try_get<std::string>("home_street"), "Ring 1");
    EXPECT_EQ(from_dynamic<vault>(row).value(), full());
    auto open = row;
    open.decrypt("home_street");
    EXPECT_TRUE(failed_with(from_dynamic<vault>(open), library_errc::unencrypted_value));
}

}  // namespace
