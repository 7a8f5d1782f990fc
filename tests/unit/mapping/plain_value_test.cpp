// SPDX-License-Identifier: Apache-2.0
#include "mapping/plain_value.hpp"

#include "tablemap/detail/wire/writer.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace {

using namespace tablemap;
using namespace std::literals;

std::vector<property_value> const samples{"Ann \"\u00e9\" \n\0."s,
                                          true,
                                          std::int32_t{-2},
                                          std::int64_t{1} << 40,
                                          -0.5,
                                          ticks{630822816000000001},
                                          guid{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
                                          bytes{std::byte{0}, std::byte{255}}};

library_errc fault_of(property_value const& v) {
    std::string out{"before"};
    auto const fault = detail::append_as(detail::value_form::plain, out, v);
    EXPECT_EQ(out, "before") << "a value that was refused";
    return fault;
}

TEST(plain_value, has_the_bytes_that_the_format_states) {
    EXPECT_EQ(detail::plain_of(true), "\1");
    EXPECT_EQ(detail::plain_of(std::int32_t{-2}), "\xFF\xFF\xFF\xFE");
    EXPECT_EQ(detail::plain_of(std::int64_t{258}), "\0\0\0\0\0\0\1\2"s);
    EXPECT_EQ(detail::plain_of(-0.5), "\xBF\xE0\0\0\0\0\0\0"s);
    EXPECT_EQ(detail::plain_of(ticks{1}), "\0\0\0\0\0\0\0\1"s);
    EXPECT_EQ(detail::plain_of("\u00e9"s), "\xC3\xA9");
}

TEST(plain_value, reads_back) {
    for (auto const& v : samples) EXPECT_EQ(detail::value_of_plain(type_of(v), detail::plain_of(v)), v);
}

TEST(plain_value, is_the_same_from_json) {
    for (auto const& v : samples) {
        std::string json;
        detail::append_any_value(json, v);
        EXPECT_EQ(detail::plain_of_json(type_of(v), json).value(), detail::plain_of(v)) << json;
    }
}

TEST(plain_value, has_one_form_for_all_that_are_no_number) {
    auto const nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(detail::plain_of(-nan), detail::plain_of(nan));
}

TEST(plain_value, of_another_size_is_none) {
    for (auto const& v : samples) {
        bool const any_size = type_of(v) == edm_type::string || type_of(v) == edm_type::binary;
        EXPECT_EQ(detail::value_of_plain(type_of(v), detail::plain_of(v) + "x").has_value(), any_size) << v.index();
    }
    EXPECT_FALSE(detail::value_of_plain(edm_type::string, "\xFF"));
    EXPECT_FALSE(detail::value_of_plain(edm_type::datetime, "\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF"));
}

TEST(plain_value, has_the_limits_of_what_is_stored_in_the_open) {
    EXPECT_EQ(fault_of("\xFF"s), library_errc::invalid_text);
    EXPECT_EQ(fault_of(std::string(32'769, 'x')), library_errc::value_too_large);
    EXPECT_EQ(fault_of(bytes(65'537)), library_errc::value_too_large);
    EXPECT_EQ(fault_of(ticks{-1}), library_errc::value_out_of_range);
}

TEST(plain_value, has_a_number_for_each_type) {
    for (auto const& v : samples) EXPECT_EQ(detail::type_of_number(detail::number_of(type_of(v))), type_of(v));
    EXPECT_FALSE(detail::type_of_number(0));
    EXPECT_FALSE(detail::type_of_number(9));
}

}  // namespace
