// SPDX-License-Identifier: Apache-2.0
#include "tablemap/mapping/decode.hpp"

#include "support/answers.hpp"
#include "support/random.hpp"
#include "unit/mapping/samples.hpp"
#include "tablemap/detail/mapping/encode.hpp"
#include "tablemap/detail/wire/reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <concepts>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace tablemap;
using test::employee;
using test::failed_with;
using test::in_both_keys;
using test::maybe;
using test::with_defaults;
using ::testing::HasSubstr;

template <class T> result<entity<T>> decode(std::string json) { return detail::decode<T>(json); }
template <class T> result<std::vector<entity<T>>> decode_all(std::string json) {
    std::vector<entity<T>> out;
    std::vector<detail::bad_row_at> bad;
    if (auto r = detail::decode_page(json, out, bad); !r) return failure{r.error()};
    if (!bad.empty()) return failure{bad.front().row.error};
    return out;
}

/// A row of `maybe` with these members behind its keys.
std::string row(std::string const& members) {
    return R"({"PartitionKey":"all","RowKey":"k")" + (members.empty() ? "" : "," + members) + "}";
}

maybe read(std::string const& members) {
    auto r = decode<maybe>(row(members));
    if (!r) ADD_FAILURE() << members << ": " << r.error().what();
    return r ? r->value : maybe{};
}

employee const don{.department = "Sales",
                   .id = 212,
                   .name = "Don",
                   .active = true,
                   .age = 34,
                   .salary = 9'007'199'254'740'993,
                   .ratio = 0.5,
                   .hired = ticks::parse("2024-01-01T00:00:00.5Z").value(),
                   .badge = guid::parse("c9da6455-213d-42c9-9a79-3e9149a57833").value(),
                   .photo = {std::byte{1}, std::byte{2}, std::byte{3}}};

// ---- read values ----------------------------------------------------------------------------------------------------

TEST(decoded, has_every_member_etag_and_timestamp) {
    auto const r = decode<employee>(
        R"({"odata.metadata":"http://h/$metadata#T/@Element","odata.etag":"W/\"x\"","PartitionKey":"Sales",)"
        R"("RowKey":"empid_000212","Timestamp":"2024-02-03T04:05:06.7Z","name":"Don","active":true,"age":34,)"
        R"("salary@odata.type":"Edm.Int64","salary":"9007199254740993","ratio":0.5,)"
        R"("hired@odata.type":"Edm.DateTime","hired":"2024-01-01T00:00:00.5Z",)"
        R"("badge@odata.type":"Edm.Guid","badge":"c9da6455-213d-42c9-9a79-3e9149a57833",)"
        R"("photo@odata.type":"Edm.Binary","photo":"AQID"})");
    ASSERT_TRUE(r) << r.error().what();
    EXPECT_EQ(r->value, don);
    EXPECT_EQ(r->etag.text(), "W/\"x\"");
    EXPECT_EQ(r->timestamp.text(), "2024-02-03T04:05:06.7Z");
}

TEST(decoded, does_not_depend_on_the_order_of_columns_or_of_annotations) {
    auto const r = decode<employee>(
        R"({"photo@odata.type":"Edm.Binary","photo":"AQID","salary@odata.type":"Edm.Int64",)"
        R"("badge":"c9da6455-213d-42c9-9a79-3e9149a57833","hired":"2024-01-01T00:00:00.5Z",)"
        R"("hired@odata.type":"Edm.DateTime","ratio":0.5,"salary":"9007199254740993","RowKey":"empid_000212",)"
        R"("badge@odata.type":"Edm.Guid","age":34,"active":true,"name":"Don","PartitionKey":"Sales"})");
    ASSERT_TRUE(r) << r.error().what();
    EXPECT_EQ(r->value, don);
    EXPECT_TRUE(r->etag.empty());
    EXPECT_EQ(r->timestamp, ticks{});
}

TEST(decoded, passes_over_columns_that_are_no_members) {
    auto const v = read(R"("other":1,"age":5,"Age":6,"odata.more":{},"key":"x","big":99999999999999999999)");
    EXPECT_EQ(v, (maybe{.key = "k", .age = 5}));
}

TEST(decoded, keeps_the_defaults_of_members_without_a_column) {
    auto const r = decode<with_defaults>(row(""));
    ASSERT_TRUE(r);
    EXPECT_EQ(r->value.colour, "red");
    EXPECT_EQ(r->value.count, 7);
    EXPECT_EQ(r->value.limit, 9);
}

TEST(decoded, takes_null_for_a_missing_column) {
    auto const r = decode<with_defaults>(row(R"("colour":null,"count":null,"limit":null)"));
    ASSERT_TRUE(r);
    EXPECT_EQ(r->value.colour, "red");
    EXPECT_EQ(r->value.limit, 9);
}

TEST(decoded, fills_optionals_of_every_type) {
    auto const v =
        read(R"("name":"","active":false,"age":0,"salary":"-1","salary@odata.type":"Edm.Int64","ratio":"NaN",)"
             R"("ratio@odata.type":"Edm.Double","hired":"1601-01-01T00:00:00Z","hired@odata.type":"Edm.DateTime",)"
             R"("badge":"00000000-0000-0000-0000-000000000000","badge@odata.type":"Edm.Guid","photo":"",)"
             R"("photo@odata.type":"Edm.Binary")");
    EXPECT_EQ(v.name, "");
    EXPECT_EQ(v.active, false);
    EXPECT_EQ(v.age, 0);
    EXPECT_EQ(v.salary, -1);
    EXPECT_TRUE(v.ratio && *v.ratio != *v.ratio);
    EXPECT_EQ(v.hired, ticks::min());
    EXPECT_EQ(v.badge, guid{});
    EXPECT_EQ(v.photo, bytes{});
}

TEST(decoded, takes_numbers_as_leniently_as_the_service_writes_them) {
    EXPECT_EQ(read(R"("salary":5)").salary, 5);
    EXPECT_EQ(read(R"("salary@odata.type":"Edm.Int64","salary":"5")").salary, 5);
    EXPECT_EQ(read(R"("ratio":5)").ratio, 5.0);
    EXPECT_EQ(read(R"("ratio":1e+21)").ratio, 1e21);
    EXPECT_EQ(read(R"("ratio":99999999999999999999)").ratio, 1e20);
    EXPECT_EQ(read(R"("ratio":140835665871306162176.0)").ratio, 140835665871306162176.0);
}

// ---- refusals -------------------------------------------------------------------------------------------------------

TEST(decode, names_the_member_and_what_is_stored_where_the_types_differ) {
    struct {
        char const *json, *member, *stored, *wanted;
    } const cases[] = {
        {R"("age":"34")", "age", "Edm.String", "Edm.Int32"},
        {R"("age":2147483648)", "age", "Edm.Int64", "Edm.Int32"},
        {R"("age":34.0)", "age", "Edm.Double", "Edm.Int32"},
        {R"("age":true)", "age", "Edm.Boolean", "Edm.Int32"},
        {R"("name":1)", "name", "Edm.Int32", "Edm.String"},
        {R"("active":"true")", "active", "Edm.String", "Edm.Boolean"},
        {R"("salary":1.5)", "salary", "Edm.Double", "Edm.Int64"},
        {R"("salary":"5")", "salary", "Edm.String", "Edm.Int64"},
        {R"("ratio":"NaN")", "ratio", "Edm.String", "Edm.Double"},
        {R"("hired":"2024-01-01T00:00:00Z")", "hired", "Edm.String", "Edm.DateTime"},
        {R"("hired":5)", "hired", "Edm.Int32", "Edm.DateTime"},
        {R"("badge":"c9da6455-213d-42c9-9a79-3e9149a57833")", "badge", "Edm.String", "Edm.Guid"},
        {R"("photo":"AQID")", "photo", "Edm.String", "Edm.Binary"},
        {R"("age@odata.type":"Edm.Int64","age":"5")", "age", "Edm.Int64", "Edm.Int32"},
        {R"("age":"5","age@odata.type":"Edm.Int64")", "age", "Edm.Int64", "Edm.Int32"},
        {R"("name":"2024-01-01T00:00:00Z","name@odata.type":"Edm.DateTime")", "name", "Edm.DateTime", "Edm.String"},
        {R"("age@odata.type":"Edm.Money","age":5)", "age", "a type unknown to the service", "Edm.Int32"},
    };
    for (auto const& c : cases) {
        auto const r = decode<maybe>(row(c.json));
        ASSERT_TRUE(failed_with(r, library_errc::type_mismatch)) << c.json;
        ASSERT_EQ(r.error().faults().size(), 1u) << c.json;
        auto const& f = r.error().faults().front();
        EXPECT_EQ(f.property, c.member) << c.json;
        EXPECT_EQ(f.found, c.stored) << c.json;
        EXPECT_EQ(f.expected, c.wanted) << c.json;
        EXPECT_EQ(r.error().member(), c.member) << c.json;
        EXPECT_THAT(r.error().what(),
                    HasSubstr(std::string{"it holds "} + c.stored + " where " + c.wanted + " is expected"))
            << c.json;
    }
}

TEST(decode, refuses_annotated_text_that_does_not_read_as_its_type) {
    for (auto const* json :
         {R"("salary@odata.type":"Edm.Int64","salary":"9223372036854775808")",
          R"("salary":"x","salary@odata.type":"Edm.Int64")", R"("ratio@odata.type":"Edm.Double","ratio":"5.0")",
          R"("hired@odata.type":"Edm.DateTime","hired":"2024-01-01")",
          R"("badge":"c9da6455","badge@odata.type":"Edm.Guid")", R"("photo@odata.type":"Edm.Binary","photo":"A")"})
        EXPECT_TRUE(failed_with(decode<maybe>(row(json)), library_errc::type_mismatch)) << json;
}

TEST(decode, does_not_tell_the_value_that_it_refuses) {
    auto const r = decode<maybe>(row(R"("age":"SECRET")"));
    ASSERT_FALSE(r);
    EXPECT_THAT(r.error().what(), ::testing::Not(HasSubstr("SECRET")));
}

TEST(decode, refuses_keys_that_the_mapping_does_not_write) {
    struct {
        char const *partition, *row, *member;
    } const cases[] = {{"Sales", "212", ""},
                       {"Sales", "empid_212", "id"},
                       {"Sales", "empid_00021x", "id"},
                       {"Sales", "empid_0002121", ""}};
    for (auto const& c : cases) {
        auto const r =
            decode<employee>(std::string{R"({"PartitionKey":")"} + c.partition + R"(","RowKey":")" + c.row + "\"}");
        ASSERT_TRUE(failed_with(r, library_errc::unreadable_key)) << c.row;
        EXPECT_EQ(r.error().member(), c.member) << c.row;
    }
    EXPECT_TRUE(failed_with(decode<maybe>(R"({"PartitionKey":"some","RowKey":"k"})"), library_errc::unreadable_key));
}

TEST(decode, names_the_key_that_the_mapping_does_not_write) {
    EXPECT_THAT(decode<employee>(R"({"PartitionKey":"Sales","RowKey":"212"})").error().what(),
                HasSubstr("in the row key: the literal \"empid_\" is missing"));
    EXPECT_THAT(decode<maybe>(R"({"PartitionKey":"some","RowKey":"k"})").error().what(),
                HasSubstr("in the partition key: the literal"));
}

TEST(decode, refuses_an_entity_without_its_keys) {
    for (auto const* json :
         {"{}", R"({"PartitionKey":"all"})", R"({"RowKey":"k","age":1})", R"({"PartitionKey":null,"RowKey":"k"})"})
        EXPECT_TRUE(failed_with(decode<maybe>(json), library_errc::malformed_response)) << json;
    EXPECT_TRUE(failed_with(decode_all<maybe>(R"({"value":[)" + row("") + R"(,{"age":1}]})"),
                            library_errc::malformed_response));
}

TEST(decode, refuses_keys_and_system_columns_of_the_wrong_kind) {
    for (auto const* json : {R"({"PartitionKey":1,"RowKey":"k"})", R"({"PartitionKey":"all","RowKey":true})",
                             R"({"PartitionKey":"all","RowKey":"k","RowKey":"k"})"})
        EXPECT_TRUE(failed_with(decode<maybe>(json), library_errc::malformed_response)) << json;
    EXPECT_TRUE(failed_with(decode<maybe>(row(R"("Timestamp":"now")")), library_errc::malformed_response));
    EXPECT_TRUE(failed_with(decode<maybe>(row(R"("odata.etag":5)")), library_errc::malformed_response));
}

TEST(decode, refuses_what_is_no_entity) {
    for (auto const* json : {"", "[]", R"({"age":{}})", R"({"age":1)", R"({"RowKey":"k"} x)"})
        EXPECT_TRUE(failed_with(decode<maybe>(json), library_errc::malformed_response)) << json;
}

// ---- a member in both keys ------------------------------------------------------------------------------------------

TEST(member_in_both_keys, is_read_whichever_key_comes_first) {
    in_both_keys const expected{.region = "eu", .number = 5, .text = "t"};
    for (auto const* json : {R"({"PartitionKey":"eu","RowKey":"eu_5","text":"t"})",
                             R"({"RowKey":"eu_5","text":"t","PartitionKey":"eu"})"}) {
        auto const r = decode<in_both_keys>(json);
        ASSERT_TRUE(r) << r.error().what();
        EXPECT_EQ(r->value, expected) << json;
    }
}

TEST(member_in_both_keys, has_one_value_or_the_keys_are_unreadable) {
    for (auto const* json : {R"({"PartitionKey":"eu","RowKey":"us_5"})", R"({"RowKey":"us_5","PartitionKey":"eu"})"}) {
        auto const r = decode<in_both_keys>(json);
        ASSERT_TRUE(failed_with(r, library_errc::unreadable_key)) << json;
        EXPECT_EQ(r.error().member(), "region");
    }
}

TEST(member_in_both_keys, has_one_value_where_it_is_all_of_them) {
    EXPECT_EQ(decode<test::twin_keys>(R"({"PartitionKey":"a","RowKey":"a"})").value().value.name, "a");
    auto const r = decode<test::twin_keys>(R"({"PartitionKey":"a","RowKey":"b"})");
    ASSERT_TRUE(failed_with(r, library_errc::unreadable_key));
    EXPECT_EQ(r.error().member(), "name");
}

// ---- pages ----------------------------------------------------------------------------------------------------------

TEST(decoded_page, has_rows_of_differing_columns) {
    auto const r =
        decode_all<maybe>(R"({"odata.metadata":"x","value":[{"PartitionKey":"all","RowKey":"1","name":"a","age":1},)"
                          R"({"PartitionKey":"all","RowKey":"2","age":2},{"PartitionKey":"all","RowKey":"3"},)"
                          R"({"age":4,"x":0,"RowKey":"4","name":"d","y":0,"PartitionKey":"all"},)"
                          R"({"PartitionKey":"all","RowKey":"5","name":"e","age":5}]})");
    ASSERT_TRUE(r) << r.error().what();
    ASSERT_EQ(r->size(), 5u);
    EXPECT_EQ((*r)[0].value, (maybe{.key = "1", .name = "a", .age = 1}));
    EXPECT_EQ((*r)[1].value, (maybe{.key = "2", .age = 2}));
    EXPECT_EQ((*r)[2].value, (maybe{.key = "3"}));
    EXPECT_EQ((*r)[3].value, (maybe{.key = "4", .name = "d", .age = 4}));
    EXPECT_EQ((*r)[4].value, (maybe{.key = "5", .name = "e", .age = 5}));
}

TEST(decoded_page, comes_behind_what_is_there_and_is_counted) {
    std::vector<entity<maybe>> out(2);
    std::vector<detail::bad_row_at> bad;
    std::string json = R"({"value":[)" + row("") + "," + row("") + "," + row("") + "]}";
    EXPECT_EQ(detail::decode_page(json, out, bad).value(), 3u);
    EXPECT_EQ(out.size(), 5u);
    std::string empty = R"({"value":[]})";
    EXPECT_EQ(detail::decode_page(empty, out, bad).value(), 0u);
}

TEST(decoded_page, is_refused_if_one_row_is) {
    EXPECT_TRUE(failed_with(decode_all<maybe>(R"({"value":[)" + row("") + "," + row(R"("age":"x")") + "]}"),
                            library_errc::type_mismatch));
    EXPECT_TRUE(failed_with(decode_all<maybe>(row("")), library_errc::malformed_response));
}

// ---- the way there and back -----------------------------------------------------------------------------------------

/// Empty half of the time, so that columns come and go.
template <class V> std::optional<V> perhaps(test::random_source& random, V v) {
    return random.coin() ? std::optional<V>{std::move(v)} : std::nullopt;
}

maybe random_maybe(test::random_source& random) {
    return {.key = random.key_text(20),
            .name = perhaps(random, random.text(40)),
            .active = perhaps(random, random.coin()),
            .age = perhaps(random, static_cast<std::int32_t>(random.integer())),
            .salary = perhaps(random, random.integer()),
            .ratio = perhaps(random, random.real()),
            .hired = perhaps(random, random.time()),
            .badge = perhaps(random, random.guid()),
            .photo = perhaps(random, random.binary(60))};
}

TEST(mapping, reads_every_value_that_it_writes) {
    test::random_source random;
    for (int i = 0; i < 2000; ++i) {
        auto const value = random_maybe(random);
        detail::encoded_entity e;
        ASSERT_TRUE(detail::encode(value, e));
        auto const back = decode<maybe>(e.body);
        ASSERT_TRUE(back) << back.error().what() << '\n' << e.body;
        EXPECT_EQ(back->value, value) << e.body;
    }
}

TEST(mapping, reads_pages_of_what_it_writes) {
    test::random_source random;
    for (int i = 0; i < 50; ++i) {
        std::vector<maybe> values;
        std::string page = R"({"value":[)";
        for (auto n = random.below(30); n > 0; --n) {
            detail::encoded_entity e;
            ASSERT_TRUE(detail::encode(values.emplace_back(random_maybe(random)), e));
            page += (page.back() == '[' ? "" : ",") + e.body;
        }
        auto const read_back = decode_all<maybe>(page + "]}");
        ASSERT_TRUE(read_back) << read_back.error().what();
        ASSERT_EQ(read_back->size(), values.size());
        for (std::size_t k = 0; k < values.size(); ++k) EXPECT_EQ((*read_back)[k].value, values[k]);
    }
}

TEST(mapping, writes_what_the_untyped_codec_writes) {
    detail::encoded_entity e;
    ASSERT_TRUE(detail::encode(don, e));
    auto const untyped = detail::read_dynamic(e.body).value();
    std::string again;
    detail::append_entity(again, untyped);
    EXPECT_EQ(again, e.body);
}

// ---- entity ---------------------------------------------------------------------------------------------------------

TEST(entity_equality, is_that_of_the_values) {
    entity<employee> const a{don, etag{"1"}, ticks::min()};
    entity<employee> b{don, etag{"2"}, ticks::max()};
    EXPECT_EQ(a, b);
    b.value.age = 35;
    EXPECT_NE(a, b);
}

static_assert(std::equality_comparable<entity<employee>>);
static_assert(!std::equality_comparable<entity<with_defaults>>, "a struct without == has none as an entity");

}  // namespace
