// SPDX-License-Identifier: Apache-2.0
#include <everything.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <memory>

namespace {

auto const noon = tablemap::ticks{std::chrono::sys_days{std::chrono::year{2024} / 2 / 28}};

tablemap::store_ptr open_with_keys() {
    auto keys = std::make_shared<tablemap::key_ring>();
    keys->add_current("k1", tablemap::bytes(32, std::byte{7}));
    return tablemap::open("embedded::memory:", {.keys = keys});
}

TEST(generated_everything, begins_with_its_defaults) {
    workshop::sample const s;
    EXPECT_EQ(s.text, "what?\?! \u202eC:\\ \"a\" ü");
    EXPECT_EQ(s.wide, std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(s.unsigned_plain, std::numeric_limits<std::uint32_t>::max());
    EXPECT_EQ(s.workshop, workshop::workshop::new_);
}

TEST(generated_everything, compares_with_fixed_values_of_every_type) {
    workshop::sample_repository const samples{tablemap::open("embedded::memory:")};
    samples.table().create();
    workshop::sample sample{
        .site = "a", .number = 1, .moment = noon, .page = *tablemap::url::parse("https://contoso.com")};
    samples.table().insert(sample);
    sample.number = 2;
    sample.unsigned_plain = 5;
    sample.workshop = workshop::workshop::old;
    samples.table().insert(sample);
    EXPECT_EQ(samples.numbers("a").count(), 1U);
    EXPECT_EQ(samples.numbers("a").first()->value.number, 1);
    EXPECT_EQ(samples.others("a"), 1U);
    EXPECT_EQ(samples.of_grade("a", workshop::grade::second, 5, 6).count(), 1U);
}

TEST(generated_everything, is_compared_member_by_member) {
    workshop::part_repository const parts{open_with_keys()};
    parts.table().create();
    workshop::part part{.class_ = "a",
                        .range = "b",
                        .uint64_or_none = 7,
                        .secret_datetime = {noon},
                        .secret_url = {*tablemap::url::parse("https://contoso.com")},
                        .secret_grade = {workshop::grade::first}};
    part.series_of_double[1] = 0.5;
    auto const inserted = parts.table().insert(part);
    auto const found = parts.find("a", "b", inserted.value.serial);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->value, inserted.value);
    part = found->value;
    part.series_of_double[0] = 0;
    EXPECT_NE(found->value, part);
}

TEST(generated_everything, reads_by_the_parts_of_a_long_key) {
    workshop::workshop_key_repository const keys{tablemap::open("embedded::memory:")};
    keys.table().create();
    workshop::workshop_key const key{.a_text = "a",
                                     .a_flag = true,
                                     .a_tiny = -1,
                                     .a_wide = 3,
                                     .a_moment = noon,
                                     .a_grade = workshop::grade::first,
                                     .spread = "x"};
    keys.table().insert(key);
    EXPECT_EQ(keys.flagged("a", true).count(), 1U);
    EXPECT_EQ(keys.leading_ones("a", true, -1, 0, 0, 3, 0, 1).first()->value, key);
}

}  // namespace
