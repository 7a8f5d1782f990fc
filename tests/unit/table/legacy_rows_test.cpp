// SPDX-License-Identifier: Apache-2.0
#include "support/answers.hpp"
#include "support/encrypted_samples.hpp"

#include "tablemap/crypto/legacy_keys.hpp"
#include "tablemap/embedded/store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tablemap {
namespace {

/// As a program of today maps the rows of an older one.
struct note {
    std::string folder{};
    std::string name{};
    encrypted<std::string> Secret{};
    std::string Empty{"?"};
    std::int32_t Stars{};

    friend bool operator==(note const&, note const&) = default;
};

struct rest_of_note {
    std::string folder{};
    std::string name{};
    std::int32_t Stars{};
    extras others{};
};

}  // namespace

template <> struct mapping<note> {
    static constexpr auto partition_key = key(part<&note::folder>);
    static constexpr auto row_key = key(part<&note::name>);
};

template <> struct mapping<rest_of_note> {
    static constexpr auto partition_key = key(part<&rest_of_note::folder>);
    static constexpr auto row_key = key(part<&rest_of_note::name>);
};

namespace {

using test::failed_with;
using ::testing::HasSubstr;

bytes of_base64(std::string_view text) {
    bytes b;
    EXPECT_TRUE(detail::parse_base64(text, b));
    return b;
}

/// The row of protocol.md 13.5, as the .NET clients wrote it.
class legacy_rows : public ::testing::Test {
protected:
    void SetUp() override {
        bytes kek(32);
        for (std::size_t i = 0; i < kek.size(); ++i) kek[i] = static_cast<std::byte>(i);
        auto keys = std::make_shared<legacy_keys>();
        keys->add("local:key1", kek);
        options.legacy_keys = keys;
        raw.create();
        dynamic_entity row{"part-1", "row-1"};
        row.set("Secret", of_base64("ZSUwmVFa1A+C18oWx2s+9w=="));
        row.set("Empty", of_base64("Tqg7P1r8+zdBsa36jH2HRg=="));
        row.set("Stars", std::int32_t{5});
        row.set("Unknown", "kept");
        row.set("_ClientEncryptionMetadata1",
                R"({"WrappedContentKey":{"KeyId":"local:key1","EncryptedKey":)"
                R"("C39XATKWENRbLHDRNt4RmCeYYf3TMsv2GfZQ77k1h591eL1YPFOU2g==","Algorithm":"A256KW"},)"
                R"("EncryptionAgent":{"Protocol":"1.0","EncryptionAlgorithm":"AES_CBC_256"},)"
                R"("ContentEncryptionIV":"EBESExQVFhcYGRobHB0eHw==",)"
                R"("KeyWrappingMetadata":{"EncryptionLibrary":".NET 9.3.2"}})");
        row.set("_ClientEncryptionMetadata2", of_base64("jy7Lv759E/dDhVKmLYP1U+StUoewab+stDosotnH6JU="));
        raw.insert(row);
    }

    dynamic_entity stored() { return raw.find("part-1", "row-1")->value; }

    store_ptr const plain = value_or_throw(open_embedded({.path = ":memory:"}));
    store_ptr const store = with_keys(plain, test::ring_of());
    table<dynamic_entity> const raw{plain, "notes"};
    table_options options{};
    note const expected{
        .folder = "part-1", .name = "row-1", .Secret = "Hello, \xE4\xB8\x96\xE7\x95\x8C", .Empty = "", .Stars = 5};
};

TEST_F(legacy_rows, are_read_where_the_table_has_their_keys) {
    auto const e = table<note>{store, "notes", options}.find("part-1", "row-1");
    EXPECT_EQ(e->value, expected);
    EXPECT_TRUE(e->outdated);
}

TEST_F(legacy_rows, are_refused_otherwise_and_say_what_to_do) {
    auto const r = table<note>{store, "notes"}.try_find({"part-1", "row-1"});
    ASSERT_TRUE(failed_with(r, library_errc::unencrypted_value));
    EXPECT_THAT(r.error().what(), HasSubstr("legacy_keys"));
}

TEST_F(legacy_rows, cannot_be_merged_and_are_rewritten_by_modify) {
    table<note> const notes{store, "notes", options};
    auto e = *notes.find("part-1", "row-1");
    EXPECT_FALSE(notes.try_merge(e));
    notes.modify({"part-1", "row-1"}, [](note& n) { n.Stars = 4; });
    auto const row = stored();
    EXPECT_TRUE(detail::is_sealed(*row.find("Secret")));
    EXPECT_EQ(row.find("_ClientEncryptionMetadata1"), nullptr);
    EXPECT_EQ(row.find("_ClientEncryptionMetadata2"), nullptr);
    EXPECT_EQ(*row.try_get<std::string>("Unknown"), "kept");
    auto changed = expected;
    changed.Stars = 4;
    EXPECT_EQ(table<note>(store, "notes").find("part-1", "row-1")->value, changed);
}

TEST_F(legacy_rows, are_rewritten_by_reencrypt) {
    EXPECT_EQ((table<note>{store, "notes", options}.reencrypt().rewritten), 1u);
    EXPECT_EQ((table<note>{store, "notes"}.find("part-1", "row-1")->value), expected);
    EXPECT_TRUE(detail::is_sealed(*stored().find("Empty"))) << "what was encrypted stays so";
}

TEST_F(legacy_rows, are_read_without_a_type) {
    auto const e = table<dynamic_entity>{store, "notes", options}.find("part-1", "row-1");
    EXPECT_EQ(*e->value.try_get<std::string>("Secret"), *expected.Secret);
    EXPECT_EQ(e->value.find("_ClientEncryptionMetadata1"), nullptr);
    EXPECT_TRUE(e->outdated);
}

TEST_F(legacy_rows, keep_encrypted_what_extras_hold) {
    table<rest_of_note> const rest{store, "notes", options};
    auto e = *rest.find("part-1", "row-1");
    EXPECT_EQ(*e.value.others.try_get<std::string>("Secret"), *expected.Secret);
    rest.replace(e);
    EXPECT_TRUE(detail::is_sealed(*stored().find("Secret")));
    EXPECT_FALSE(stored().find("_ClientEncryptionMetadata1"));
}

TEST_F(legacy_rows, are_not_written_in_the_open_by_a_table_without_keys_to_encrypt) {
    table<rest_of_note> const rest{plain, "notes", options};
    auto e = *rest.find("part-1", "row-1");
    EXPECT_TRUE(failed_with(rest.try_replace(e), library_errc::no_encryption_key));
}

TEST_F(legacy_rows, are_read_where_members_are_selected) {
    table<note> const notes{store, "notes", options};
    auto range = notes.query(partition("part-1")).select<&note::Secret>();
    EXPECT_EQ(std::get<0>(*range.begin()), expected.Secret);
}

TEST_F(legacy_rows, are_read_after_a_member_was_written_without_reading_them) {
    table<note> const notes{store, "notes", options};
    auto changed = expected;
    changed.Secret = "new";
    notes.merge_any(changed, only<&note::Secret>);
    EXPECT_EQ(notes.find("part-1", "row-1")->value, changed);
    EXPECT_EQ(
        *(table<dynamic_entity>{store, "notes", options}.find("part-1", "row-1")->value.try_get<std::string>("Secret")),
        "new");
    EXPECT_EQ(notes.reencrypt().rewritten, 1u);
    EXPECT_EQ((table<note>{store, "notes"}.find("part-1", "row-1")->value), changed);
}

TEST_F(legacy_rows, are_not_taken_for_values_in_the_open_without_their_keys) {
    reencryption_options adopting;
    adopting.values_in_the_open = true;
    auto const before = stored();
    auto const report = table<note>{store, "notes"}.reencrypt(adopting);
    EXPECT_EQ(report.rewritten, 0u);
    ASSERT_EQ(report.refused.size(), 1u);
    EXPECT_EQ(report.refused.front().error.code(), library_errc::unreadable_legacy_row);
    EXPECT_EQ(stored(), before);
}

TEST_F(legacy_rows, are_bad_rows_if_they_cannot_be_decrypted) {
    raw.modify({"part-1", "row-1"}, [](dynamic_entity& e) { e.set("Secret", bytes(16, std::byte{1})); });
    auto const r = table<note>{store, "notes", options}.try_find({"part-1", "row-1"});
    EXPECT_TRUE(failed_with(r, library_errc::unreadable_legacy_row));
}

}  // namespace
}  // namespace tablemap
