// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/query/element.hpp"

#include "tablemap/filter/odata.hpp"
#include "tablemap/query/field.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace tablemap {
namespace {

struct shift {
    series<bool, 3> open{};
};

struct day {
    std::string user{};
    std::string date{};
    series<std::int32_t, 24> messages{};
    series<std::string, 150> notes{};
    std::array<std::int64_t, 11> steps{};
    shift at{};
};

}  // namespace

template <> struct mapping<shift> {};
template <> struct mapping<day> {
    static constexpr auto partition_key = key(part<&day::user>);
    static constexpr auto row_key = key(part<&day::date>);
    static constexpr auto members = tablemap::members(member<&day::messages>.named("Messages"),
                                                      member<&day::steps>.numbered(), member<&day::at>.flattened());
};

namespace {

template <class C> std::string odata(C const& c) {
    auto const whole = detail::as_condition(c);
    if (whole.fault()) return std::string{"fault at "} + whole.fault()->member();
    std::string text;
    auto const r = filter::append_odata(text, whole.expression());
    return r ? text : "refused";
}

TEST(element_condition, names_an_element_of_a_series_with_two_digits_at_least) {
    EXPECT_EQ(odata(element<&day::messages, 7> > 10), "Messages_07 gt 10");
    EXPECT_EQ(odata(element<&day::messages, 23> != 0), "Messages_23 ne 0");
    EXPECT_EQ(odata(element<&day::notes, 149> == "x"), "notes_149 eq 'x'");
    EXPECT_EQ(odata(element<&day::steps, 7> > 10), "steps_7 gt 10L");
}

TEST(element_condition, takes_a_number_known_at_run_time) {
    for (int hour : {0, 9, 23})
        EXPECT_EQ(odata(element<&day::messages>(hour) >= 5),
                  "Messages_" + std::string(hour < 10 ? "0" : "") + std::to_string(hour) + " ge 5");
    EXPECT_EQ(odata(element<&day::steps>(10u) > 10), "steps_10 gt 10L");
    EXPECT_EQ(odata(starts_with(element<&day::notes>(3), "ab")), "(notes_03 ge 'ab') and (notes_03 lt 'ac')");
    EXPECT_EQ(odata(element<&day::messages>(1) == 1 && element<&day::messages>(2) == 2),
              "(Messages_01 eq 1) and (Messages_02 eq 2)");
}

TEST(element_condition, reaches_into_nested_structs) {
    EXPECT_EQ(odata(element<&day::at, &shift::open, 1>), "at_open_01 eq true");
    EXPECT_EQ(odata(!element<&day::at, &shift::open>(2)), "at_open_02 eq false");
}

TEST(element_condition, beyond_the_last_element_is_a_fault) {
    EXPECT_EQ(odata(element<&day::messages>(24) > 1), "fault at Messages");
    EXPECT_EQ(odata(element<&day::messages>(-1) > 1), "fault at Messages");
    EXPECT_EQ(odata(element<&day::steps>(11) > 1), "fault at steps");
    auto const c = detail::as_condition(element<&day::messages>(24) > 1);
    EXPECT_EQ(c.fault()->code(), library_errc::invalid_property_name);
}

}  // namespace
}  // namespace tablemap
