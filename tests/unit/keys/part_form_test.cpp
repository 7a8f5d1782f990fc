// SPDX-License-Identifier: Apache-2.0
#include "support/answers.hpp"
#include "support/one_part.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace {
enum class level : std::int16_t { junior = -1, senior = 7 };
enum class state { off, on };
}  // namespace

template <> inline constexpr auto tablemap::enumeration<level> = tablemap::by_number<level::junior, level::senior>;
template <>
inline constexpr auto tablemap::enumeration<state> = tablemap::by_name<state::off, state::on>.named<state::off>("no");

namespace {

using namespace tablemap;
using test::failed_with;
using test::form_of;
using test::make;
using test::part_of;
using test::read;

template <class V> constexpr V least = std::numeric_limits<V>::min();
template <class V> constexpr V most = std::numeric_limits<V>::max();

TEST(part_form, of_digits_holds_no_number_beyond_64_bits) {
    auto const wide = key(part_of<std::uint64_t>.width(25));
    EXPECT_EQ(read<std::uint64_t>(wide, "0000018446744073709551615"), most<std::uint64_t>);
    for (auto const* text : {"0000018446744073709551616", "0000018446744073709551620", "0000020000000000000000000",
                             "9999999999999999999999999"})
        EXPECT_TRUE(failed_with(read<std::uint64_t>(wide, text), library_errc::unreadable_key)) << text;
    auto const down = key(part_of<std::uint64_t>.width(20).descending());
    EXPECT_EQ(read<std::uint64_t>(down, "81553255926290448384"), most<std::uint64_t>);
    EXPECT_TRUE(failed_with(read<std::uint64_t>(down, "81553255926290448383"), library_errc::unreadable_key));
}

TEST(part_form, of_integers_is_decimal) {
    EXPECT_EQ(form_of(key(part_of<std::int8_t>), std::int8_t{-128}), "-128");
    EXPECT_EQ(form_of(key(part_of<std::uint8_t>), std::uint8_t{255}), "255");
    EXPECT_EQ(form_of(key(part_of<std::uint64_t>), most<std::uint64_t>), "18446744073709551615");
    EXPECT_EQ(form_of(key(part_of<long long>), -7LL), "-7");
    EXPECT_EQ(form_of(key(part_of<std::uint16_t>.width(7)), std::uint16_t{65535}), "0065535");
    EXPECT_EQ(form_of(key(part_of<std::uint64_t>.width(25)), most<std::uint64_t>), "0000018446744073709551615");
}

TEST(part_form, of_bools_is_a_digit) {
    EXPECT_EQ(form_of(key(part_of<bool>), true), "1");
    EXPECT_EQ(form_of(key(part_of<bool>), false), "0");
    EXPECT_EQ(form_of(key(part_of<bool>.descending()), true), "0");
    EXPECT_FALSE(read<bool>(key(part_of<bool>), "2"));
    EXPECT_FALSE(read<bool>(key(part_of<bool>), "true"));
}

TEST(part_form, of_ordered_signed_numbers_is_moved_above_zero) {
    EXPECT_EQ(form_of(key(part_of<std::int32_t>.ordered()), least<std::int32_t>), "0000000000");
    EXPECT_EQ(form_of(key(part_of<std::int32_t>.ordered()), 0), "2147483648");
    EXPECT_EQ(form_of(key(part_of<std::int32_t>.ordered()), most<std::int32_t>), "4294967295");
    EXPECT_EQ(form_of(key(part_of<std::int8_t>.ordered()), std::int8_t{-1}), "2147483647");
    EXPECT_EQ(form_of(key(part_of<std::int64_t>.ordered()), least<std::int64_t>), "00000000000000000000");
    EXPECT_EQ(form_of(key(part_of<std::int64_t>.ordered()), std::int64_t{0}), "09223372036854775808");
    EXPECT_EQ(form_of(key(part_of<std::int64_t>.ordered()), most<std::int64_t>), "18446744073709551615");
}

TEST(part_form, of_ordered_unsigned_numbers_has_as_many_digits_as_the_greatest) {
    EXPECT_EQ(form_of(key(part_of<std::uint8_t>.ordered()), std::uint8_t{7}), "007");
    EXPECT_EQ(form_of(key(part_of<std::uint16_t>.ordered()), std::uint16_t{7}), "00007");
    EXPECT_EQ(form_of(key(part_of<std::uint32_t>.ordered()), std::uint32_t{7}), "0000000007");
    EXPECT_EQ(form_of(key(part_of<std::uint64_t>.ordered()), std::uint64_t{7}), "00000000000000000007");
}

TEST(part_form, of_descending_numbers_counts_down) {
    EXPECT_EQ(form_of(key(part_of<std::int32_t>.width(4).descending()), 12), "9987");
    EXPECT_EQ(form_of(key(part_of<std::int32_t>.descending().width(4)), 0), "9999");
    EXPECT_EQ(form_of(key(part_of<std::uint64_t>.width(20).descending()), most<std::uint64_t>), "81553255926290448384");
    EXPECT_EQ(form_of(key(part_of<std::int32_t>.descending()), least<std::int32_t>), "4294967295");
    EXPECT_EQ(form_of(key(part_of<std::int64_t>.descending()), most<std::int64_t>), "00000000000000000000");
    EXPECT_EQ(form_of(key(part_of<std::int64_t>.descending()), least<std::int64_t>), "18446744073709551615");
    EXPECT_EQ(form_of(key(part_of<std::uint8_t>.descending()), std::uint8_t{7}), "248");
    EXPECT_EQ(form_of(key(part_of<std::uint64_t>.descending()), std::uint64_t{0}), "18446744073709551615");
}

TEST(part_form, of_a_range_has_the_digits_of_its_greatest_value) {
    constexpr auto year = key(part_of<std::int32_t>.range(1900, 2999));
    EXPECT_EQ(form_of(year, 1900), "1900");
    EXPECT_EQ(form_of(key(part_of<std::int64_t>.range(0, 100)), std::int64_t{7}), "007");
    EXPECT_EQ(form_of(key(part_of<std::int64_t>.range(0, 100).width(5)), std::int64_t{7}), "00007");
    EXPECT_EQ(form_of(key(part_of<std::uint8_t>.range(0, 99).descending()), std::uint8_t{7}), "92");
    for (auto const outside : {1899, 3000, -1}) {
        auto const r = make(year, outside);
        ASSERT_TRUE(failed_with(r, library_errc::key_part_does_not_fit));
        EXPECT_THAT(r.error().what(), ::testing::HasSubstr("not between 1900 and 2999"));
    }
    EXPECT_TRUE(failed_with(read<std::int32_t>(year, "1899"), library_errc::unreadable_key));
    EXPECT_TRUE(failed_with(read<std::int32_t>(year, "3000"), library_errc::unreadable_key));
}

TEST(part_form, of_doubles_keeps_their_order) {
    constexpr auto up = key(part_of<double>.ordered());
    constexpr auto down = key(part_of<double>.descending());
    constexpr auto infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(form_of(up, 0.0), "8000000000000000");
    EXPECT_EQ(form_of(up, 1.0), "bff0000000000000");
    EXPECT_EQ(form_of(up, -1.0), "400fffffffffffff");
    EXPECT_EQ(form_of(up, infinity), "fff0000000000000");
    EXPECT_EQ(form_of(up, -infinity), "000fffffffffffff");
    EXPECT_EQ(form_of(down, 1.5), "4007ffffffffffff");
    EXPECT_EQ(form_of(down, -infinity), "fff0000000000000");
}

TEST(part_form, of_doubles_knows_one_zero_and_no_nan) {
    constexpr auto up = key(part_of<double>.ordered());
    EXPECT_EQ(make(up, -0.0).value(), "8000000000000000");
    EXPECT_EQ(make(key(part_of<double>.descending()), -0.0).value(), "7fffffffffffffff");
    EXPECT_TRUE(failed_with(make(up, std::numeric_limits<double>::quiet_NaN()), library_errc::key_part_does_not_fit));
    for (auto const* bad : {"7fffffffffffffff", "fff0000000000001", "BFF0000000000000", "bff", "bff000000000000g"})
        EXPECT_TRUE(failed_with(read<double>(up, bad), library_errc::unreadable_key)) << bad;
}

TEST(part_form, of_enums_is_their_number_or_name) {
    EXPECT_EQ(form_of(key(part_of<level>), level::junior), "-1");
    EXPECT_EQ(form_of(key(part_of<level>.ordered()), level::senior), "2147483655");
    EXPECT_EQ(form_of(key(part_of<level>.descending()), level::junior), "2147483648");
    EXPECT_EQ(form_of(key(part_of<state>), state::off), "no");
    EXPECT_EQ(form_of(key(part_of<state>), state::on), "on");
}

TEST(part_form, of_enums_refuses_values_that_are_not_listed) {
    EXPECT_TRUE(failed_with(make(key(part_of<level>), level{3}), library_errc::key_part_does_not_fit));
    EXPECT_TRUE(failed_with(make(key(part_of<state>), state{3}), library_errc::key_part_does_not_fit));
    EXPECT_TRUE(failed_with(read<level>(key(part_of<level>), "3"), library_errc::unreadable_key));
    EXPECT_TRUE(failed_with(read<state>(key(part_of<state>), "off"), library_errc::unreadable_key));
}

TEST(part_form, of_guids_is_inverted_bytewise_when_descending) {
    auto const id = guid::parse("c9da6455-213d-42c9-9a79-3e9149a57833").value();
    EXPECT_EQ(form_of(key(part_of<guid>.descending()), id), "36259baa-dec2-bd36-6586-c16eb65a87cc");
    EXPECT_EQ(form_of(key(part_of<guid>.ordered()), id), "c9da6455-213d-42c9-9a79-3e9149a57833");
}

// ---- times ----------------------------------------------------------------------------------------------------------

struct time_case {
    char const* time;
    char const* ascending;
    char const* descending;
};

// Computed from calendar dates by Python's integers, as .NET's DateTime.Ticks and String.Format("{0:D19}",
// DateTime.MaxValue.Ticks - t) are defined.
constexpr time_case times[] = {
    {"0001-01-01T00:00:00Z", "0000000000000000000", "3155378975999999999"},
    {"0001-01-01T00:00:00.0000001Z", "0000000000000000001", "3155378975999999998"},
    {"1601-01-01T00:00:00Z", "0504911232000000000", "2650467743999999999"},
    {"1899-12-30T00:00:00Z", "0599264352000000000", "2556114623999999999"},
    {"1970-01-01T00:00:00Z", "0621355968000000000", "2534023007999999999"},
    {"2000-02-29T12:00:00.0000001Z", "0630874224000000001", "2524504751999999998"},
    {"2014-05-06T07:08:09.1234567Z", "0635349568891234567", "2520029407108765432"},
    {"2024-12-31T23:59:59.9999999Z", "0638712863999999999", "2516666112000000000"},
    {"2025-01-01T00:00:00Z", "0638712864000000000", "2516666111999999999"},
    {"2038-01-19T03:14:07Z", "0642830804470000000", "2512548171529999999"},
    {"9999-12-31T23:59:59.9999998Z", "3155378975999999998", "0000000000000000001"},
    {"9999-12-31T23:59:59.9999999Z", "3155378975999999999", "0000000000000000000"},
};

TEST(part_form, of_times_is_the_count_of_ticks_or_dot_nets_inverted_ticks) {
    for (auto const& c : times) {
        auto const t = ticks::parse(c.time).value();
        EXPECT_EQ(form_of(key(part_of<ticks>), t), c.ascending);
        EXPECT_EQ(form_of(key(part_of<ticks>.ordered()), t), c.ascending);
        EXPECT_EQ(form_of(key(part_of<ticks>.descending()), t), c.descending);
        EXPECT_EQ(form_of(key(part_of<std::chrono::sys_time<tick_duration>>.descending()), t.time()), c.descending);
    }
}

TEST(part_form, of_times_refuses_other_years) {
    for (auto const t : {ticks{-1}, ticks::max() + tick_duration{1}, ticks{most<std::int64_t>}}) {
        EXPECT_TRUE(failed_with(make(key(part_of<ticks>), t), library_errc::key_part_does_not_fit));
        EXPECT_TRUE(failed_with(make(key(part_of<ticks>.descending()), t), library_errc::key_part_does_not_fit));
    }
    EXPECT_FALSE(read<ticks>(key(part_of<ticks>), "3155378976000000000"));
    EXPECT_FALSE(read<ticks>(key(part_of<ticks>.descending()), "3155378976000000000"));
    EXPECT_FALSE(read<ticks>(key(part_of<ticks>), "315537897599999999"));
}

using seconds32 = std::chrono::sys_time<std::chrono::duration<std::int32_t>>;

TEST(part_form, of_system_clock_times_is_that_of_ticks) {
    using namespace std::chrono;
    EXPECT_EQ(form_of(key(part_of<sys_days>), sys_days{2025y / January / 1}), "0638712864000000000");
    EXPECT_EQ(form_of(key(part_of<sys_seconds>.descending()), sys_seconds{}), "2534023007999999999");
    EXPECT_EQ(form_of(key(part_of<seconds32>), seconds32{duration<std::int32_t>{most<std::int32_t>}}),
              "0642830804470000000");
}

TEST(part_form, of_system_clock_times_refuses_what_their_units_do_not_hold) {
    using namespace std::chrono;
    constexpr auto days = key(part_of<sys_days>);
    EXPECT_FALSE(read<sys_days>(days, "0638712864000000001"));
    EXPECT_FALSE(read<seconds32>(key(part_of<seconds32>), "0642830804480000000"));
    EXPECT_FALSE(make(key(part_of<sys_seconds>), sys_seconds{seconds{most<std::int64_t>}}));
    EXPECT_FALSE(make(key(part_of<sys_seconds>), sys_seconds{seconds{least<std::int64_t>}}));
    EXPECT_FALSE(make(days, sys_days{10000y / January / 1}));
}

// ---- hashes ---------------------------------------------------------------------------------------------------------

TEST(part_form, of_hashes_is_fixed_for_ever) {
    EXPECT_EQ(make(key(part_of<std::string>.hashed()), std::string{}).value(), "efd01f60ba992926");
    EXPECT_EQ(make(key(part_of<std::string>.hashed()), std::string{"a"}).value(), "82a2a958a9bece5b");
    EXPECT_EQ(make(key(part_of<std::string>.hashed()), std::string{"Z\xC3\xBCrich/7"}).value(), "80a3eb36c4fc6d19");
    EXPECT_EQ(make(key(part_of<std::int32_t>.ordered().hashed()), -212).value(), "9c115f35492b9d99");
    EXPECT_EQ(make(key(part_of<bool>.descending().hashed()), true).value(), "7c3832dde020d3d6");
    EXPECT_EQ(make(key(part_of<double>.hashed()), 1.5).value(), "2dc3fafe2af0b25f");
    EXPECT_EQ(make(key(part_of<ticks>.descending().hashed()), ticks{621355968000000000}).value(), "ccccf4ea87bd2f4b");
    EXPECT_EQ(make(key(part_of<guid>.hashed()), guid::parse("c9da6455-213d-42c9-9a79-3e9149a57833").value()).value(),
              "6bb538b9f354ded1");
}

TEST(part_form, of_buckets_is_the_hash_modulo_their_number) {
    EXPECT_EQ(make(key(spread<16>(part_of<std::string>)), std::string{"a"}).value(), "11");
    EXPECT_EQ(make(key(spread<16>(part_of<std::string>)), std::string{"north"}).value(), "01");
    EXPECT_EQ(make(key(spread<1000>(part_of<std::string>)), std::string{"device-17"}).value(), "201");
    EXPECT_EQ(make(key(spread<10>(part_of<std::string>)), std::string{}).value().size(), 1U);
    EXPECT_EQ(make(key(spread<11>(part_of<std::string>)), std::string{}).value().size(), 2U);
}

TEST(part_form, of_hashes_and_buckets_is_checked_when_read) {
    EXPECT_TRUE(read<std::string>(key(part_of<std::string>.hashed()), "82a2a958a9bece5b"));
    EXPECT_TRUE(read<std::string>(key(spread<16>(part_of<std::string>)), "15"));
    for (auto const* bad : {"82A2A958A9BECE5B", "82a2a958a9bece5", "82a2a958a9bece5b0", "x2a2a958a9bece5b"})
        EXPECT_FALSE(read<std::string>(key(part_of<std::string>.hashed()), bad)) << bad;
    for (auto const* bad : {"16", "1", "+1", "001", "0x"})
        EXPECT_FALSE(read<std::string>(key(spread<16>(part_of<std::string>)), bad)) << bad;
}

}  // namespace
