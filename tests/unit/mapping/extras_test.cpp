// SPDX-License-Identifier: Apache-2.0
#include "tablemap/mapping/extras.hpp"

#include "unit/mapping/codec.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>

namespace {

using namespace tablemap;
using test::reading;
using test::round_trips;
using test::unreadable;
using test::unwritable;
using test::written;

struct open_struct {
    std::string key = "k";
    std::string name{};
    extras more{};
    std::int32_t skipped{};
    std::map<std::string, bool> flags{};

    friend bool operator==(open_struct const&, open_struct const&) = default;
};

struct closed_struct {
    std::string key = "k";
    std::string name{};
    std::int32_t skipped{};
    std::map<std::string, bool> flags{};

    friend bool operator==(closed_struct const&, closed_struct const&) = default;
};

}  // namespace

template <> struct tablemap::mapping<open_struct> : tablemap::test::keyed<open_struct> {
    static constexpr auto members = tablemap::members(
        tablemap::member<&open_struct::skipped>.ignored(), tablemap::member<&open_struct::flags>.prefixed(),
        tablemap::computed("Size", [](open_struct const& o) { return static_cast<std::int32_t>(o.name.size()); }));
    static constexpr auto unknown_columns = tablemap::unknown_columns::refused;
};
template <> struct tablemap::mapping<closed_struct> : tablemap::test::keyed<closed_struct> {
    static constexpr auto members = tablemap::members(
        tablemap::member<&closed_struct::skipped>.ignored(), tablemap::member<&closed_struct::flags>.prefixed(),
        tablemap::computed("Size", [](closed_struct const&) { return std::int32_t{}; }));
    static constexpr auto unknown_columns = tablemap::unknown_columns::refused;
};

namespace {

// ---- kept -----------------------------------------------------------------------------------------------------------

TEST(extras, keep_unknown_columns_with_their_types_in_the_order_of_the_row) {
    auto const o = reading<open_struct>(
        R"("z":"text","name":"n","a@odata.type":"Edm.Int64","a":"5","g":"c9da6455-213d-42c9-9a79-3e9149a57833",)"
        R"("g@odata.type":"Edm.Guid","r":0.5,"i":7,"b":true,"skipped":1,"t@odata.type":"Edm.DateTime",)"
        R"("t":"2024-01-01T00:00:00Z","d":"AQID","d@odata.type":"Edm.Binary","none":null)");
    extras expected;
    expected.set("z", "text");
    expected.set("a", std::int64_t{5});
    expected.set("g", guid::parse("c9da6455-213d-42c9-9a79-3e9149a57833").value());
    expected.set("r", 0.5);
    expected.set("i", std::int32_t{7});
    expected.set("b", true);
    expected.set("skipped", std::int32_t{1});
    expected.set("t", ticks::parse("2024-01-01T00:00:00Z").value());
    expected.set("d", bytes{std::byte{1}, std::byte{2}, std::byte{3}});
    EXPECT_EQ(o.more, expected);
}

TEST(extras, hold_all_of_a_row_of_very_many_columns) {
    std::string members = R"("name":"n")";
    for (int i = 0; i < 900; ++i) members += ",\"u" + std::to_string(i) + "\":" + std::to_string(i);
    auto const o = reading<open_struct>(members);
    ASSERT_EQ(o.more.properties().size(), 900U);
    EXPECT_EQ(o.more.properties()[899].name, "u899");
    EXPECT_EQ(*o.more.try_get<std::int32_t>("u899"), 899);
}

TEST(extras, are_written_back) {
    open_struct o{.name = "n"};
    o.more.set("a", std::int64_t{5});
    o.more.set("b", "x");
    EXPECT_TRUE(round_trips(o, R"("name":"n","Size":1,"a@odata.type":"Edm.Int64","a":"5","b":"x")"));
}

TEST(extras, hold_neither_members_nor_entries_nor_computed_nor_the_operation_token) {
    auto const o = reading<open_struct>(
        R"("name":"n","flags_a":true,"Size":9,"TablemapOperation@odata.type":"Edm.Guid",)"
        R"("TablemapOperation":"c9da6455-213d-42c9-9a79-3e9149a57833","Timestamp":"2024-01-01T00:00:00Z")");
    EXPECT_TRUE(o.more.properties().empty());
    EXPECT_TRUE(o.flags.at("a"));
}

TEST(extras, are_left_out_where_other_members_were_chosen) {
    open_struct o{.name = "n"};
    o.more.set("a", std::int64_t{5});
    detail::encoded_entity e;
    ASSERT_TRUE(encode(o, e, only<&open_struct::name>, detail::empty_members::refused));
    EXPECT_EQ(e.body, test::row(R"("name":"n","Size":1)"));
}

TEST(extras, are_sent_where_they_were_chosen) {
    open_struct o{.name = "n"};
    o.more.set("a", std::int32_t{5});
    detail::encoded_entity e;
    ASSERT_TRUE(encode(o, e, only<&open_struct::more>, detail::empty_members::refused));
    EXPECT_EQ(e.body, test::row(R"("Size":1,"a":5)"));
}

TEST(extras, refuse_names_that_the_mapping_has_itself_or_that_are_not_legal) {
    for (auto const* name :
         {"name", "Size", "flags_a", "TablemapOperation", "PartitionKey", "Timestamp", "a b", "", "1"}) {
        open_struct o;
        o.more.set(name, std::int32_t{1});
        EXPECT_TRUE(unwritable(o, library_errc::invalid_property_name, name)) << name;
    }
    open_struct fine;
    fine.more.set("skipped", std::int32_t{1});
    fine.more.set("key", "a member that stands in the key alone");
    fine.more.set("flags_", true);
    EXPECT_TRUE(round_trips(fine, written(fine)));
}

TEST(extras, are_checked_like_members) {
    open_struct o;
    o.more.set("text", "\xFF");
    EXPECT_TRUE(unwritable(o, library_errc::invalid_text, "text"));
    open_struct p;
    p.more.set("time", ticks{});
    EXPECT_TRUE(unwritable(p, library_errc::value_out_of_range, "time"));
}

TEST(extras, refuse_values_that_do_not_have_their_declared_type) {
    EXPECT_TRUE(unreadable<open_struct>(R"("a@odata.type":"Edm.Guid","a":"x")", library_errc::type_mismatch, "a"));
    EXPECT_TRUE(unreadable<open_struct>(R"("a@odata.type":"Edm.Money","a":1)", library_errc::type_mismatch, "a"));
    EXPECT_TRUE(unreadable<open_struct>(R"("a":1,"b":2,"a":3)", library_errc::malformed_response, "a"));
}

TEST(extras, count_towards_the_252_properties) {
    open_struct o;
    for (int i = 0; i < 250; ++i) o.more.set("x" + std::to_string(i), true);
    EXPECT_TRUE(round_trips(o, written(o)));
    o.more.set("one_more", true);
    EXPECT_TRUE(unwritable(o, library_errc::too_many_properties, ""));
}

// ---- refused --------------------------------------------------------------------------------------------------------

TEST(unknown_columns, are_refused_each_by_name) {
    auto const r = test::try_read<closed_struct>(R"("a":1,"name":"n","b@odata.type":"Edm.Int64","b":"1")");
    ASSERT_TRUE(test::failed_with(r, library_errc::unknown_property));
    EXPECT_EQ(test::faulty_properties(r.error()), (std::vector<std::string>{"a", "b"}));
}

TEST(unknown_columns, are_none_of_the_systems_or_the_mappings) {
    auto const c = reading<closed_struct>(
        R"("odata.etag":"e","Timestamp@odata.type":"Edm.DateTime","Timestamp":"2024-01-01T00:00:00Z","name":"n",)"
        R"("flags_x":true,"Size":1,"TablemapOperation":"x","gone":null)");
    EXPECT_EQ(c, (closed_struct{.name = "n", .flags = {{"x", true}}}));
}

TEST(unknown_columns, include_those_of_ignored_members) {
    EXPECT_TRUE(unreadable<closed_struct>(R"("skipped":1)", library_errc::unknown_property, "skipped"));
    EXPECT_TRUE(unreadable<closed_struct>(R"("flags_":true)", library_errc::unknown_property, "flags_"));
}

}  // namespace
