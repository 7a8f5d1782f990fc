// SPDX-License-Identifier: Apache-2.0
#include "support/answers.hpp"
#include "support/encrypted_samples.hpp"

#include "crypto/sealed_value.hpp"
#include "tablemap/embedded/store.hpp"

#include <gtest/gtest.h>

namespace {

struct note {
    std::string key{};
    tablemap::extras more{};
};

struct diary {
    std::string key{};
    std::string title{};
};

void add_a_private_page(tablemap::dynamic_entity& row) {
    row.set("Page", "a\xFF");
    row.encrypt("Page");
}

}  // namespace

template <> struct tablemap::mapping<note> {
    static constexpr auto partition_key = tablemap::key("notes");
    static constexpr auto row_key = tablemap::key(tablemap::part<&note::key>);
};
template <> struct tablemap::mapping<diary> {
    static constexpr auto partition_key = tablemap::key("diaries");
    static constexpr auto row_key = tablemap::key(tablemap::part<&diary::key>);
    static constexpr auto discriminator = tablemap::discriminator("Kind", "diary");
    static constexpr auto versions = tablemap::versions<2>(tablemap::upgrade_from<1>(&add_a_private_page));
};

namespace {

using namespace tablemap;
using test::failed_with;
using test::patient;

/// The cases in which plain bytes alone tell less than JSON.
class encryption_changes : public ::testing::Test {
protected:
    encryption_changes() { table<dynamic_entity>{plain, "rows"}.create(); }

    store_ptr const plain = value_or_throw(open_embedded({.path = ":memory:"}));
    std::shared_ptr<key_ring> const ring = test::ring_of();
    store_ptr const store = with_keys(plain, ring);
    table<dynamic_entity> const raw{plain, "rows"};
    table<dynamic_entity> const rows{store, "rows"};
};

note marked() {
    note n{.key = "n"};
    n.more.set("Secret", "1,\"Role\":\"admin\"");
    n.more.encrypt("Secret");
    return n;
}

TEST_F(encryption_changes, never_write_a_marked_extra_without_keys) {
    EXPECT_TRUE(failed_with(table<note>{plain, "rows"}.try_insert(marked()), library_errc::no_encryption_key));
    EXPECT_FALSE(raw.find("notes", "n"));
}

TEST_F(encryption_changes, keep_the_mark_of_an_extra_in_a_dynamic_entity) {
    auto const row = to_dynamic(marked()).value();
    EXPECT_EQ(*row.try_get<std::string>("Secret"), "1,\"Role\":\"admin\"");
    EXPECT_TRUE(row.properties().front().encrypted);
}

TEST_F(encryption_changes, see_that_a_value_too_large_was_emptied) {
    table<patient> const patients{store, "rows"};
    patients.insert({.ward = "W1", .id = 7, .diagnosis = "measles"});
    std::string const large(40'000, 'x');  // of another implementation of the format
    auto const sealed =
        detail::seal(ring->current().value(), {"rows", "W1", "0007", "diagnosis"}, 1, std::as_bytes(std::span{large}));
    raw.modify({"W1", "0007"}, [&](dynamic_entity& e) { e.set("diagnosis", sealed.value()); });
    patients.modify({"W1", 7}, [](patient& p) { p.diagnosis = ""; });
    EXPECT_EQ(*patients.find("W1", 7)->value.diagnosis, "");
}

TEST_F(encryption_changes, see_that_a_value_has_another_type) {
    dynamic_entity e{"p", "r"};
    e.set("Value", std::int32_t{0x61626364});
    e.encrypt("Value");
    rows.insert(e);
    rows.modify({"p", "r"}, [](dynamic_entity& x) {
        x.set("Value", "abcd");
        x.encrypt("Value");
    });
    EXPECT_EQ(*rows.find("p", "r")->value.find("Value"), property_value{"abcd"});
}

TEST_F(encryption_changes, of_an_upgrade_are_checked_before_they_are_written) {
    dynamic_entity e{"diaries", "d"};
    e.set("Kind", "diary");
    e.set("title", "old");
    auto const before = raw.insert(e).etag;
    table<diary> const diaries{store, "rows"};
    auto const r = diaries.try_modify({"d"}, [](diary& d) { d.title = "new"; });
    EXPECT_TRUE(failed_with(r, library_errc::invalid_text));
    EXPECT_EQ(raw.find("diaries", "d")->etag, before);
}

}  // namespace
