// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/mapping/value_codec.hpp"

#include "support/random.hpp"
#include "unit/mapping/codec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace {

using namespace tablemap;
using namespace std::chrono_literals;
using test::reading;
using test::round_trips;
using test::unreadable;
using test::unwritable;
using test::written;

enum class level { junior, senior, lead };
enum class state : std::uint8_t { off = 0, on = 200 };
enum class wide : std::int64_t { least = std::numeric_limits<std::int64_t>::min(), one = 1 };
enum class code : std::int16_t {};
enum class colour { red, green };

/// One member of a type, and an optional one.
template <class V> struct box {
    std::string key = "k";
    V v{};
    std::optional<V> maybe{};

    friend bool operator==(box const&, box const&) = default;
};

template <class V> box<V> holding(V v) { return {.v = v, .maybe = v}; }

/// A value whose property reads like this, in a member and in an optional one.
template <class V>::testing::AssertionResult stored_as(V v, std::string const& text, std::string const& type = {}) {
    auto const property = [&](std::string const& name) {
        return (type.empty() ? "" : "\"" + name + "@odata.type\":\"" + type + "\",") + "\"" + name + "\":" + text;
    };
    if (auto r = round_trips(box<V>{.v = v}, property("v")); !r) return r;
    return round_trips(holding(v), property("v") + "," + property("maybe"));
}

template <class Rep, class Period> using sys = std::chrono::sys_time<std::chrono::duration<Rep, Period>>;

}  // namespace

template <>
inline constexpr auto
    tablemap::enumeration<level> = tablemap::by_name<level::junior, level::senior>.named<level::senior>("Sr");
template <> inline constexpr auto tablemap::enumeration<state> = tablemap::by_number<state::off, state::on>;
template <> inline constexpr auto tablemap::enumeration<wide> = tablemap::by_number<wide::least, wide::one>;
template <> inline constexpr auto tablemap::enumeration<code> = tablemap::by_number<>;
template <> struct tablemap::converter<colour> {
    using stored = std::string;
    static stored to_property(colour c) { return c == colour::red ? "#f00" : "#0f0"; }
    static result<colour> from_property(stored const& text) {
        if (text == "#f00") return colour::red;
        if (text == "#0f0") return colour::green;
        return fail(library_errc::value_out_of_range, {.reason = "the text is no colour"});
    }
};
template <class V> struct tablemap::mapping<box<V>> : tablemap::test::keyed<box<V>> {};

namespace {

// ---- integers -------------------------------------------------------------------------------------------------------

template <class V> void expect_limits(std::string const& type = {}) {
    using limits = std::numeric_limits<V>;
    auto const text = [&](auto v) { return type.empty() ? std::to_string(v) : "\"" + std::to_string(v) + "\""; };
    EXPECT_TRUE(stored_as<V>(limits::min(), text(limits::min()), type));
    EXPECT_TRUE(stored_as<V>(limits::max(), text(limits::max()), type));
}

TEST(small_integer, is_an_int32_at_its_limits) {
    expect_limits<std::int8_t>();
    expect_limits<std::uint8_t>();
    expect_limits<std::int16_t>();
    expect_limits<std::uint16_t>();
    expect_limits<std::int32_t>();
}

TEST(large_integer, is_an_int64_at_its_limits) {
    expect_limits<std::uint32_t>("Edm.Int64");
    expect_limits<std::int64_t>("Edm.Int64");
    expect_limits<long long>("Edm.Int64");
}

TEST(small_integer, refuses_what_is_stored_beyond_its_limits) {
    for (auto const* n : {"-129", "128", "2147483647"})
        EXPECT_TRUE(unreadable<box<std::int8_t>>("\"v\":" + std::string{n}, library_errc::value_out_of_range, "v"));
    for (auto const* n : {"-1", "65536"})
        EXPECT_TRUE(
            unreadable<box<std::uint16_t>>("\"maybe\":" + std::string{n}, library_errc::value_out_of_range, "maybe"));
    EXPECT_TRUE(unreadable<box<std::uint32_t>>(R"("v":4294967296)", library_errc::value_out_of_range, "v"));
    EXPECT_TRUE(unreadable<box<std::uint32_t>>(R"("v":-1)", library_errc::value_out_of_range, "v"));
    EXPECT_TRUE(unreadable<box<std::uint8_t>>(R"("v":"1")", library_errc::type_mismatch, "v"));
}

TEST(unsigned_64, goes_as_far_as_an_int64) {
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    EXPECT_TRUE(stored_as(most, R"("9223372036854775807")", "Edm.Int64"));
    EXPECT_TRUE(stored_as(std::uint64_t{0}, R"("0")", "Edm.Int64"));
    EXPECT_TRUE(unwritable(box<std::uint64_t>{.v = most + 1}, library_errc::value_out_of_range, "v"));
    EXPECT_TRUE(unwritable(box<std::uint64_t>{.maybe = ~std::uint64_t{0}}, library_errc::value_out_of_range, "maybe"));
    EXPECT_TRUE(unreadable<box<std::uint64_t>>(R"("v":-1)", library_errc::value_out_of_range, "v"));
}

// ---- enums ----------------------------------------------------------------------------------------------------------

TEST(enum_by_name, is_stored_under_its_own_name_or_the_one_it_was_given) {
    EXPECT_TRUE(stored_as(level::junior, R"("junior")"));
    EXPECT_TRUE(stored_as(level::senior, R"("Sr")"));
}

TEST(enum_by_name, refuses_values_and_names_that_are_not_listed) {
    EXPECT_TRUE(unwritable(holding(level::lead), library_errc::value_out_of_range, "v"));
    EXPECT_TRUE(unwritable(box<level>{.maybe = static_cast<level>(99)}, library_errc::value_out_of_range, "maybe"));
    for (auto const* name : {"senior", "Junior", "lead", "0", ""})
        EXPECT_TRUE(unreadable<box<level>>(R"("v":")" + std::string{name} + '"', library_errc::value_out_of_range, "v"))
            << name;
    EXPECT_TRUE(unreadable<box<level>>(R"("v":0)", library_errc::type_mismatch, "v"));
}

TEST(enum_by_number, is_stored_in_the_width_of_its_underlying_type) {
    EXPECT_TRUE(stored_as(state::on, "200"));
    EXPECT_TRUE(stored_as(wide::least, R"("-9223372036854775808")", "Edm.Int64"));
    EXPECT_TRUE(stored_as(code{-32768}, "-32768"));
}

TEST(enum_by_number, refuses_numbers_that_are_not_listed_or_do_not_fit) {
    EXPECT_TRUE(unwritable(holding(static_cast<state>(1)), library_errc::value_out_of_range, "v"));
    for (auto const* n : {"1", "456", "-56"})
        EXPECT_TRUE(unreadable<box<state>>("\"v\":" + std::string{n}, library_errc::value_out_of_range, "v")) << n;
    EXPECT_TRUE(unreadable<box<code>>(R"("v":32768)", library_errc::value_out_of_range, "v"));
    EXPECT_TRUE(unreadable<box<state>>(R"("v":"on")", library_errc::type_mismatch, "v"));
}

TEST(enum_with_a_converter, is_stored_as_the_converter_says) {
    EXPECT_TRUE(stored_as(colour::green, R"("#0f0")"));
    EXPECT_TRUE(unreadable<box<colour>>(R"("v":"blue")", library_errc::value_out_of_range, "v"));
}

TEST(enum_fault, does_not_tell_the_text_that_is_stored) {
    auto const r = test::try_read<box<level>>(R"("v":"SECRET")");
    ASSERT_FALSE(r);
    EXPECT_THAT(r.error().what(), ::testing::Not(::testing::HasSubstr("SECRET")));
}

// ---- times ----------------------------------------------------------------------------------------------------------

TEST(sys_time, of_any_whole_number_of_ticks_is_a_datetime) {
    std::chrono::sys_days const day{std::chrono::year{2024} / 2 / 29};
    EXPECT_TRUE(stored_as(day, R"("2024-02-29T00:00:00Z")", "Edm.DateTime"));
    EXPECT_TRUE(stored_as(sys<int, std::ratio<3600>>{day + 5h}, R"("2024-02-29T05:00:00Z")", "Edm.DateTime"));
    EXPECT_TRUE(stored_as(std::chrono::sys_seconds{day + 1s}, R"("2024-02-29T00:00:01Z")", "Edm.DateTime"));
    EXPECT_TRUE(stored_as(std::chrono::sys_time<std::chrono::milliseconds>{day + 20ms}, R"("2024-02-29T00:00:00.02Z")",
                          "Edm.DateTime"));
    EXPECT_TRUE(stored_as(std::chrono::sys_time<std::chrono::microseconds>{day + 3us},
                          R"("2024-02-29T00:00:00.000003Z")", "Edm.DateTime"));
    EXPECT_TRUE(stored_as(std::chrono::sys_time<tick_duration>{day + tick_duration{1}},
                          R"("2024-02-29T00:00:00.0000001Z")", "Edm.DateTime"));
}

TEST(sys_time, counted_in_few_or_unsigned_bits_keeps_its_range) {
    using seconds_32 = sys<std::int32_t, std::ratio<1>>;
    using seconds_u64 = sys<std::uint64_t, std::ratio<1>>;
    EXPECT_TRUE(stored_as(seconds_32{seconds_32::duration{0}}, R"("1970-01-01T00:00:00Z")", "Edm.DateTime"));
    EXPECT_TRUE(stored_as(seconds_32::max(), R"("2038-01-19T03:14:07Z")", "Edm.DateTime"));
    EXPECT_TRUE(stored_as(seconds_32::min(), R"("1901-12-13T20:45:52Z")", "Edm.DateTime"));
    EXPECT_TRUE(stored_as(seconds_u64{}, R"("1970-01-01T00:00:00Z")", "Edm.DateTime"));
    auto const v = [](std::string const& t) { return R"("v@odata.type":"Edm.DateTime","v":")" + t + '"'; };
    EXPECT_TRUE(unreadable<box<seconds_32>>(v("2038-01-19T03:14:08Z"), library_errc::value_out_of_range, "v"));
    EXPECT_TRUE(unreadable<box<seconds_u64>>(v("1969-12-31T23:59:59Z"), library_errc::value_out_of_range, "v"));
    // This many ticks before 1970 are, as 64 unsigned bits, a whole number of seconds.
    EXPECT_TRUE(unreadable<box<seconds_u64>>(v("1969-12-31T23:59:59.0448384Z"), library_errc::value_out_of_range, "v"));
}

TEST(sys_time, reaches_from_1601_to_9999_in_any_unit) {
    using std::chrono::sys_seconds;
    auto const first = std::chrono::floor<std::chrono::seconds>(ticks::min().time());
    auto const last = std::chrono::floor<std::chrono::seconds>(ticks::max().time());
    EXPECT_TRUE(stored_as(first, R"("1601-01-01T00:00:00Z")", "Edm.DateTime"));
    EXPECT_TRUE(stored_as(last, R"("9999-12-31T23:59:59Z")", "Edm.DateTime"));
    for (auto const t : {first - 1s, last + 1s, sys_seconds::min(), sys_seconds::max()})
        EXPECT_TRUE(unwritable(box<sys_seconds>{.v = t}, library_errc::value_out_of_range, "v"));
    for (auto const d : {std::chrono::sys_days::min(), std::chrono::sys_days::max()})
        EXPECT_TRUE(unwritable(box<std::chrono::sys_days>{.maybe = d}, library_errc::value_out_of_range, "maybe"));
    EXPECT_TRUE(unwritable(box<sys<std::uint64_t, std::ratio<1>>>{.v = sys<std::uint64_t, std::ratio<1>>::max()},
                           library_errc::value_out_of_range, "v"));
}

TEST(sys_time, refuses_a_stored_time_that_is_finer_than_its_unit) {
    auto const half = R"("v@odata.type":"Edm.DateTime","v":"2024-01-01T00:00:00.5Z")";
    EXPECT_TRUE(unreadable<box<std::chrono::sys_seconds>>(half, library_errc::value_out_of_range, "v"));
    EXPECT_TRUE(unreadable<box<std::chrono::sys_days>>(half, library_errc::value_out_of_range, "v"));
    auto const tick = R"("v@odata.type":"Edm.DateTime","v":"1960-01-01T00:00:00.0000001Z")";
    EXPECT_TRUE(
        unreadable<box<std::chrono::sys_time<std::chrono::microseconds>>>(tick, library_errc::value_out_of_range, "v"));
}

// ---- all of them ----------------------------------------------------------------------------------------------------

struct many {
    std::string key = "k";
    std::int8_t small{};
    std::uint64_t natural{};
    std::chrono::sys_time<std::chrono::milliseconds> time{};
    code number{};
    std::optional<level> grade{};

    friend bool operator==(many const&, many const&) = default;
};

}  // namespace

template <> struct tablemap::mapping<many> : tablemap::test::keyed<many> {};

namespace {

TEST(converted_values, read_back_as_what_was_written) {
    test::random_source random;
    for (int i = 0; i < 1000; ++i) {
        many v{.small = static_cast<std::int8_t>(random.word()),
               .natural = random.word() >> 1,
               .time = std::chrono::ceil<std::chrono::milliseconds>(random.time().time()),
               .number = static_cast<code>(random.word())};
        if (random.coin()) v.grade = random.coin() ? level::junior : level::senior;
        auto const text = written(v);
        auto const back = test::try_read<many>(text);
        ASSERT_TRUE(back) << back.error().what() << '\n' << text;
        EXPECT_EQ(back->value, v) << text;
    }
}

}  // namespace
