// SPDX-License-Identifier: Apache-2.0
#include "tablemap/mapping/converters/decimal.hpp"

#include "support/answers.hpp"
#include "support/random.hpp"

#include <gtest/gtest.h>

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace tablemap;
using test::failed_with;

decimal of(std::string_view text) {
    auto r = decimal::parse(text);
    if (!r) ADD_FAILURE() << text << ": " << r.error().what();
    return r.value_or(decimal{});
}

TEST(decimal, keeps_the_scale) {
    EXPECT_EQ(of("12.50").text(), "12.50");
    EXPECT_EQ(of("12.50").scale(), 2u);
    EXPECT_EQ(of("-0.001").text(), "-0.001");
    EXPECT_EQ(of("7").scale(), 0u);
    EXPECT_EQ(decimal{}.text(), "0");
}

TEST(decimal, drops_leading_zeros_and_the_sign_of_zero) {
    EXPECT_EQ(of("007.10").text(), "7.10");
    EXPECT_EQ(of("000").text(), "0");
    EXPECT_EQ(of("-0").text(), "0");
    EXPECT_EQ(of("-00.00").text(), "0.00");
}

TEST(decimal, refuses_other_text) {
    for (std::string_view const text :
         {"", "-", "+1", " 1", "1 ", ".5", "5.", "1..2", "1.2.3", "1,5", "1e3", "0x1", "NaN", "--1", "1-", "\xD9\xA1"})
        EXPECT_TRUE(failed_with(decimal::parse(text), library_errc::type_mismatch)) << text;
}

TEST(decimal, holds_1000_digits_and_no_more) {
    std::string const most = "-" + std::string(600, '9') + "." + std::string(400, '1');
    EXPECT_EQ(of("-000" + most.substr(1)).text(), most);
    EXPECT_TRUE(failed_with(decimal::parse(most + "1"), library_errc::value_out_of_range));
}

TEST(decimal, names_no_value_in_its_errors) {
    EXPECT_EQ(std::string{decimal::parse("12345x").error().what()}.find("12345"), std::string::npos);
}

TEST(decimal, compares_numbers_and_not_texts) {
    EXPECT_EQ(of("12.5"), of("12.50"));
    EXPECT_EQ(of("0"), of("0.000"));
    EXPECT_LT(of("9"), of("10"));
    EXPECT_LT(of("1.09"), of("1.1"));
    EXPECT_LT(of("1"), of("1.01"));
    EXPECT_LT(of("-2"), of("-1.5"));
    EXPECT_LT(of("-0.1"), of("0"));
    EXPECT_GT(of("0.1"), of("-5"));
}

TEST(decimal, is_stored_as_its_text) {
    EXPECT_EQ(detail::convert_to(of("12.50")), "12.50");
    EXPECT_EQ(detail::convert_from<decimal>("12.50")->text(), "12.50");
    EXPECT_TRUE(failed_with(detail::convert_from<decimal>("twelve"), library_errc::type_mismatch));
}

/// A text of `units` times ten to the power of minus `scale`.
std::string scaled(std::int64_t units, unsigned scale) {
    std::string digits = std::to_string(units < 0 ? -units : units);
    if (digits.size() <= scale) digits.insert(0, scale + 1 - digits.size(), '0');
    if (scale > 0) digits.insert(digits.size() - scale, ".");
    return (units < 0 ? "-" : "") + digits;
}

TEST(decimal, any_text_reads_back_and_compares_as_its_number) {
    test::random_source random;
    auto const any = [&] { return static_cast<std::int64_t>(random.below(2'000'001)) - 1'000'000; };
    for (int i = 0; i < 3000; ++i) {
        auto const a = any();
        auto const b = random.coin() ? any() : a;
        auto const scale_a = static_cast<unsigned>(random.below(7));
        auto const scale_b = static_cast<unsigned>(random.below(7));
        EXPECT_EQ(of(scaled(a, scale_a)).text(), scaled(a, scale_a));
        auto const in_millionths = [](std::int64_t units, unsigned scale) {
            for (; scale < 6; ++scale) units *= 10;
            return units;
        };
        EXPECT_EQ(of(scaled(a, scale_a)) <=> of(scaled(b, scale_b)),
                  std::weak_ordering{in_millionths(a, scale_a) <=> in_millionths(b, scale_b)})
            << scaled(a, scale_a) << ' ' << scaled(b, scale_b);
    }
}

}  // namespace
