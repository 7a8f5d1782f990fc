// SPDX-License-Identifier: Apache-2.0
#include "tablemap/edm/converter.hpp"
#include "tablemap/mapping/converters/json_document.hpp"

#include "support/answers.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>

namespace {

using namespace tablemap;
using test::failed_with;

struct money {
    std::int64_t cents{};
};

struct percentage {
    int value{};
};

struct plain {};

}  // namespace

template <> struct tablemap::converter<money> {
    using stored = std::int64_t;
    static stored to_property(money const& m) { return m.cents; }
    static money from_property(stored const& cents) { return {cents}; }
};

template <> struct tablemap::converter<percentage> {
    using stored = std::int32_t;
    static result<stored> to_property(percentage const& p) {
        if (p.value > 100) return fail(library_errc::value_out_of_range, {.reason = "a percentage is at most 100"});
        return p.value;
    }
    static result<percentage> from_property(stored v) {
        if (v > 100) return fail(library_errc::type_mismatch, {.reason = "a percentage is at most 100"});
        return percentage{v};
    }
};

namespace {

static_assert(has_converter<money> && has_converter<json_document> && !has_converter<plain> && !has_converter<int>);
static_assert(detail::converter_fault_of<percentage> == detail::converter_fault::none);
static_assert(detail::converter_fault_of<plain> == detail::converter_fault::missing);

TEST(converter, may_return_plain_values) {
    EXPECT_EQ(detail::convert_to(money{250}), 250);
    EXPECT_EQ(detail::convert_from<money>(250)->cents, 250);
}

TEST(converter, may_return_results) {
    EXPECT_EQ(detail::convert_to(percentage{99}), 99);
    EXPECT_EQ(detail::convert_from<percentage>(99)->value, 99);
    EXPECT_TRUE(failed_with(detail::convert_to(percentage{101}), library_errc::value_out_of_range));
    EXPECT_TRUE(failed_with(detail::convert_from<percentage>(101), library_errc::type_mismatch));
}

TEST(json_document, keeps_its_text) {
    std::string const text = R"( { "b" : 1.50, "a" : [ ] } )";
    EXPECT_EQ(json_document::parse(text)->text(), text);
    EXPECT_EQ(json_document{}.text(), "null");
    EXPECT_NE(*json_document::parse("[1]"), *json_document::parse("[ 1]"));
}

TEST(json_document, refuses_what_is_not_json) {
    for (char const* const text : {"", "{", "{\"a\":1,\"a\":2}", "1 2", "\"\xFF\""})
        EXPECT_TRUE(failed_with(json_document::parse(text), library_errc::type_mismatch)) << text;
}

TEST(json_document, is_stored_as_its_text) {
    EXPECT_EQ(detail::convert_to(*json_document::parse("[ 1 ]")), "[ 1 ]");
    EXPECT_EQ(detail::convert_from<json_document>("[ 1 ]")->text(), "[ 1 ]");
    EXPECT_TRUE(failed_with(detail::convert_from<json_document>("[ 1"), library_errc::type_mismatch));
}

}  // namespace
