// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/wire/reader.hpp"

#include "support/answers.hpp"
#include "support/random.hpp"
#include "tablemap/detail/wire/writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <ctime>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace tablemap;
using namespace tablemap::detail;
using test::failed_with;

result<stored_entity> read(std::string json) { return read_dynamic(json); }
result<std::vector<stored_entity>> read_all(std::string json) { return read_dynamic_page(json); }

stored_entity entity_of(std::string json) {
    auto r = read(json);
    if (!r) ADD_FAILURE() << json << ": " << r.error().what();
    return r.value_or(stored_entity{});
}

/// The value of the property x in an entity with these members behind its keys.
property_value x_of(std::string const& members) {
    auto const e = entity_of(R"({"PartitionKey":"p","RowKey":"r",)" + members + "}");
    auto const* v = e.find("x");
    if (!v) ADD_FAILURE() << "no property x in " << members;
    return v ? *v : property_value{};
}

struct typed_value {
    std::string json, type;
    property_value value;
};

std::vector<typed_value> values_of_every_type() {
    return {
        {R"("text")", "Edm.String", std::string{"text"}},
        {"true", "Edm.Boolean", true},
        {"-7", "Edm.Int32", std::int32_t{-7}},
        {R"("-9007199254740993")", "Edm.Int64", std::int64_t{-9'007'199'254'740'993}},
        {"7", "Edm.Int64", std::int64_t{7}},
        {"2.5", "Edm.Double", 2.5},
        {"5", "Edm.Double", 5.0},
        {R"("-Infinity")", "Edm.Double", -std::numeric_limits<double>::infinity()},
        {R"("2024-01-01T00:00:00.5Z")", "Edm.DateTime", ticks::parse("2024-01-01T00:00:00.5Z").value()},
        {R"("c9da6455-213d-42c9-9a79-3e9149a57833")", "Edm.Guid",
         guid::parse("c9da6455-213d-42c9-9a79-3e9149a57833").value()},
        {R"("AQI=")", "Edm.Binary", bytes{std::byte{1}, std::byte{2}}},
    };
}

// ---- types ----------------------------------------------------------------------------------------------------------

TEST(reader, takes_a_type_that_stands_before_its_property) {
    for (auto const& v : values_of_every_type())
        EXPECT_EQ(x_of(R"("x@odata.type":")" + v.type + R"(","x":)" + v.json), v.value) << v.type;
}

TEST(reader, takes_a_type_that_follows_its_property) {
    for (auto const& v : values_of_every_type())
        EXPECT_EQ(x_of(R"("x":)" + v.json + R"(,"x@odata.type":")" + v.type + '"'), v.value) << v.type;
}

TEST(reader, takes_a_type_that_follows_other_properties) {
    for (auto const& v : values_of_every_type())
        EXPECT_EQ(x_of(R"("x":)" + v.json + R"(,"y":1,"z":"2","x@odata.type":")" + v.type + '"'), v.value) << v.type;
}

TEST(reader, tells_the_type_by_the_token_where_none_is_declared) {
    EXPECT_EQ(x_of(R"("x":"2024-01-01T00:00:00Z")"), property_value{std::string{"2024-01-01T00:00:00Z"}});
    EXPECT_EQ(x_of(R"("x":false)"), property_value{false});
    EXPECT_EQ(x_of(R"("x":5)"), property_value{std::int32_t{5}});
    EXPECT_EQ(x_of(R"("x":5.0)"), property_value{5.0});
    EXPECT_EQ(x_of(R"("x":1e2)"), property_value{100.0});
    EXPECT_EQ(x_of(R"("x":1E+21)"), property_value{1e21});
}

TEST(reader, takes_the_smallest_integer_type_that_holds_the_number) {
    EXPECT_EQ(x_of(R"("x":2147483647)"), property_value{std::int32_t{2'147'483'647}});
    EXPECT_EQ(x_of(R"("x":-2147483648)"), property_value{std::numeric_limits<std::int32_t>::min()});
    EXPECT_EQ(x_of(R"("x":2147483648)"), property_value{std::int64_t{2'147'483'648}});
    EXPECT_EQ(x_of(R"("x":-2147483649)"), property_value{std::int64_t{-2'147'483'649}});
    EXPECT_EQ(x_of(R"("x":9223372036854775807)"), property_value{std::numeric_limits<std::int64_t>::max()});
    EXPECT_EQ(x_of(R"("x":-9223372036854775808)"), property_value{std::numeric_limits<std::int64_t>::min()});
}

TEST(reader, falls_back_to_a_double_beyond_64_bits) {
    EXPECT_EQ(x_of(R"("x":9223372036854775808)"), property_value{9223372036854775808.0});
    EXPECT_EQ(x_of(R"("x":18446744073709551616)"), property_value{18446744073709551616.0});
    EXPECT_EQ(x_of(R"("x":99999999999999999999)"), property_value{1e20});
    EXPECT_EQ(x_of(R"("x":99999999999999999999 ,"y":1)"), property_value{1e20});
    EXPECT_EQ(x_of(R"("x":-99999999999999999999)"), property_value{-1e20});
}

TEST(reader, reads_doubles_with_more_digits_than_64_bits_hold) {
    EXPECT_EQ(x_of(R"("x":140835665871306162176.0)"), property_value{140835665871306162176.0});
    EXPECT_EQ(x_of(R"("x":9223372036854775808.0)"), property_value{9223372036854775808.0});
    EXPECT_EQ(x_of(R"("x":0.1000000000000000055511151231257827021181583404541015625)"), property_value{0.1});
    EXPECT_EQ(x_of(R"("x":-123456789012345678901234567890e-20)"), property_value{-1234567890.1234567890});
}

TEST(reader, keeps_the_sign_of_zero_in_a_double) {
    auto const zero = x_of(R"("x":-0.0)");
    ASSERT_TRUE(std::holds_alternative<double>(zero));
    EXPECT_TRUE(std::signbit(std::get<double>(zero)));
}

TEST(reader, reads_nan_only_where_a_double_is_declared) {
    auto const nan = x_of(R"("x@odata.type":"Edm.Double","x":"NaN")");
    ASSERT_TRUE(std::holds_alternative<double>(nan));
    EXPECT_TRUE(std::isnan(std::get<double>(nan)));
    EXPECT_EQ(x_of(R"("x":"NaN")"), property_value{std::string{"NaN"}});
}

TEST(reader, names_the_property_of_a_value_that_it_cannot_read) {
    for (std::string const members : {R"("a":1,"x":[1])", R"("x":nul)", R"("x":1e999)", R"("x":1,"x":2)"}) {
        auto const r = read("{" + members + "}");
        ASSERT_TRUE(failed_with(r, library_errc::malformed_response)) << members;
        EXPECT_EQ(r.error().member(), "x") << members;
    }
}

TEST(reader, refuses_a_value_that_contradicts_its_type) {
    for (std::string const members :
         {R"("x@odata.type":"Edm.Int64","x":"abc")", R"("x@odata.type":"Edm.Int64","x":"92233720368547758080")",
          R"("x@odata.type":"Edm.Int64","x":"")", R"("x@odata.type":"Edm.Int64","x":"1 ")",
          R"("x@odata.type":"Edm.Int64","x":1.5)", R"("x@odata.type":"Edm.Int32","x":2147483648)",
          R"("x@odata.type":"Edm.Int32","x":"1")", R"("x@odata.type":"Edm.Double","x":"INF")",
          R"("x@odata.type":"Edm.Guid","x":"no")", R"("x@odata.type":"Edm.DateTime","x":"2024-01-01")",
          R"("x@odata.type":"Edm.Binary","x":"A")", R"("x@odata.type":"Edm.Boolean","x":"true")",
          R"("x@odata.type":"Edm.String","x":1)", R"("x@odata.type":"Edm.Single","x":1.5)",
          R"("x":"abc","x@odata.type":"Edm.Int64")", R"("x":true,"x@odata.type":"Edm.Int32")",
          R"("x":2.5,"x@odata.type":"Edm.Int32")", R"("x":"A","x@odata.type":"Edm.Nothing")"}) {
        auto const r = read("{" + members + "}");
        ASSERT_TRUE(failed_with(r, library_errc::type_mismatch)) << members;
        EXPECT_EQ(r.error().member(), "x") << members;
    }
}

// ---- invalid properties ---------------------------------------------------------------------------------------------

TEST(reader, takes_keys_etag_and_timestamp_out_of_the_properties) {
    auto const e =
        entity_of(R"({"odata.metadata":"http://x/$metadata#T/@Element",)"
                  R"("odata.etag":"W/\"datetime'2024-01-01T00%3A00%3A00Z'\"","PartitionKey":"p","RowKey":"",)"
                  R"("Timestamp":"2024-01-01T00:00:00Z","A":1})");
    EXPECT_EQ(e.partition_key, "p");
    EXPECT_EQ(e.row_key, "");
    EXPECT_EQ(e.timestamp.text(), "2024-01-01T00:00:00Z");
    EXPECT_EQ(e.etag, etag::of(e.timestamp));
    ASSERT_EQ(e.properties().size(), 1u);
    EXPECT_EQ(e.properties()[0].name, "A");
}

TEST(reader, takes_members_in_any_order) {
    auto const e = entity_of(R"({"A":1,"RowKey":"r","Timestamp":"2024-01-01T00:00:00Z",)"
                             R"("Timestamp@odata.type":"Edm.DateTime","PartitionKey":"p","odata.etag":"x"})");
    EXPECT_EQ(e.partition_key, "p");
    EXPECT_EQ(e.row_key, "r");
    EXPECT_EQ(e.etag.text(), "x");
    EXPECT_EQ(e.properties().size(), 1u);
}

TEST(reader, skips_metadata_of_any_kind_that_it_does_not_know) {
    auto const e = entity_of(R"({"odata.type":"acc.T","odata.id":"http://x","odata.editLink":"T",)"
                             R"("odata.future":{"nested":[1,{"deep":null}]},"odata.count":3,"odata.null":null,"A":1})");
    EXPECT_EQ(e.properties().size(), 1u);
}

TEST(reader, skips_nulls_with_and_without_a_type) {
    auto const e =
        entity_of(R"({"a":null,"b@odata.type":"Edm.Int64","b":null,"c":null,"c@odata.type":"Edm.Guid","d":1})");
    ASSERT_EQ(e.properties().size(), 1u);
    EXPECT_EQ(e.properties()[0].name, "d");
}

TEST(reader, understands_escapes_in_names_and_text) {
    auto const e = entity_of(R"({"PartitionKey":"\u0070\n","\u0078":"\ud83d\ude00\u0000\/"})");
    EXPECT_EQ(e.partition_key, "p\n");
    ASSERT_NE(e.try_get<std::string>("x"), nullptr);
    auto const expected = test::utf8(U"\U0001F600") + std::string("\0/", 2);
    EXPECT_EQ(*e.try_get<std::string>("x"), expected);
}

TEST(reader, takes_white_space_between_all_tokens) {
    EXPECT_EQ(x_of(" \r\n\t\"x\" : \t 5 \n"), property_value{std::int32_t{5}});
    EXPECT_TRUE(read(" \n{ } \n "));
}

// ---- refusals -------------------------------------------------------------------------------------------------------

TEST(reader, refuses_what_is_no_entity) {
    for (std::string const json :
         {"", " ", "null", "1", "true", R"("text")", "[]", R"([{"A":1}])", "{", "}", R"({"A")", R"({"A":})",
          R"({"A":1,})", R"({"A" 1})", R"({A:1})", R"({'A':1})", R"({"A":1 "B":2})", "\xEF\xBB\xBFgarbage"})
        EXPECT_TRUE(failed_with(read(json), library_errc::malformed_response)) << json;
}

TEST(reader, refuses_nested_values) {
    for (auto const* json : {R"({"A":{}})", R"({"A":[]})", R"({"A":{"B":1}})", R"({"A":[1,2]})", R"({"A":[[[[1]]]]})"})
        EXPECT_TRUE(failed_with(read(json), library_errc::malformed_response)) << json;
}

TEST(reader, refuses_numbers_and_words_that_json_does_not_have) {
    for (auto const* json :
         {R"({"A":NaN})", R"({"A":Infinity})", R"({"A":1e400})", R"({"A":01})", R"({"A":+1})", R"({"A":.5})",
          R"({"A":1.})", R"({"A":0x1})", R"({"A":tru})", R"({"A":nul})", R"({"A":--1})", R"({"A":1e})"})
        EXPECT_TRUE(failed_with(read(json), library_errc::malformed_response)) << json;
}

TEST(reader, refuses_text_after_the_entity) {
    for (auto const* json : {R"({"A":1}x)", R"({"A":1}{})", R"({"A":1},)", R"({"A":1} "B")", R"({"A":1}})", R"({}1)"})
        EXPECT_TRUE(failed_with(read(json), library_errc::malformed_response)) << json;
}

TEST(reader, refuses_invalid_utf8_in_values_and_names) {
    for (std::string const bad : {"\xFF", "\x80", "\xC3", "\xED\xA0\x80", "\xC0\x80"}) {
        EXPECT_TRUE(failed_with(read(R"({"A":"x)" + bad + R"("})"), library_errc::malformed_response));
        EXPECT_TRUE(failed_with(read(R"({"x)" + bad + R"(":"A"})"), library_errc::malformed_response));
    }
}

TEST(reader, refuses_control_characters_and_broken_escapes_in_text) {
    for (std::string const json : {"{\"A\":\"x\ny\"}", "{\"A\":\"\x01\"}", "{\"A\":\"\\x\"}", "{\"A\":\"\\u12\"}"})
        EXPECT_TRUE(failed_with(read(json), library_errc::malformed_response)) << json;
}

TEST(reader, refuses_a_property_that_comes_twice) {
    for (auto const* json : {R"({"A":1,"A":1})", R"({"A":1,"B":2,"A":"x"})", R"({"A":1,"\u0041":2})"})
        EXPECT_TRUE(failed_with(read(json), library_errc::malformed_response)) << json;
}

TEST(reader, refuses_keys_and_metadata_of_the_wrong_kind) {
    for (auto const* json : {R"({"PartitionKey":1})", R"({"RowKey":true})", R"({"Timestamp":"yesterday"})",
                             R"({"Timestamp":1})", R"({"odata.etag":1})", R"({"x@odata.type":1,"x":1})"})
        EXPECT_FALSE(read(json)) << json;
}

TEST(reader, says_nothing_of_the_data_in_its_errors) {
    for (auto const* json : {R"({"A":"SECRET",})", R"({"A":SECRET})", R"({"A@odata.type":"Edm.Int64","A":"SECRET"})",
                             R"({"A":"SECRET"} SECRET)"}) {
        auto const r = read(json);
        ASSERT_FALSE(r) << json;
        EXPECT_THAT(r.error().what(), ::testing::Not(::testing::HasSubstr("SECRET")));
    }
}

TEST(reader, reads_on_after_a_refusal) {
    EXPECT_FALSE(read(R"({"A":)"));
    EXPECT_EQ(entity_of(R"({"A":1})").properties().size(), 1u);
}

TEST(reader, leaves_the_text_itself_alone) {
    std::string json = R"({"PartitionKey":"\u0070","A":"\n"})";
    auto const before = json;
    EXPECT_TRUE(read_dynamic(json));
    EXPECT_TRUE(read_dynamic(json));
    EXPECT_EQ(json, before);
}

// ---- pages ----------------------------------------------------------------------------------------------------------

TEST(page_reader, reads_entities_in_their_order) {
    auto const page = read_all(R"({"odata.metadata":"http://x","value":[{"RowKey":"1"},{"RowKey":"2","A":1},{}]})");
    ASSERT_TRUE(page);
    ASSERT_EQ(page->size(), 3u);
    EXPECT_EQ((*page)[0].row_key, "1");
    EXPECT_EQ((*page)[1].row_key, "2");
    EXPECT_EQ((*page)[1].properties().size(), 1u);
}

TEST(page_reader, reads_a_page_without_entities) {
    for (auto const* json : {R"({"value":[]})", R"({"odata.metadata":"x","value":[ ]})", " {\"value\" : [\n]}\n"}) {
        auto const page = read_all(json);
        ASSERT_TRUE(page) << json;
        EXPECT_TRUE(page->empty());
    }
}

/// Counts entities, and keeps what it was told of their number.
class counting_sink final : public entity_sink {
public:
    bool begin() override { return true; }
    bool property(std::string_view, json_token const&) override { return true; }
    bool end() override {
        ++ended;
        return true;
    }
    void expect(std::size_t entities) override { expected.emplace_back(ended, entities); }

    std::size_t ended = 0;
    std::vector<std::pair<std::size_t, std::size_t>> expected{};  ///< after how many, and how many
};

std::vector<std::pair<std::size_t, std::size_t>> expected_in(std::string const& first, std::size_t others) {
    std::string page = R"({"value":[)" + first;
    for (std::size_t i = 0; i < others; ++i) page += R"(,{"A":1})";
    page += "]}";
    counting_sink sink;
    EXPECT_EQ(read_page(page, sink), others + 1);
    return sink.expected;
}

TEST(page_reader, tells_after_the_first_entity_how_many_may_follow) {
    using list = std::vector<std::pair<std::size_t, std::size_t>>;
    EXPECT_EQ(expected_in(R"({"A":1})", 0), (list{{1, 0}}));
    EXPECT_EQ(expected_in(R"({"A":1})", 3), (list{{1, 3}}));
    EXPECT_EQ(expected_in(R"({"A":12})", 80), (list{{1, 90}})) << "the first may be longer than most";
    EXPECT_EQ(expected_in("{}", 3), (list{{1, 14}}));
    EXPECT_EQ(expected_in("{}", 10'000), (list{{1, 1000}})) << "a page has no more";
}

TEST(page_reader, takes_metadata_behind_the_entities) {
    auto const page =
        read_all(R"({"value":[{"RowKey":"1"}],"odata.metadata":"x","odata.more":{"value":[{}]},"n":[1]})");
    ASSERT_TRUE(page);
    EXPECT_EQ(page->size(), 1u);
}

TEST(page_reader, forgets_the_types_of_the_entity_before) {
    auto const page = read_all(R"({"value":[{"x@odata.type":"Edm.Int64","y":1},{"x":"2"}]})");
    ASSERT_TRUE(page);
    EXPECT_NE((*page)[1].try_get<std::string>("x"), nullptr);
}

TEST(page_reader, refuses_what_is_no_page) {
    for (auto const* json :
         {"", "[]", "{}", R"({"odata.metadata":"x"})", R"({"Value":[]})", R"({"value":null})", R"({"value":{}})",
          R"({"value":"x"})", R"({"value":[1]})", R"({"value":[[]]})", R"({"value":[null]})",
          R"({"value":[{}],"value":[{}]})", R"({"value":[{}]}x)", R"({"value":[{}]}{})", R"({"value":[{},]})",
          R"({"value":[{}{}]})", R"({"value":[{"A":{}}]})"})
        EXPECT_TRUE(failed_with(read_all(json), library_errc::malformed_response)) << json;
}

// ---- random ---------------------------------------------------------------------------------------------------------

property_value random_value(test::random_source& random) {
    switch (random.below(8)) {
    case 0: return random.text(30);
    case 1: return random.coin();
    case 2: return static_cast<std::int32_t>(random.integer());
    case 3: return random.integer();
    case 4: return random.real();
    case 5: return random.time();
    case 6: return random.guid();
    default: return random.binary(40);
    }
}

stored_entity random_entity(test::random_source& random) {
    stored_entity e{random.text(10), random.text(10)};
    for (auto n = random.below(12); n > 0; --n)
        e.set_value("p" + std::to_string(random.below(1000)), random_value(random));
    return e;
}

TEST(wire, reads_every_entity_that_it_writes) {
    test::random_source random;
    for (int i = 0; i < 3000; ++i) {
        auto const e = random_entity(random);
        std::string json;
        append_entity(json, e);
        ASSERT_EQ(entity_of(json), e) << json;
    }
}

std::string valid_page() {
    stored_entity all{"p\xC3\xA9", "r\"1"};
    int i = 0;
    for (auto const& v : values_of_every_type()) all.set_value("x" + std::to_string(++i), v.value);
    std::string page = R"({"odata.metadata":"http://h/$metadata#T","value":[)";
    append_entity(page, all);
    return page + R"(,{"odata.etag":"W/\"x\"","RowKey":"2","n":99999999999999999999,"z":null}]})";
}

TEST(page_reader, refuses_a_page_that_is_cut_anywhere) {
    auto const page = valid_page();
    ASSERT_TRUE(read_all(page));
    for (std::size_t n = 0; n < page.size(); ++n)
        EXPECT_TRUE(failed_with(read_all(page.substr(0, n)), library_errc::malformed_response)) << page.substr(0, n);
}

TEST(page_reader, refuses_a_page_that_is_cut_anywhere_in_a_buffer_that_still_holds_the_rest) {
    auto const page = valid_page();
    for (std::size_t n = 0; n < page.size(); ++n) {
        auto json = page;
        json.resize(n);  // the bytes behind stay in the capacity
        EXPECT_TRUE(failed_with(read_dynamic_page(json), library_errc::malformed_response)) << json;
    }
}

TEST(page_reader, survives_flipped_bits_and_swapped_bytes) {
    test::random_source random;
    auto const page = valid_page();
    int refused = 0;
    for (int i = 0; i < 5000; ++i) {
        auto json = page;
        for (auto n = 1 + random.below(3); n > 0; --n) {
            auto& c = json[random.below(json.size())];
            c = random.coin() ? static_cast<char>(c ^ (1 << random.below(8))) : json[random.below(json.size())];
        }
        if (!read_dynamic_page(json)) ++refused;
    }
    EXPECT_GT(refused, 1000);
}

// ---- hostile sizes --------------------------------------------------------------------------------------------------

/// An entity of so many properties, each with what stands for a value behind its name.
std::string entity_of_properties(std::size_t count, std::string const& suffix) {
    std::string json = R"({"PartitionKey":"p","RowKey":"r")";
    for (std::size_t i = 0; i < count; ++i) json += ",\"p" + std::to_string(i) + suffix;
    return json + "}";
}

TEST(entity_reader, takes_a_thousand_properties_and_refuses_more) {
    auto const e = read(entity_of_properties(most_properties_read - 2, "\":1"));
    ASSERT_TRUE(e);
    EXPECT_EQ(e->properties().size(), most_properties_read - 2);
    EXPECT_TRUE(
        failed_with(read(entity_of_properties(most_properties_read - 1, "\":1")), library_errc::malformed_response));
}

TEST(entity_reader, refuses_more_than_a_thousand_declared_types) {
    EXPECT_TRUE(read(entity_of_properties(most_properties_read, "@odata.type\":\"Edm.Int32\"")));
    EXPECT_TRUE(failed_with(read(entity_of_properties(most_properties_read + 1, "@odata.type\":\"Edm.Int32\"")),
                            library_errc::malformed_response));
}

TEST(entity_reader, refuses_a_property_that_comes_twice_among_many) {
    auto json = entity_of_properties(500, "\":1");
    json.insert(json.size() - 1, R"(,"p250":1)");
    EXPECT_TRUE(failed_with(read(json), library_errc::malformed_response));
}

/// The processor time that a page takes of so many rows of so many properties.
double seconds_to_read(int rows, std::size_t properties) {
    auto const row = entity_of_properties(properties, "\":1");
    std::string page = R"({"value":[)" + row;
    for (int i = 1; i < rows; ++i) page += "," + row;
    auto const begin = std::clock();
    EXPECT_TRUE(read_all(page + "]}"));
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

TEST(page_reader, takes_no_longer_for_properties_that_share_a_row) {
    auto const apart = seconds_to_read(3000, 10);
    EXPECT_LT(seconds_to_read(30, 998), 0.1 + 3 * apart);
}

TEST(entity_reader, refuses_nesting_of_any_depth_quickly) {
    for (auto const* const open : {"[", R"({"x":)"}) {
        std::string json = R"({"PartitionKey":"p","RowKey":"r","odata.x":)";
        for (int i = 0; i < 200'000; ++i) json += open;
        EXPECT_TRUE(failed_with(read(json), library_errc::malformed_response));
    }
}

TEST(entity_reader, reads_numbers_of_any_length_or_refuses_them) {
    std::string const digits(200'000, '9');
    for (auto const& number : {digits, "0." + digits, "1e" + digits, "-" + digits + "." + digits}) {
        auto const e = read(R"({"PartitionKey":"p","RowKey":"r","x":)" + number + "}");
        if (e)
            EXPECT_TRUE(e->try_get<double>("x"));
        else
            EXPECT_TRUE(failed_with(e, library_errc::malformed_response));
    }
}

TEST(keys_reader, reads_the_keys_of_a_row_or_says_that_it_is_none) {
    std::string json = R"({"A":[1,{"x":2}],"RowKey":"r","PartitionKey":"p\u00fc"})";
    auto const keys = read_keys(json);
    ASSERT_TRUE(keys);
    EXPECT_EQ(*keys->partition_key, "p\u00fc");
    EXPECT_EQ(*keys->row_key, "r");
    json = R"({"PartitionKey":5})";
    ASSERT_TRUE(read_keys(json));
    EXPECT_FALSE(read_keys(json)->partition_key);
    EXPECT_FALSE(read_keys(json)->row_key);
}

// The parser of JSON must not be asked again after a fault.
TEST(keys_reader, survives_damaged_rows) {
    std::string const row = R"({"odata.etag":"e","PartitionKey":"p","A@odata.type":"Edm.Int64","A":"5","RowKey":"r"})";
    for (std::size_t at = 0; at < row.size(); ++at)
        for (char const c : {'"', ':', ',', '{', '}', '[', ']', 'x', '5', '\\', '\0'}) {
            auto damaged = row;
            damaged[at] = c;
            static_cast<void>(read_keys(damaged));
            damaged = row.substr(0, at) + c;
            static_cast<void>(read_keys(damaged));
        }
}

}  // namespace
