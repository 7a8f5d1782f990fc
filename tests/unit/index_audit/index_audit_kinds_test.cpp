// SPDX-License-Identifier: Apache-2.0
#include "support/encrypted_samples.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/store/with_keys.hpp"
#include "tablemap/tablemap.hpp"

#include <gtest/gtest.h>

#include <variant>

namespace tablemap {
namespace {

struct patron {
    std::string club{};
    std::int32_t id{};
    std::string email{};
};

struct ledger {
    std::string club{};
    std::string owner{};
    encrypted<std::string> iban{};
    std::string bank{};
};

}  // namespace

template <> struct mapping<patron> {
    static constexpr auto discriminator = tablemap::discriminator("Type", "patron");
    static constexpr auto partition_key = key(part<&patron::club>);
    static constexpr auto row_key = key("id_", part<&patron::id>.width(3));
    static constexpr auto indexes = tablemap::indexes(unique_index<"by_email">(key("email_", part<&patron::email>)));
};

template <> struct mapping<ledger> {
    static constexpr auto discriminator = tablemap::discriminator("Type", "ledger");
    static constexpr auto partition_key = key(part<&ledger::club>);
    static constexpr auto row_key = key("acc_", part<&ledger::owner>);
    static constexpr auto members = tablemap::members(member<&ledger::iban>.blind_index());
    static constexpr auto indexes = tablemap::indexes(index<"by_bank">(key("bank_", part<&ledger::bank>.escaped())));
};

namespace {

using anything = std::variant<patron, ledger>;

class index_audit_kinds : public ::testing::Test {
protected:
    index_audit_kinds() {
        all.create();
        all.insert(anything{patron{"C", 1, "don@x"}});
        all.insert(anything{ledger{.club = "C", .owner = "don", .iban = "DE1", .bank = "b1"}});
    }

    std::shared_ptr<key_ring> const ring = test::ring_of();
    store_ptr const store = with_keys(value_or_throw(open_embedded({.path = ":memory:"})), ring);
    table<anything> const all{store, "Rows"};
    table<dynamic_entity> const raw{store, "Rows"};
};

TEST_F(index_audit_kinds, of_a_variant_are_in_step_where_nothing_is_wrong) {
    auto const r = all.verify_indexes();
    EXPECT_TRUE(r.in_step());
    EXPECT_EQ(r.entities, 2u);
    EXPECT_EQ(r.index_rows, 2u);
}

TEST_F(index_audit_kinds, of_a_variant_are_repaired_each_as_its_type_implies) {
    raw.erase_any({"C", "email_don@x"});
    raw.erase_any({"C", "acc_don"});
    auto const r = all.rebuild_indexes();
    EXPECT_EQ(r.missing, 1u);
    EXPECT_EQ(r.orphaned, 1u);
    EXPECT_TRUE(r.in_step());
    EXPECT_EQ(all.verify_indexes().index_rows, 1u);
}

TEST_F(index_audit_kinds, of_one_type_leaves_the_rows_of_another_in_its_partitions) {
    raw.erase_any({"C", "acc_don"});
    EXPECT_TRUE((table<patron>{store, "Rows"}.rebuild_indexes().in_step()));
    EXPECT_TRUE(raw.find("C", "bank_b1 !_acc_don"));
}

TEST_F(index_audit_kinds, compares_encrypted_values_by_what_they_hold) {
    EXPECT_EQ(all.verify_indexes().found(), 0u);  // no two encryptions are alike
    raw.upsert_merge([] {
        dynamic_entity e{"C", "bank_b1 !_acc_don"};
        e.set("iban", "DE2");
        e.encrypt("iban");
        return e;
    }());
    EXPECT_EQ(all.verify_indexes().differing, 1u);
    EXPECT_TRUE(all.rebuild_indexes().in_step());
    EXPECT_EQ(*raw.find("C", "bank_b1 !_acc_don")->value.try_get<std::string>("iban"), "DE1");
}

}  // namespace
}  // namespace tablemap
