// SPDX-License-Identifier: Apache-2.0
#include "tablemap/mapping/members.hpp"

#include "unit/mapping/codec.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace {

using namespace tablemap;
using test::faulty_properties;
using test::reading;
using test::round_trips;
using test::try_read;
using test::unreadable;
using test::unwritable;
using test::written;

struct person {
    std::string key = "k";
    std::string first{};
    std::string last{};
    std::int32_t age = 18;
    std::string email{};
    double ratio = 0.5;
    std::shared_ptr<int> cache{};  // ignored: any type will do

    friend bool operator==(person const&, person const&) = default;
};

}  // namespace

template <> struct tablemap::mapping<person> : tablemap::test::keyed<person> {
    static constexpr auto members = tablemap::members(
        tablemap::member<&person::first>.named("FirstName"), tablemap::member<&person::cache>.ignored(),
        tablemap::member<&person::email>.required().named("E_Mail"), tablemap::member<&person::ratio>.required(),
        tablemap::computed("FullName", [](person const& p) { return p.first + " " + p.last; }),
        tablemap::computed("Minor", [](person const& p) -> std::optional<std::int64_t> {
            if (p.age < 18) return 18 - p.age;
            return std::nullopt;
        }));
};

namespace {

auto const ann = [] {
    person p{.first = "Ann", .last = "Lee"};
    p.email = "a@b";
    return p;
};

TEST(named_member, stands_under_its_name_alone) {
    EXPECT_TRUE(round_trips(ann(), R"("FirstName":"Ann","last":"Lee","age":18,"E_Mail":"a@b",)"
                                   R"("ratio@odata.type":"Edm.Double","ratio":0.5,"FullName":"Ann Lee")"));
    EXPECT_EQ(reading<person>(R"("first":"x","E_Mail":"","ratio":1)").first, "");
}

TEST(named_member, is_named_so_in_errors) {
    auto p = ann();
    p.first = "\xFF";
    EXPECT_TRUE(unwritable(p, library_errc::invalid_text, "FirstName"));
    EXPECT_TRUE(unreadable<person>(R"("FirstName":1,"E_Mail":"","ratio":1)", library_errc::type_mismatch, "FirstName"));
}

TEST(ignored_member, is_neither_written_nor_read) {
    auto p = ann();
    p.cache = std::make_shared<int>(1);
    EXPECT_EQ(written(p), written(ann()));
    EXPECT_EQ(reading<person>(R"("cache":5,"E_Mail":"","ratio":1)").cache, nullptr);
}

TEST(required_member, is_missed_by_its_stored_name) {
    EXPECT_TRUE(unreadable<person>(R"("ratio":1)", library_errc::missing_property, "E_Mail"));
    EXPECT_TRUE(unreadable<person>(R"("E_Mail":null,"ratio":1)", library_errc::missing_property, "E_Mail"));
    auto const r = try_read<person>("");
    ASSERT_FALSE(r);
    EXPECT_EQ(faulty_properties(r.error()), (std::vector<std::string>{"E_Mail", "ratio"}));
}

TEST(required_member, leaves_the_others_their_defaults) {
    auto const p = reading<person>(R"("E_Mail":"e","ratio":1)");
    EXPECT_EQ(p.email, "e");
    EXPECT_EQ(p.age, 18);
}

TEST(computed_property, is_written_whenever_it_has_a_value) {
    auto p = ann();
    p.age = 15;
    EXPECT_TRUE(written(p).ends_with(R"("FullName":"Ann Lee","Minor@odata.type":"Edm.Int64","Minor":"3")"));
    EXPECT_TRUE(written(ann()).ends_with(R"("FullName":"Ann Lee")"));
}

TEST(computed_property, is_never_read_whatever_it_holds) {
    EXPECT_EQ(reading<person>(R"("E_Mail":"e","ratio":1,"FullName":7,"Minor":"x")").first, "");
}

TEST(computed_property, goes_with_chosen_members_and_stops_no_merge) {
    detail::encoded_entity e;
    ASSERT_TRUE(encode(ann(), e, only<&person::age>, detail::empty_members::refused));
    EXPECT_EQ(e.body, test::row(R"("age":18,"FullName":"Ann Lee")"));
}

TEST(computed_property, is_checked_like_a_member) {
    auto p = ann();
    p.last = std::string(32'768, 'x');
    EXPECT_TRUE(unwritable(p, library_errc::value_too_large, "FullName"));
}

}  // namespace
