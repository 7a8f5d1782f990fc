// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/mapping/json.hpp"

#include "support/answers.hpp"
#include "unit/mapping/json_samples.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

namespace {

using namespace tablemap;
using namespace tablemap::detail;
using test::failed_with;

template <class V> std::string json_of(V const& v) {
    std::string out;
    if (auto const r = append_json(out, v); !r) ADD_FAILURE() << r.error().what();
    return out;
}

template <class V> error write_error(V const& v) {
    std::string out;
    auto const r = append_json(out, v);
    if (r) ADD_FAILURE() << "written as " << out;
    return r ? error{library_errc::unsupported} : r.error();
}

TEST(json_text, holds_numbers_whole) {
    EXPECT_EQ(json_of(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
    EXPECT_EQ(json_of(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
    EXPECT_EQ(json_of(std::int8_t{65}), "65");
    EXPECT_EQ(json_of(0.1), "0.1");
    EXPECT_EQ(json_of(-0.0), "-0.0");
    EXPECT_EQ(json_of(true), "true");
}

TEST(json_text, holds_the_services_text_of_times_guids_and_bytes) {
    EXPECT_EQ(json_of(ticks::max()), R"("9999-12-31T23:59:59.9999999Z")");
    EXPECT_EQ(json_of(guid{}), R"("00000000-0000-0000-0000-000000000000")");
    EXPECT_EQ(json_of(bytes{std::byte{1}}), R"("AQ==")");
}

TEST(json_text, holds_containers_and_structs) {
    EXPECT_EQ(json_of(std::vector<bool>{true, false}), "[true,false]");
    EXPECT_EQ(json_of(std::array<int, 2>{1, 2}), "[1,2]");
    EXPECT_EQ(json_of(std::map<std::string, int>{{"b\"", 1}, {"a", 2}}), R"({"a":2,"b\"":1})");
    EXPECT_EQ(json_of(std::optional<int>{}), "null");
    EXPECT_EQ(json_of(samples::empty{}), "{}");
    EXPECT_EQ(json_of(samples::line{"x", *decimal::parse("12.50"), {}}),
              R"({"name":"x","price":"12.50","count":null})");
    EXPECT_EQ(json_of(samples::node{1, {{2, {}}}}), R"({"value":1,"children":[{"value":2,"children":[]}]})");
}

TEST(json_text, holds_tuples_and_sets_as_arrays) {
    EXPECT_EQ(json_of(std::pair<std::string, int>{"a", 1}), R"(["a",1])");
    EXPECT_EQ(json_of(std::tuple<bool, std::optional<int>, std::tuple<>>{true, {}, {}}), "[true,null,[]]");
    EXPECT_EQ(json_of(std::set<int>{3, 1, 2}), "[1,2,3]");
    EXPECT_EQ(json_of(std::unordered_set<std::string>{"a"}), R"(["a"])");
    EXPECT_EQ(json_of(std::set<int>{}), "[]");
}

using choice = decltype(samples::everything::choice);

TEST(json_text, holds_what_a_variant_holds) {
    EXPECT_EQ(json_of(choice{}), "null");
    EXPECT_EQ(json_of(choice{5}), "5");
    EXPECT_EQ(json_of(choice{"5"}), R"("5")");
    EXPECT_EQ(json_of(choice{samples::line{}}), R"({"name":"","price":"0","count":null})");
    EXPECT_EQ(json_of(samples::branch{std::vector<samples::branch>{{1}, {2}}}),
              R"({"parts":[{"parts":1},{"parts":2}]})");
}

struct throws_as_a_line {
    operator samples::line() const { throw std::runtime_error{"no line"}; }
};

TEST(json_text, refuses_a_variant_without_a_value) {
    choice v{};
    EXPECT_THROW(v.emplace<samples::line>(throws_as_a_line{}), std::runtime_error);
    ASSERT_TRUE(v.valueless_by_exception());
    EXPECT_EQ(write_error(v).details().reason,
              "$: the variant holds no value, since an exception prevented an assignment to it");
}

TEST(json_text, holds_enums_as_they_are_declared) {
    EXPECT_EQ(json_of(samples::level::senior), R"("senior")");
    EXPECT_EQ(json_of(samples::state::on), "7");
    EXPECT_EQ(json_of(samples::code{200}), "200");
}

TEST(json_text, embeds_documents_as_they_are) {
    EXPECT_EQ(json_of(std::vector<json_document>{{}, *json_document::parse(R"({ "a" : 1.50 })")}),
              R"([null,{ "a" : 1.50 }])");
}

TEST(json_text, refuses_values_that_json_has_not) {
    EXPECT_EQ(write_error(std::numeric_limits<double>::quiet_NaN()).code(), library_errc::value_out_of_range);
    EXPECT_EQ(write_error(-std::numeric_limits<double>::infinity()).code(), library_errc::value_out_of_range);
    EXPECT_EQ(write_error(std::string{"\xFF"}).code(), library_errc::invalid_text);
    EXPECT_EQ(write_error(std::map<std::string, int>{{"\xFF", 1}}).code(), library_errc::invalid_text);
    EXPECT_EQ(write_error(ticks{-1}).code(), library_errc::value_out_of_range);
    EXPECT_EQ(write_error(ticks::max() + tick_duration{1}).code(), library_errc::value_out_of_range);
    EXPECT_EQ(write_error(samples::level{9}).code(), library_errc::value_out_of_range);
    EXPECT_EQ(write_error(samples::state{3}).code(), library_errc::value_out_of_range);
}

TEST(json_text, names_the_place_of_what_it_refuses) {
    samples::everything v;
    v.lines.resize(3);
    v.lines[2].name = "secret\xFF";
    EXPECT_EQ(write_error(v).details().reason,
              "$.lines[2].name: the text is not UTF-8; use tablemap::bytes for data that is not text");
}

TEST(json_text, names_the_element_of_a_tuple_or_a_set_that_it_refuses) {
    EXPECT_EQ(write_error(std::pair<int, std::string>{1, "\xFF"}).details().reason.substr(0, 5), "$[1]:");
    EXPECT_EQ(write_error(std::set<std::string>{"a", "\xFF"}).details().reason.substr(0, 5), "$[1]:");
}

TEST(json_text, keeps_the_keys_of_maps_out_of_its_errors) {
    std::map<std::string, std::vector<double>> const v{{"secret", {0, std::numeric_limits<double>::infinity()}}};
    EXPECT_EQ(write_error(v).details().reason,
              "$.*[1]: JSON has no NaN and no infinity; use std::optional<double> for a number that may be missing");
}

TEST(json_text, names_the_place_of_a_converters_refusal) {
    std::vector<std::chrono::hours> const v{std::chrono::hours{1}, std::chrono::hours::max()};
    auto const e = write_error(v);
    EXPECT_EQ(e.code(), library_errc::value_out_of_range);
    EXPECT_EQ(e.details().reason, "$[1]: the duration is longer than Edm.Int64 holds in units of 100 ns");
}

TEST(json_text, of_tuples_sets_and_variants_is_never_deeper_either) {
    samples::branch b{1};
    for (int i = 0; i < 31; ++i) b.parts = std::vector{b};  // an object and an array each, and an object
    auto const deepest = json_of(b);
    EXPECT_EQ(json_depth(deepest), 63u);
    b.parts = std::vector{b};
    EXPECT_EQ(write_error(b).code(), library_errc::value_out_of_range);
    auto const document = *json_document::parse(std::string(63, '[') + std::string(63, ']'));
    EXPECT_EQ(json_of(std::tuple{document}).size(), 128u);
    EXPECT_EQ(write_error(std::pair{1, std::pair{document, 1}}).code(), library_errc::value_out_of_range);
    EXPECT_EQ(write_error(std::tuple{std::set<std::string>{}, std::tuple{document}}).code(),
              library_errc::value_out_of_range);
}

samples::node chain_of(std::size_t length) {
    samples::node n;
    for (; length > 1; --length) n = samples::node{0, {std::move(n)}};
    return n;
}

TEST(json_text, is_never_deeper_than_what_can_be_read) {
    auto const deepest = json_of(chain_of(32));  // an object and an array each
    EXPECT_EQ(json_depth(deepest), 64u);
    EXPECT_TRUE(parse_json(deepest));
    EXPECT_EQ(write_error(chain_of(33)).code(), library_errc::value_out_of_range);
    auto const document = *json_document::parse(std::string(63, '[') + std::string(63, ']'));
    EXPECT_EQ(json_of(std::vector<json_document>{document}).size(), 128u);
    EXPECT_EQ(write_error(std::vector<std::vector<json_document>>{{document}}).code(),
              library_errc::value_out_of_range);
}

}  // namespace
