// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/mapping/json.hpp"

#include "support/answers.hpp"
#include "unit/mapping/json_samples.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

namespace {

using namespace tablemap;
using namespace tablemap::detail;
using test::failed_with;

template <class V> V from(std::string_view json, V v = {}) {
    if (auto const r = read_json(json, v); !r) ADD_FAILURE() << json << ": " << r.error().what();
    return v;
}

/// The reason for which this is no V. Every refusal has the same code.
template <class V> std::string refusal(std::string_view json) {
    V v{};
    auto const r = read_json(json, v);
    EXPECT_TRUE(failed_with(r, library_errc::type_mismatch)) << json;
    return r ? "" : r.error().details().reason;
}

TEST(json_member, reads_integers_within_the_range_of_their_type) {
    EXPECT_EQ(from<std::int8_t>("-128"), -128);
    EXPECT_EQ(from<std::uint8_t>("255"), 255);
    EXPECT_EQ(from<std::uint64_t>("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
    std::string const out_of_range = "$: the integer does not fit the member's type; give the member a wider one";
    EXPECT_EQ(refusal<std::int8_t>("-129"), out_of_range);
    EXPECT_EQ(refusal<std::uint8_t>("256"), out_of_range);
    EXPECT_EQ(refusal<std::uint32_t>("-1"), out_of_range);
    EXPECT_EQ(refusal<std::int64_t>("9223372036854775808"), out_of_range);
    EXPECT_EQ(refusal<std::uint64_t>("18446744073709551616"), out_of_range);
    EXPECT_EQ(refusal<std::uint64_t>("-9223372036854775809"), out_of_range);
}

TEST(json_member, reads_any_number_as_double) {
    EXPECT_EQ(from<double>("3"), 3.0);
    EXPECT_EQ(from<double>("1e-3"), 0.001);
    EXPECT_EQ(from<double>("18446744073709551616"), 18446744073709551616.0);
}

TEST(json_member, tells_what_was_expected_and_what_was_found) {
    EXPECT_EQ(refusal<bool>("1"), "$: expected a boolean, found an integer");
    EXPECT_EQ(refusal<int>("1.0"), "$: expected an integer, found a number with a fraction or exponent");
    EXPECT_EQ(refusal<int>("\"1\""), "$: expected an integer, found text");
    EXPECT_EQ(refusal<double>("null"), "$: expected a number, found null");
    EXPECT_EQ(refusal<std::string>("{}"), "$: expected text, found an object");
    EXPECT_EQ(refusal<std::vector<int>>("true"), "$: expected an array, found a boolean");
    EXPECT_EQ(refusal<samples::line>("[]"), "$: expected an object, found an array");
    EXPECT_EQ(refusal<bool>("18446744073709551616"), "$: expected a boolean, found an integer beyond 64 bits");
    EXPECT_EQ((refusal<std::array<int, 2>>("[1,2,3]")), "$: expected 2 elements, found 3");
}

TEST(json_member, refuses_other_text_for_typed_text) {
    EXPECT_EQ(refusal<ticks>("\"noon\""), "$: expected a time such as 2014-07-01T12:00:00Z, found other text");
    EXPECT_EQ(refusal<guid>("\"1\""), "$: expected a guid of 36 characters, found other text");
    EXPECT_EQ(refusal<bytes>("\"A\""), "$: expected bytes in padded base64, found other text");
    std::string const unlisted = "$: the stored value is none that tablemap::enumeration lists for the member's enum";
    EXPECT_EQ(refusal<samples::level>("\"Junior\""), unlisted);
    EXPECT_EQ(refusal<samples::state>("0"), unlisted);
    EXPECT_EQ(refusal<samples::code>("256"), unlisted);
    EXPECT_EQ(refusal<samples::level>("0"), "$: expected text, found an integer");
}

TEST(json_member, names_the_place_of_what_it_refuses) {
    EXPECT_EQ(refusal<samples::everything>(R"({"lines":[{},{},{"count":"three"}]})"),
              "$.lines[2].count: expected an integer, found text");
    EXPECT_EQ(refusal<samples::everything>(R"({"tags":{"secret":["a",1]}})"),
              "$.tags.*[1]: expected text, found an integer");
    EXPECT_EQ(refusal<samples::everything>(R"({"first":{"price":true}})"),
              "$.first.price: expected text, found a boolean");
    EXPECT_EQ(refusal<samples::everything>(R"({"pause":1})"),
              "$.pause: the stored duration is no whole number of the member's unit; give the member a finer one");
}

TEST(json_member, keeps_defaults_where_names_are_absent_and_empties_optionals) {
    auto const v = from<samples::defaults>("{}");
    EXPECT_EQ(v.number, 5);
    EXPECT_EQ(v.maybe, std::nullopt);
    EXPECT_EQ(v.text, "text");
    EXPECT_EQ(refusal<samples::defaults>(R"({"number":null})"), "$.number: expected an integer, found null");
}

TEST(json_member, passes_over_names_that_the_struct_has_not) {
    EXPECT_EQ(from<samples::defaults>(R"({"other":[{}],"number":7,"Number":8})").number, 7);
}

TEST(json_member, reads_tuples_of_exactly_their_elements) {
    using triple = std::tuple<bool, std::string, std::vector<int>>;
    EXPECT_EQ(from<triple>(R"([true,"a",[1]])"), (triple{true, "a", {1}}));
    EXPECT_EQ((from<std::pair<int, double>>("[1,2]")), (std::pair{1, 2.0}));
    EXPECT_EQ(refusal<triple>(R"([true,"a"])"), "$: expected 3 elements, found 2");
    EXPECT_EQ((refusal<std::pair<int, int>>("[1,2,3]")), "$: expected 2 elements, found 3");
    EXPECT_EQ(refusal<std::tuple<>>("[null]"), "$: expected 0 elements, found 1");
    EXPECT_EQ(refusal<triple>("{}"), "$: expected an array, found an object");
    EXPECT_EQ(refusal<triple>(R"([true,"a",[1,"b"]])"), "$[2][1]: expected an integer, found text");
}

TEST(json_member, reads_sets_of_different_elements) {
    EXPECT_EQ(from<std::set<int>>("[3,1,2]", {7}), (std::set{1, 2, 3}));
    EXPECT_EQ(from<std::unordered_set<std::string>>(R"(["a","b"])").size(), 2u);
    std::string const repeated = "$[2]: the set has this element already; use std::vector to keep both";
    EXPECT_EQ(refusal<std::set<int>>("[1,2,1]"), repeated);
    EXPECT_EQ(refusal<std::set<double>>("[1,2,1.0]"), repeated);
    EXPECT_EQ(refusal<std::unordered_set<std::string>>(R"(["a","b","\u0061"])"), repeated);
    EXPECT_EQ(refusal<std::set<int>>(R"([1,"2"])"), "$[1]: expected an integer, found text");
    EXPECT_EQ(refusal<std::set<int>>("null"), "$: expected an array, found null");
}

TEST(json_member, reads_the_alternative_of_a_variant_that_the_kind_tells) {
    using choice = std::variant<std::monostate, bool, double, ticks, std::set<int>, std::map<std::string, int>>;
    EXPECT_EQ(from<choice>("null", choice{true}).index(), 0u);
    EXPECT_EQ(from<choice>("true"), choice{true});
    EXPECT_EQ(from<choice>("3"), choice{3.0});
    EXPECT_EQ(from<choice>("0.5"), choice{0.5});
    EXPECT_EQ(from<choice>(R"("2024-02-05T10:15:00Z")"), choice{*ticks::parse("2024-02-05T10:15:00Z")});
    EXPECT_EQ(from<choice>("[1]"), choice{std::set<int>{1}});
    EXPECT_EQ(from<choice>(R"({"a":1})"), (choice{std::map<std::string, int>{{"a", 1}}}));
}

TEST(json_member, refuses_what_no_alternative_of_a_variant_is) {
    using choice = std::variant<std::optional<std::int8_t>, samples::level, std::vector<int>>;
    EXPECT_EQ(refusal<choice>("{}"), "$: expected null or a number or text or an array, found an object");
    EXPECT_EQ(refusal<choice>("true"), "$: expected null or a number or text or an array, found a boolean");
    EXPECT_EQ(refusal<choice>("1.5"), "$: expected an integer, found a number with a fraction or exponent");
    EXPECT_EQ(refusal<choice>("128"), "$: the integer does not fit the member's type; give the member a wider one");
    EXPECT_EQ(refusal<choice>("[1,[]]"), "$[1]: expected an integer, found an array");
    EXPECT_EQ(refusal<std::vector<choice>>(R"([1,"junior",{}])").substr(0, 5), "$[2]:");
    EXPECT_EQ(from<choice>("null", choice{samples::level::senior}), choice{std::optional<std::int8_t>{}});
}

TEST(json_member, reads_variants_within_variants_and_structs) {
    using choice = std::variant<std::variant<bool, std::string>, std::variant<std::monostate, int>>;
    EXPECT_EQ(from<choice>(R"("a")").index(), 0u);
    EXPECT_EQ(from<choice>("null").index(), 1u);
    EXPECT_EQ(from<choice>("7"), (choice{std::variant<std::monostate, int>{7}}));
    EXPECT_EQ(from<samples::branch>(R"({"parts":[{"parts":1}]})"),
              (samples::branch{std::vector<samples::branch>{{1}}}));
    EXPECT_EQ(refusal<samples::branch>(R"({"parts":[{"parts":"1"}]})"),
              "$.parts[0].parts: expected a number or an array, found text");
}

TEST(json_member, tells_kinds_apart_by_what_is_written) {
    EXPECT_FALSE((json_form<std::variant<std::string, ticks>>));
    EXPECT_FALSE((json_form<std::variant<int, double>>));
    EXPECT_FALSE((json_form<std::variant<std::vector<int>, std::set<int>>>));
    EXPECT_FALSE((json_form<std::variant<samples::line, std::map<std::string, int>>>));
    EXPECT_FALSE((json_form<std::variant<std::chrono::milliseconds, int>>));
    EXPECT_FALSE((json_form<std::variant<json_document, int>>));
    EXPECT_FALSE((json_form<std::variant<std::monostate, std::optional<int>>>));
    EXPECT_TRUE((json_form<std::variant<decimal, std::chrono::milliseconds, bool>>));
    EXPECT_FALSE((json_form<std::optional<std::variant<std::monostate, int>>>));
    EXPECT_TRUE((json_form<std::optional<std::variant<bool, int>>>));
}

TEST(json_member, replaces_what_containers_held) {
    EXPECT_EQ(from("[3]", std::vector<int>{1, 2}), (std::vector<int>{3}));
    EXPECT_EQ(from("{\"b\":3}", std::map<std::string, int>{{"a", 1}}), (std::map<std::string, int>{{"b", 3}}));
    EXPECT_EQ(from("null", std::optional<int>{1}), std::nullopt);
}

TEST(json_member, takes_documents_as_they_stand) {
    auto const v = from<std::vector<json_document>>(R"([ { "a" : 1.50 } , 1e2 ,null])");
    ASSERT_EQ(v.size(), 3u);
    EXPECT_EQ(v[0].text(), R"({ "a" : 1.50 })");
    EXPECT_EQ(v[1].text(), "1e2");
    EXPECT_EQ(v[2], json_document{});
}

TEST(json_member, refuses_text_that_is_not_json) {
    int v{};
    EXPECT_TRUE(failed_with(read_json("1 2", v), library_errc::type_mismatch));
    EXPECT_TRUE(failed_with(read_json("", v), library_errc::type_mismatch));
}

}  // namespace
