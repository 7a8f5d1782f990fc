// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/wire/json_value.hpp"

#include "support/answers.hpp"
#include "tablemap/detail/wire/reader.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace {

using namespace tablemap;
using namespace tablemap::detail;
using test::failed_with;

/// The tree of this text, which must outlive it.
json_value tree_of(std::string_view text) {
    auto r = parse_json(text);
    if (!r) ADD_FAILURE() << text << ": " << r.error().what();
    return r.value_or(json_value{});
}

std::string reason_of(std::string_view text) {
    auto const r = parse_json(text);
    return r ? "it was accepted" : r.error().details().reason;
}

TEST(json_value, reads_each_kind) {
    EXPECT_EQ(tree_of("null").kind, json_kind::null);
    EXPECT_TRUE(tree_of(" true ").boolean);
    EXPECT_EQ(tree_of("-12").integer, -12);
    EXPECT_EQ(tree_of("2.5e3").real, 2500.0);
    EXPECT_EQ(tree_of(R"("a\n\u00e9")").text, "a\n\xC3\xA9");
    EXPECT_EQ(tree_of("[]").kind, json_kind::array);
    EXPECT_EQ(tree_of("{}").kind, json_kind::object);
}

TEST(json_value, keeps_the_order_of_an_object) {
    auto const v = tree_of(R"({"b":1,"a":[2,{"c":3}]})");
    EXPECT_EQ(v.names, (std::vector<std::string>{"b", "a"}));
    ASSERT_NE(v.find("a"), nullptr);
    EXPECT_EQ(v.find("a")->items.at(1).find("c")->integer, 3);
    EXPECT_EQ(v.find("c"), nullptr);
}

TEST(json_value, tells_how_each_value_was_written) {
    std::string_view const text = R"( { "a" : [ 1.50 , "x" ] , "b" : { } , "c" : 1e5 } )";
    auto const v = tree_of(text);
    EXPECT_EQ(v.source, text.substr(1, text.size() - 2));
    EXPECT_EQ(v.find("a")->source, R"([ 1.50 , "x" ])");
    EXPECT_EQ(v.find("a")->items[0].source, "1.50");
    EXPECT_EQ(v.find("b")->source, "{ }");
    EXPECT_EQ(v.find("c")->source, "1e5");
}

TEST(json_value, keeps_the_digits_of_an_integer_beyond_64_bits) {
    using limits = std::numeric_limits<std::int64_t>;
    EXPECT_EQ(tree_of("9223372036854775807").integer, limits::max());
    EXPECT_EQ(tree_of("-9223372036854775808").integer, limits::min());
    auto const beyond = tree_of("9223372036854775808");
    EXPECT_EQ(beyond.kind, json_kind::real);
    EXPECT_EQ(beyond.text, "9223372036854775808");
    EXPECT_EQ(beyond.real, 9223372036854775808.0);
    EXPECT_EQ(tree_of("12345678901234567890123456789").real, 1.2345678901234567890123456789e28);
    EXPECT_EQ(tree_of("1.5").text, "");
}

TEST(json_value, refuses_what_is_not_json) {
    for (std::string_view const text : {"",
                                        " ",
                                        "nul",
                                        "tru",
                                        "True",
                                        "NaN",
                                        "1.",
                                        "01",
                                        "+1",
                                        ".5",
                                        "1e",
                                        "-",
                                        "'a'",
                                        "\"a",
                                        "\"\n\"",
                                        "\"\\x\"",
                                        "\"\\ud800\"",
                                        "[1,]",
                                        "[,1]",
                                        "[1 2]",
                                        "[1",
                                        "1]",
                                        "{\"a\"}",
                                        "{\"a\":}",
                                        "{a:1}",
                                        "{\"a\":1,}",
                                        "{1:2}",
                                        "\"\xFF\"",
                                        "\"\xED\xA0\x80\"",
                                        "1e400"})
        EXPECT_TRUE(failed_with(parse_json(text), library_errc::type_mismatch)) << text;
}

TEST(json_value, refuses_text_after_the_value) {
    for (std::string_view const text : {"1 2", "1,2", "{} {}", "[],", "null x", "1],[2", "\"a\"\"b\""})
        EXPECT_TRUE(failed_with(parse_json(text), library_errc::type_mismatch)) << text;
}

TEST(json_value, refuses_a_name_that_stands_twice_in_an_object) {
    EXPECT_EQ(reason_of(R"({"a":1,"b":2,"a":3})"), "an object of the JSON has two members of one name");
    EXPECT_EQ(reason_of(R"([{"x":{"a":1,"\u0061":2}}])"), "an object of the JSON has two members of one name");
    EXPECT_TRUE(parse_json(R"([{"a":1},{"a":2,"A":{"a":3}}])"));
}

TEST(json_value, reads_64_levels_and_no_more) {
    auto const nested = [](std::size_t n) { return std::string(n, '[') + std::string(n, ']'); };
    EXPECT_TRUE(parse_json(nested(64)));
    EXPECT_EQ(reason_of(nested(65)), "JSON of more than 64 levels");
    EXPECT_EQ(reason_of(std::string(100'000, '[')).find("it was accepted"), std::string::npos);
}

TEST(json_value, names_no_value_in_its_errors) {
    EXPECT_EQ(reason_of(R"({"password":"secret"} trailing)").find("secret"), std::string::npos);
    EXPECT_EQ(reason_of(R"({"password":secret})").find("secret"), std::string::npos);
}

TEST(json_value, depth_counts_brackets_outside_text_only) {
    EXPECT_EQ(json_depth("1"), 0u);
    EXPECT_EQ(json_depth("[]"), 1u);
    EXPECT_EQ(json_depth(R"({"a[[":[1,{"b":"\"[["}],"c":[]})"), 3u);
}

/// Parses its property's text while the entity it stands in is half read.
class nosy_sink final : public entity_sink {
public:
    bool begin() override { return true; }
    bool end() override { return true; }
    bool property(std::string_view name, json_token const& value) override {
        auto const r = parse_json(value.text);
        seen += name;
        seen += r ? std::string{"="} + std::to_string(r->items.size()) + " " : " failed ";
        return true;
    }
    std::string seen{};
};

TEST(json_value, is_read_while_an_entity_is_being_read) {
    std::string entity = R"({"a":"[1,2,3]","b":"{\"x\":[]}","c":"[]"})";
    nosy_sink sink;
    ASSERT_TRUE(read_entity(entity, sink));
    EXPECT_EQ(sink.seen, "a=3 b=1 c=0 ");
}

}  // namespace
