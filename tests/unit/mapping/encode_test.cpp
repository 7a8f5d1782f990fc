// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/mapping/encode.hpp"

#include "support/answers.hpp"
#include "support/random.hpp"
#include "unit/mapping/samples.hpp"
#include "tablemap/detail/wire/reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace {

using namespace tablemap;
using detail::empty_members;
using detail::encode;
using detail::encoded_entity;
using test::employee;
using test::failed_with;
using test::maybe;

std::string repeated(std::string_view text, std::size_t times) {
    std::string s;
    for (; times > 0; --times) s += text;
    return s;
}

template <class T> std::string json(T const& value) {
    encoded_entity e;
    auto const r = encode(value, e);
    return r ? e.body : "failed: " + std::string{r.error().what()};
}

/// Encodes a value that has to be refused because of one member.
template <class T>::testing::AssertionResult refused_at(T const& value, library_errc code, std::string const& member) {
    encoded_entity e;
    auto const r = encode(value, e);
    if (auto f = failed_with(r, code); !f) return f;
    if (r.error().member() == member) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "names the member '" << r.error().member() << "'";
}

// ---- written values -------------------------------------------------------------------------------------------------

TEST(encoded, has_keys_first_and_then_the_other_members_in_their_order) {
    employee const don{.department = "Sales",
                       .id = 212,
                       .name = "Don \"H\"",
                       .active = true,
                       .age = 34,
                       .salary = 9'007'199'254'740'993,
                       .ratio = 5,
                       .hired = ticks::parse("2024-01-01T00:00:00.5Z").value(),
                       .badge = guid::parse("c9da6455-213d-42c9-9a79-3e9149a57833").value(),
                       .photo = {std::byte{1}, std::byte{2}, std::byte{3}}};
    encoded_entity e;
    ASSERT_TRUE(encode(don, e));
    EXPECT_EQ(e.partition_key, "Sales");
    EXPECT_EQ(e.row_key, "empid_000212");
    EXPECT_EQ(e.body, R"({"PartitionKey":"Sales","RowKey":"empid_000212","name":"Don \"H\"","active":true,"age":34,)"
                      R"("salary@odata.type":"Edm.Int64","salary":"9007199254740993",)"
                      R"("ratio@odata.type":"Edm.Double","ratio":5.0,)"
                      R"("hired@odata.type":"Edm.DateTime","hired":"2024-01-01T00:00:00.5Z",)"
                      R"("badge@odata.type":"Edm.Guid","badge":"c9da6455-213d-42c9-9a79-3e9149a57833",)"
                      R"("photo@odata.type":"Edm.Binary","photo":"AQID"})");
}

TEST(encoded, has_no_property_for_an_empty_optional) {
    EXPECT_EQ(json(maybe{.key = "k"}), R"({"PartitionKey":"all","RowKey":"k"})");
    EXPECT_EQ(json(maybe{.key = "k", .age = 0, .ratio = -0.0}),
              R"({"PartitionKey":"all","RowKey":"k","age":0,"ratio@odata.type":"Edm.Double","ratio":-0.0})");
}

TEST(encoded, has_no_property_for_a_member_of_either_key) {
    EXPECT_EQ(json(test::in_both_keys{.region = "eu", .number = -5, .text = "t"}),
              R"({"PartitionKey":"eu","RowKey":"eu_-5","text":"t"})");
}

TEST(encoded, of_a_struct_with_constant_keys_has_all_members) {
    EXPECT_EQ(json(test::singleton{.text = "t"}), R"({"PartitionKey":"settings","RowKey":"","text":"t"})");
}

TEST(encoded, replaces_what_was_encoded_before) {
    encoded_entity e;
    ASSERT_TRUE(encode(maybe{.key = "first", .name = "a long text that goes away"}, e));
    ASSERT_TRUE(encode(maybe{.key = "k"}, e));
    EXPECT_EQ(e.body, R"({"PartitionKey":"all","RowKey":"k"})");
}

TEST(encoded, ends_in_the_operation_token_if_there_is_one) {
    encoded_entity e;
    e.operation_id = guid::from_random(0, 0);
    ASSERT_TRUE(encode(maybe{.key = "k", .age = 1}, e));
    EXPECT_EQ(e.body, R"({"PartitionKey":"all","RowKey":"k","age":1,"TablemapOperation@odata.type":"Edm.Guid",)"
                      R"("TablemapOperation":"00000000-0000-4000-8000-000000000000"})");
}

TEST(encoded, holds_chosen_members_in_the_order_in_which_they_are_declared) {
    encoded_entity e;
    employee const don{.department = "Sales", .id = 1, .name = "Don", .age = 34};
    ASSERT_TRUE(encode(don, e, only<&employee::age, &employee::name>, empty_members::refused));
    EXPECT_EQ(e.body, R"({"PartitionKey":"Sales","RowKey":"empid_000001","name":"Don","age":34})");
}

TEST(encoded, of_chosen_members_is_not_stopped_by_the_others) {
    encoded_entity e;
    employee const don{.department = "Sales", .name = "\xFF", .age = 34, .hired = {}};
    EXPECT_TRUE(encode(don, e, only<&employee::age>, empty_members::refused));
}

TEST(encoded, refuses_an_empty_optional_where_it_could_not_be_removed) {
    encoded_entity e;
    auto const r = encode(maybe{.key = "k", .age = 1}, e, only<&maybe::age, &maybe::ratio>, empty_members::refused);
    ASSERT_TRUE(failed_with(r, library_errc::merge_cannot_remove));
    EXPECT_EQ(r.error().member(), "ratio");
    EXPECT_TRUE(encode(maybe{.key = "k", .age = 1}, e, only<&maybe::age, &maybe::ratio>, empty_members::left_out));
}

// ---- limits ---------------------------------------------------------------------------------------------------------

TEST(encode_limit, of_text_is_32768_code_units) {
    EXPECT_TRUE(json(maybe{.name = std::string(32'768, 'x')}).starts_with('{'));
    EXPECT_TRUE(refused_at(maybe{.name = std::string(32'769, 'x')}, library_errc::value_too_large, "name"));
}

TEST(encode_limit, of_text_beyond_ascii_is_in_utf16_not_in_bytes) {
    auto const e = test::utf8(U"\u00E9"), smile = test::utf8(U"\U0001F600");
    EXPECT_TRUE(json(maybe{.name = repeated(e, 32'768)}).starts_with('{'));
    EXPECT_TRUE(refused_at(maybe{.name = repeated(e, 32'769)}, library_errc::value_too_large, "name"));
    EXPECT_TRUE(json(maybe{.name = repeated(smile, 16'384)}).starts_with('{'));
    EXPECT_TRUE(refused_at(maybe{.name = repeated(smile, 16'384) + "x"}, library_errc::value_too_large, "name"));
}

TEST(encode_limit, of_text_counts_characters_not_their_escapes) {
    EXPECT_TRUE(json(maybe{.name = std::string(32'768, '\n')}).starts_with('{'));
    EXPECT_TRUE(refused_at(maybe{.name = std::string(32'769, '\n')}, library_errc::value_too_large, "name"));
}

TEST(encode_limit, of_binary_is_65536_bytes) {
    EXPECT_TRUE(json(maybe{.photo = bytes(65'536)}).starts_with('{'));
    EXPECT_TRUE(refused_at(maybe{.photo = bytes(65'537)}, library_errc::value_too_large, "photo"));
}

TEST(encode_limit, of_times_is_1601_to_9999) {
    EXPECT_TRUE(json(maybe{.hired = ticks::min()}).starts_with('{'));
    EXPECT_TRUE(json(maybe{.hired = ticks::max()}).starts_with('{'));
    EXPECT_TRUE(refused_at(maybe{.hired = ticks::min() - tick_duration{1}}, library_errc::value_out_of_range, "hired"));
    EXPECT_TRUE(refused_at(maybe{.hired = ticks::max() + tick_duration{1}}, library_errc::value_out_of_range, "hired"));
    EXPECT_TRUE(refused_at(employee{.hired = {}}, library_errc::value_out_of_range, "hired"));
    EXPECT_TRUE(refused_at(employee{.hired = ticks{std::numeric_limits<std::int64_t>::min()}},
                           library_errc::value_out_of_range, "hired"));
}

TEST(encode, refuses_text_that_is_not_utf8) {
    for (auto const* bad : {"\xFF", "fine until \x80", "\xED\xA0\x80", "\xC3"})
        EXPECT_TRUE(refused_at(employee{.name = bad}, library_errc::invalid_text, "name"));
    EXPECT_TRUE(refused_at(maybe{.name = "\xFF"}, library_errc::invalid_text, "name"));
}

TEST(encode, refuses_keys_that_cannot_be_made) {
    EXPECT_TRUE(refused_at(employee{.department = "a/b"}, library_errc::invalid_key, "department"));
    EXPECT_TRUE(refused_at(employee{.id = -1}, library_errc::key_part_does_not_fit, "id"));
    EXPECT_TRUE(refused_at(employee{.department = std::string(513, 'd')}, library_errc::key_too_large, "department"));
    EXPECT_TRUE(refused_at(test::in_both_keys{.region = "a_b"}, library_errc::key_part_does_not_fit, "region"));
}

TEST(encode, does_not_tell_values_in_its_errors) {
    encoded_entity e;
    for (auto const& r : {encode(employee{.name = "SECRET\xFF"}, e), encode(employee{.department = "SECRET/"}, e)}) {
        ASSERT_FALSE(r);
        EXPECT_THAT(r.error().what(), ::testing::Not(::testing::HasSubstr("SECRET")));
    }
}

// ---- the size of all
// --------------------------------------------------------------------------------------------------

struct large {
    std::string key{};
    std::string a{}, b{}, c{}, d{}, e{}, f{}, g{}, h{}, i{}, j{}, k{}, l{}, m{}, n{}, o{}, p{};
};

}  // namespace

template <> struct tablemap::mapping<large> {
    static constexpr auto partition_key = tablemap::key("p");
    static constexpr auto row_key = tablemap::key(tablemap::part<&large::key>.may_be_empty());
};

namespace {

/// An entity of 16 strings that the service's formula makes this many bytes.
large of_size(std::size_t bytes, char c) {
    constexpr std::size_t strings = 16, around_a_string = 8 + 2 + 4, keys = 4 + 2 * 2;
    large x{.key = "k"};
    auto units = (bytes - keys - strings * around_a_string) / 2;
    for (auto* s : {&x.a, &x.b, &x.c, &x.d, &x.e, &x.f, &x.g, &x.h, &x.i, &x.j, &x.k, &x.l, &x.m, &x.n, &x.o, &x.p}) {
        auto const n = std::min<std::size_t>(units, 32'768);
        s->assign(n, c);
        units -= n;
    }
    return x;
}

TEST(entity_limit, is_one_mebibyte_by_the_services_formula) {
    constexpr std::size_t limit = 1'048'576;
    for (char const c : {'x', '\n', '\x01'}) {
        EXPECT_TRUE(json(of_size(limit, c)).starts_with('{'));
        EXPECT_TRUE(refused_at(of_size(limit + 2, c), library_errc::entity_too_large, ""));
    }
}

TEST(entity_limit, is_not_met_by_large_binaries_whose_json_is_longer) {
    EXPECT_TRUE(json(maybe{.name = std::string(32'768, '\x01'), .photo = bytes(65'536)}).starts_with('{'));
}

TEST(entity_limit, agrees_with_the_size_of_the_entity_that_was_made) {
    auto text = json(of_size(1'000'000, 'x'));
    EXPECT_EQ(entity_size(detail::read_dynamic(text).value()), 1'000'000u);
}

}  // namespace
