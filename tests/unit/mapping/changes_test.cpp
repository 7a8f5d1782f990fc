// SPDX-License-Identifier: Apache-2.0
#include "tablemap/mapping/changes.hpp"

#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/mapping/variant.hpp"

#include "unit/mapping/codec.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace {

using namespace tablemap;
using test::failed_at;

/// Has no ==.
struct address {
    std::string city{};
    std::optional<std::int32_t> number{};
};

struct person {
    std::string key = "k";
    std::string name = "Don";
    std::int64_t salary = 1;
    double ratio{};
    std::optional<std::string> email{};
    address home{};
    std::optional<address> office{};
    std::array<double, 3> hours{};
    std::map<std::string, std::int32_t> marks{};
    std::vector<std::string> notes{};
    extras more{};
    std::int32_t cached{};
};

struct machine {
    std::string key = "k";
    std::int32_t size{};
};

}  // namespace

template <> struct tablemap::mapping<person> : tablemap::test::keyed<person> {
    static constexpr auto discriminator = tablemap::discriminator("Kind", "person");
    static constexpr auto members =
        tablemap::members(tablemap::member<&person::home>.flattened(), tablemap::member<&person::office>.flattened(),
                          tablemap::member<&person::hours>.numbered(), tablemap::member<&person::marks>.prefixed(),
                          tablemap::member<&person::notes>.as_json(), tablemap::member<&person::cached>.ignored(),
                          tablemap::computed("Twice", [](person const& p) { return p.cached * 2; }));
};
template <> struct tablemap::mapping<machine> : tablemap::test::keyed<machine> {
    static constexpr auto discriminator = tablemap::discriminator("Kind", "machine");
};

namespace {

std::string const keys_and_kind = R"({"PartitionKey":"p","RowKey":"k","Kind":"person")";
std::string const twice = R"(,"Twice":0)";

/// The body of a merge, "nothing", or its fault.
template <class T> std::string merged(T const& before, T const& after) {
    detail::encoded_entity out;
    auto const r = detail::encode_changes(before, after, out);
    if (!r) return "failed: " + std::string{r.error().what()};
    return *r ? out.body : "nothing";
}
template <class T> result<bool> try_merge(T const& before, T const& after) {
    detail::encoded_entity out;
    return detail::encode_changes(before, after, out);
}

/// A change that is sent as this property beside what the mapping adds.
template <class Change>
::testing::AssertionResult sends(Change change, std::string const& expected, person before = {}) {
    auto after = before;
    change(after);
    auto const body = merged(before, after);
    // Entries of maps and extras come last.
    if (body == keys_and_kind + expected + twice + '}' || body == keys_and_kind + twice + expected + '}')
        return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << body;
}

TEST(changes, of_nothing_are_nothing) {
    EXPECT_EQ(merged(person{}, person{}), "nothing");
    EXPECT_EQ(merged(person{.ratio = std::numeric_limits<double>::quiet_NaN()},
                     person{.ratio = std::numeric_limits<double>::quiet_NaN()}),
              "nothing");
}

TEST(changes, are_the_properties_of_every_form_that_differ) {
    EXPECT_TRUE(sends([](person& p) { p.name = "June"; }, R"(,"name":"June")"));
    EXPECT_TRUE(sends([](person& p) { p.salary = 2; }, R"(,"salary@odata.type":"Edm.Int64","salary":"2")"));
    EXPECT_TRUE(sends([](person& p) { p.email = ""; }, R"(,"email":"")"));
    EXPECT_TRUE(sends([](person& p) { p.home.city = "Bonn"; }, R"(,"home_city":"Bonn")"));
    EXPECT_TRUE(sends([](person& p) { p.hours[1] = 8; }, R"(,"hours_1@odata.type":"Edm.Double","hours_1":8.0)"));
    EXPECT_TRUE(sends([](person& p) { p.notes = {"x"}; }, R"(,"notes":"[\"x\"]")"));
    EXPECT_TRUE(sends([](person& p) { p.more.set("Badge", std::int32_t{7}); }, R"(,"Badge":7)"));
    EXPECT_TRUE(sends([](person& p) { p.office = address{.city = "Rome"}; }, R"(,"office_city":"Rome")"));
}

TEST(changes, of_a_map_are_the_entries_that_differ) {
    person const before{.marks = {{"a", 1}, {"b", 2}, {"c", 3}}};
    EXPECT_TRUE(sends([](person& p) { p.marks["b"] = 5, p.marks["bb"] = 0; }, R"(,"marks_b":5,"marks_bb":0)", before));
}

TEST(changes, of_the_type_alone_are_changes) {
    person before;
    before.more.set("Badge", std::int32_t{7});
    EXPECT_TRUE(sends([](person& p) { p.more.set("Badge", std::int64_t{7}); },
                      R"(,"Badge@odata.type":"Edm.Int64","Badge":"7")", before));
}

TEST(changes, of_a_computed_property_alone_are_sent) {
    person after;
    after.cached = 21;
    EXPECT_EQ(merged(person{}, after), keys_and_kind + R"(,"Twice":42})");
}

TEST(changes, that_remove_a_property_are_refused_with_its_name) {
    person before{.email = "d", .home = {.number = 3}, .office = address{.city = "Rome"}, .marks = {{"a", 1}}};
    before.more.set("Badge", std::int32_t{7});
    auto const refused = [&](auto remove, std::string const& name) {
        auto after = before;
        remove(after);
        return failed_at(try_merge(before, after), library_errc::merge_cannot_remove, name);
    };
    EXPECT_TRUE(refused([](person& p) { p.email.reset(); }, "email"));
    EXPECT_TRUE(refused([](person& p) { p.home.number.reset(); }, "home_number"));
    EXPECT_TRUE(refused([](person& p) { p.office.reset(); }, "office_city"));
    EXPECT_TRUE(refused([](person& p) { p.marks.clear(); }, "marks_a"));
    EXPECT_TRUE(refused([](person& p) { p.more.erase("Badge"); }, "Badge"));
}

TEST(changes, of_the_key_are_refused) {
    EXPECT_TRUE(failed_at(try_merge(person{}, person{.key = "other"}), library_errc::key_changed, ""));
}

TEST(changes, from_what_cannot_be_stored_to_what_can_are_sent) {
    EXPECT_TRUE(sends([](person& p) { p.name = "fine"; }, R"(,"name":"fine")", person{.name = "\xFF"}));
    EXPECT_TRUE(failed_at(try_merge(person{}, person{.name = "\xFF"}), library_errc::invalid_text, "name"));
}

TEST(changes, that_remove_a_name_that_is_illegal_are_noticed) {
    EXPECT_TRUE(
        failed_at(try_merge(person{.marks = {{"a-b", 1}}}, person{}), library_errc::merge_cannot_remove, "marks_a-b"));
    person odd;
    odd.more.set("a-b", 1);
    EXPECT_TRUE(failed_at(try_merge(odd, person{}), library_errc::merge_cannot_remove, "a-b"));
    EXPECT_TRUE(failed_at(try_merge(person{}, odd), library_errc::invalid_property_name, "a-b"));
}

TEST(changes, carry_the_operation_token_and_do_without_it_if_there_are_none) {
    detail::encoded_entity out{.operation_id = guid::from_random(1, 2)};
    ASSERT_TRUE(detail::encode_changes(machine{}, machine{.size = 1}, out).value());
    EXPECT_NE(out.body.find(R"("TablemapOperation":")" + out.operation_id->text()), std::string::npos);
    EXPECT_FALSE(detail::encode_changes(machine{}, machine{}, out).value());
}

TEST(changes, of_an_alternative_of_a_variant_are_those_of_its_type) {
    using either = std::variant<person, machine>;
    EXPECT_EQ(merged<either>(machine{}, machine{}), "nothing");
    EXPECT_EQ(merged<either>(machine{}, machine{.size = 2}),
              R"({"PartitionKey":"p","RowKey":"k","Kind":"machine","size":2})");
    EXPECT_TRUE(failed_at(try_merge<either>(person{}, machine{}), library_errc::merge_cannot_remove, "name"));
}

TEST(changes, of_a_dynamic_entity_are_its_properties_that_differ_in_any_order) {
    dynamic_entity before{"p", "k"}, after{"p", "k"};
    before.set("a", std::int32_t{1}), before.set("b", "x"), before.set("c", true);
    after.set("c", true), after.set("new", 1.5), after.set("b", "y"), after.set("a", std::int32_t{1});
    EXPECT_EQ(merged(before, after),
              R"({"PartitionKey":"p","RowKey":"k","new@odata.type":"Edm.Double","new":1.5,"b":"y"})");
    EXPECT_EQ(merged(before, before), "nothing");
    after.erase("a");
    EXPECT_TRUE(failed_at(try_merge(before, after), library_errc::merge_cannot_remove, "a"));
}

TEST(changes, since_an_entity_are_those_since_its_value) {
    entity<machine> const read{.value = {.size = 3}};
    EXPECT_EQ(changed_since(read).before, &read.value);
    EXPECT_EQ(changed_since(read.value).before, &read.value);
}

}  // namespace
