// SPDX-License-Identifier: Apache-2.0
#include "codec.hpp"

#include "support/random.hpp"
#include "tablemap/filter/odata.hpp"
#include "tablemap/mapping/converters/system_time.hpp"
#include "tablemap/query/field.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <ratio>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;

using fine_time = std::chrono::sys_time<std::chrono::nanoseconds>;
using half_ticks = std::chrono::duration<std::int64_t, std::ratio<1, 20'000'000>>;
using thirty_nanoseconds = std::chrono::duration<std::int64_t, std::ratio<3, 100'000'000>>;
using real_nanoseconds = std::chrono::duration<double, std::nano>;
using few_nanoseconds = std::chrono::duration<std::int16_t, std::nano>;

struct visit {
    std::string key{};
    fine_time began{};
    std::optional<fine_time> ended{};

    friend bool operator==(visit const&, visit const&) = default;
};

}  // namespace
}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::visit> : tablemap::test::keyed<tablemap::test::visit> {};

namespace tablemap::test {
namespace {

/// The stored text of a time that is so long after 1970.
std::string stored(std::chrono::nanoseconds since_1970) {
    auto const r = detail::convert_to(fine_time{since_1970});
    return r ? r->text() : r.error().what();
}

result<fine_time> reading(std::string const& text) { return detail::convert_from<fine_time>(*ticks::parse(text)); }

TEST(system_time_converter, stores_whole_ticks) {
    EXPECT_EQ(stored(0ns), "1970-01-01T00:00:00Z");
    EXPECT_EQ(stored(1s + 100ns), "1970-01-01T00:00:01.0000001Z");
    EXPECT_EQ(*reading("1970-01-01T00:00:01.0000001Z"), fine_time{1s + 100ns});
}

TEST(system_time_converter, rounds_down_before_and_after_1970) {
    EXPECT_EQ(stored(99ns), "1970-01-01T00:00:00Z");
    EXPECT_EQ(stored(199ns), "1970-01-01T00:00:00.0000001Z");
    EXPECT_EQ(stored(-1ns), "1969-12-31T23:59:59.9999999Z");
    EXPECT_EQ(stored(-100ns), "1969-12-31T23:59:59.9999999Z");
    EXPECT_EQ(stored(-101ns), "1969-12-31T23:59:59.9999998Z");
}

TEST(system_time_converter, any_time_reads_back_as_its_tick) {
    random_source random;
    for (int i = 0; i < 2000; ++i) {
        fine_time const t{std::chrono::nanoseconds{random.integer() / 2}};
        auto const back = detail::convert_from<fine_time>(*detail::convert_to(t));
        ASSERT_TRUE(back);
        ASSERT_EQ(*back, std::chrono::floor<tick_duration>(t));
    }
}

TEST(system_time_converter, stores_every_time_whose_tick_reads_back) {
    EXPECT_EQ(stored(std::chrono::nanoseconds::max()), "2262-04-11T23:47:16.8547758Z");
    EXPECT_EQ(stored(-9'223'372'036'854'775'800ns), "1677-09-21T00:12:43.1452242Z");
    for (auto const& t : {-9'223'372'036'854'775'801ns, std::chrono::nanoseconds::min()})
        EXPECT_TRUE(failed_with(detail::convert_to(fine_time{t}), library_errc::value_out_of_range));
}

TEST(system_time_converter, reads_what_64_bits_of_nanoseconds_hold) {
    EXPECT_EQ(reading("2262-04-11T23:47:16.8547758Z")->time_since_epoch(), 9'223'372'036'854'775'800ns);
    EXPECT_EQ(reading("1677-09-21T00:12:43.1452242Z")->time_since_epoch(), -9'223'372'036'854'775'800ns);
    for (auto const* text : {"2262-04-11T23:47:16.8547759Z", "1677-09-21T00:12:43.1452241Z", "1601-01-01T00:00:00Z",
                             "9999-12-31T23:59:59.9999999Z"}) {
        auto const r = reading(text);
        ASSERT_TRUE(failed_with(r, library_errc::type_mismatch)) << text;
        EXPECT_NE(r.error().details().reason.find("1677 to 2262"), std::string::npos);
    }
}

TEST(system_time_converter, refuses_years_that_the_service_does_not_have) {
    using time = std::chrono::sys_time<half_ticks>;
    for (auto const count : {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
        auto const r = detail::convert_to(time{half_ticks{count}});
        ASSERT_TRUE(failed_with(r, library_errc::value_out_of_range));
        EXPECT_EQ(r.error().details().reason, "times lie in the years 1601 to 9999");
        EXPECT_TRUE(failed_with(detail::convert_from<time>(ticks{count}), library_errc::type_mismatch));
    }
    for (auto const limit : {ticks::min(), ticks::max()})
        EXPECT_EQ(*detail::convert_to(*detail::convert_from<time>(limit)), limit);
}

TEST(system_time_converter, refuses_what_a_narrow_count_does_not_hold) {
    using time = std::chrono::sys_time<few_nanoseconds>;
    auto const epoch = *ticks::parse("1970-01-01T00:00:00Z");
    EXPECT_EQ(detail::convert_from<time>(epoch + tick_duration{327})->time_since_epoch().count(), 32'700);
    EXPECT_TRUE(failed_with(detail::convert_from<time>(epoch + tick_duration{328}), library_errc::type_mismatch));
    EXPECT_TRUE(detail::convert_to(time{few_nanoseconds{-32'700}}));
    EXPECT_TRUE(failed_with(detail::convert_to(time{few_nanoseconds{-32'701}}), library_errc::value_out_of_range));
}

TEST(system_time_converter, is_for_units_finer_than_a_tick_alone) {
    EXPECT_TRUE(has_converter<fine_time>);
    EXPECT_FALSE(has_converter<std::chrono::sys_time<tick_duration>>);
    EXPECT_FALSE(has_converter<std::chrono::sys_seconds>);
    EXPECT_FALSE(has_converter<std::chrono::sys_time<thirty_nanoseconds>>);
    EXPECT_FALSE(has_converter<std::chrono::sys_time<real_nanoseconds>>);
    EXPECT_TRUE(detail::is_property_value<std::chrono::system_clock::time_point>());
}

TEST(system_time_converter, round_trips_in_an_entity) {
    EXPECT_TRUE(round_trips(visit{"k", fine_time{1s}, {}},
                            R"("began@odata.type":"Edm.DateTime","began":"1970-01-01T00:00:01Z")"));
    EXPECT_TRUE(unreadable<visit>(R"("began@odata.type":"Edm.DateTime","began":"2263-01-01T00:00:00Z")",
                                  library_errc::type_mismatch, "began"));
}

TEST(system_time_converter, applies_in_json) {
    std::string text;
    ASSERT_TRUE(detail::append_json(text, std::vector{fine_time{1s + 99ns}}));
    EXPECT_EQ(text, R"(["1970-01-01T00:00:01Z"])");
    std::vector<fine_time> back;
    ASSERT_TRUE(detail::read_json(text, back));
    EXPECT_EQ(back, std::vector{fine_time{1s}});
}

TEST(system_time_converter, rounds_the_times_of_filters_alike) {
    std::string text;
    auto const late = detail::as_condition(field<&visit::began> >= fine_time{1s + 199ns});
    ASSERT_TRUE(filter::append_odata(text, late.expression()));
    EXPECT_EQ(text, "began ge datetime'1970-01-01T00:00:01.0000001Z'");
}

}  // namespace
}  // namespace tablemap::test
