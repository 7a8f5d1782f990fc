// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/mapping/columns.hpp"

#include "unit/mapping/codec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace {

using namespace tablemap;
using test::faulty_properties;
using test::reading;
using test::round_trips;
using test::try_read;
using test::unreadable;
using test::unwritable;
using test::written;

// ---- nested structs -------------------------------------------------------------------------------------------------

struct place {
    double latitude = 1.5;
    std::optional<std::int32_t> floor{};

    friend bool operator==(place const&, place const&) = default;
};

struct address {
    std::string city = "Berlin";
    std::string zip{};
    place where{};
    std::map<std::string, std::int32_t> notes{};

    friend bool operator==(address const&, address const&) = default;
};

struct site {
    std::string key = "k";
    address home{};
    std::optional<address> work{};
    std::int32_t number{};

    friend bool operator==(site const&, site const&) = default;
};

}  // namespace

// Nested only, so it has no keys.
template <> struct tablemap::mapping<address> {
    static constexpr auto members = tablemap::members(
        tablemap::member<&address::city>.required(), tablemap::member<&address::zip>.named("Code"),
        tablemap::member<&address::where>.flattened().named("at"), tablemap::member<&address::notes>.prefixed());
};
template <> struct tablemap::mapping<site> : tablemap::test::keyed<site> {
    static constexpr auto members = tablemap::members(tablemap::member<&site::home>.flattened().named("Home"),
                                                      tablemap::member<&site::work>.flattened());
};

namespace {

std::string const home = R"("Home_city":"Bonn","Home_Code":"5","Home_at_latitude@odata.type":"Edm.Double",)"
                         R"("Home_at_latitude":2.5,"Home_at_floor":3)";
std::string const work = R"("work_city":"Ulm","work_Code":"","work_at_latitude@odata.type":"Edm.Double",)"
                         R"("work_at_latitude":1.5)";

address const bonn{.city = "Bonn", .zip = "5", .where = {.latitude = 2.5, .floor = 3}};

TEST(flattened_struct, is_one_property_for_each_member_at_any_depth) {
    EXPECT_TRUE(round_trips(site{.home = bonn, .number = 7}, home + R"(,"number":7)"));
}

TEST(flattened_optional_struct, is_there_or_not) {
    EXPECT_TRUE(round_trips(site{.home = bonn, .work = address{.city = "Ulm"}}, home + "," + work + R"(,"number":0)"));
    EXPECT_EQ(reading<site>(home).work, std::nullopt);
}

TEST(flattened_optional_struct, is_there_if_one_of_its_properties_is) {
    auto const s = reading<site>(home + R"(,"work_at_floor":9,"work_city":"Ulm")");
    ASSERT_TRUE(s.work);
    EXPECT_EQ(*s.work, (address{.city = "Ulm", .where = {.floor = 9}}));
}

TEST(flattened_optional_struct, requires_its_members_only_if_it_is_there) {
    EXPECT_EQ(reading<site>(home + R"(,"number":1)").work, std::nullopt);
    EXPECT_TRUE(unreadable<site>(home + R"(,"work_at_floor":9)", library_errc::missing_property, "work_city"));
    EXPECT_TRUE(unreadable<site>(R"("number":1)", library_errc::missing_property, "Home_city"));
}

TEST(flattened_optional_struct, is_there_if_its_map_has_an_entry) {
    EXPECT_TRUE(unreadable<site>(home + R"(,"work_notes_a":1)", library_errc::missing_property, "work_city"));
    auto const s = reading<site>(home + R"(,"work_notes_a":1,"work_city":"Ulm","work_notes_b":2)");
    ASSERT_TRUE(s.work);
    EXPECT_EQ(s.work->notes, (std::map<std::string, std::int32_t>{{"a", 1}, {"b", 2}}));
}

TEST(flattened_struct, writes_the_maps_within_it) {
    site s{.home = bonn};
    s.home.notes = {{"x", 1}};
    EXPECT_TRUE(round_trips(s, home + R"(,"number":0,"Home_notes_x":1)"));
}

TEST(flattened_struct, names_the_column_in_errors) {
    site s{.home = bonn};
    s.home.zip = "\xFF";
    EXPECT_TRUE(unwritable(s, library_errc::invalid_text, "Home_Code"));
    EXPECT_TRUE(unreadable<site>(home + R"(,"work_city":1)", library_errc::type_mismatch, "work_city"));
}

TEST(flattened_struct, is_chosen_whole) {
    detail::encoded_entity e;
    ASSERT_TRUE(encode(site{.home = bonn}, e, only<&site::home>, detail::empty_members::refused));
    EXPECT_EQ(e.body, test::row(home));
    EXPECT_TRUE(test::failed_at(encode(site{.home = bonn}, e, only<&site::work>, detail::empty_members::refused),
                                library_errc::merge_cannot_remove, "work_city"));
}

// ---- arrays ---------------------------------------------------------------------------------------------------------

struct lists {
    std::string key = "k";
    std::array<std::int32_t, 3> hours{1, 2, 3};
    std::array<std::optional<std::string>, 2> names{};
    std::array<bool, 101> flags{};

    friend bool operator==(lists const&, lists const&) = default;
};

}  // namespace

template <> struct tablemap::mapping<lists> : tablemap::test::keyed<lists> {
    static constexpr auto members = tablemap::members(tablemap::member<&lists::hours>.numbered(),
                                                      tablemap::member<&lists::names>.numbered().named("Name"),
                                                      tablemap::member<&lists::flags>.numbered());
};

namespace {

TEST(numbered_array, is_one_property_for_each_element) {
    auto const text = written(lists{.hours = {7, 8, 9}, .names = {std::nullopt, "b"}});
    EXPECT_TRUE(text.starts_with(R"("hours_0":7,"hours_1":8,"hours_2":9,"Name_1":"b","flags_0":false,)")) << text;
    EXPECT_TRUE(text.ends_with(R"("flags_9":false,"flags_10":false)") ||
                text.ends_with(R"("flags_99":false,"flags_100":false)"))
        << text;
    EXPECT_TRUE(round_trips(lists{.hours = {7, 8, 9}, .names = {std::nullopt, "b"}}, text));
}

TEST(numbered_array, keeps_the_elements_that_are_absent) {
    auto const s = reading<lists>(R"("hours_1":5,"Name_0":"a")");
    EXPECT_EQ(s.hours, (std::array<std::int32_t, 3>{1, 5, 3}));
    EXPECT_EQ(s.names, (std::array<std::optional<std::string>, 2>{"a", std::nullopt}));
}

TEST(numbered_array, names_the_element_in_errors) {
    EXPECT_TRUE(unreadable<lists>(R"("hours_2":"x")", library_errc::type_mismatch, "hours_2"));
    EXPECT_TRUE(unwritable(lists{.names = {std::nullopt, "\xFF"}}, library_errc::invalid_text, "Name_1"));
}

TEST(numbered_array, has_no_element_beyond_its_end) {
    EXPECT_EQ(reading<lists>(R"("hours_3":"x","hours_":"x","hours_00":"x")"), lists{});
}

// ---- maps -----------------------------------------------------------------------------------------------------------

struct tagged {
    std::string key = "k";
    std::map<std::string, std::string> tags{};
    std::unordered_map<std::string, std::int64_t> counts{};
    std::int32_t last{};

    friend bool operator==(tagged const&, tagged const&) = default;
};

}  // namespace

template <> struct tablemap::mapping<tagged> : tablemap::test::keyed<tagged> {
    static constexpr auto members = tablemap::members(tablemap::member<&tagged::tags>.prefixed(),
                                                      tablemap::member<&tagged::counts>.prefixed().named("n"));
};

namespace {

TEST(prefixed_map, is_one_property_for_each_entry) {
    tagged const t{.tags = {{"a", "1"}, {"b_2", ""}}, .counts = {{"0", 5}}};
    EXPECT_TRUE(round_trips(t, R"("last":0,"tags_a":"1","tags_b_2":"","n_0@odata.type":"Edm.Int64","n_0":"5")"));
    EXPECT_TRUE(round_trips(tagged{}, R"("last":0)"));
}

TEST(prefixed_map, reads_annotations_on_either_side) {
    auto const t = reading<tagged>(R"("n_a":"1","n_a@odata.type":"Edm.Int64","n_b@odata.type":"Edm.Int64","n_b":"2")");
    EXPECT_EQ(t.counts, (std::unordered_map<std::string, std::int64_t>{{"a", 1}, {"b", 2}}));
}

TEST(prefixed_map, refuses_entries_of_another_type) {
    EXPECT_TRUE(unreadable<tagged>(R"("n_a":"1")", library_errc::type_mismatch, "n_a"));
    EXPECT_TRUE(unreadable<tagged>(R"("tags_a":1)", library_errc::type_mismatch, "tags_a"));
    EXPECT_TRUE(
        unreadable<tagged>(R"("tags_a@odata.type":"Edm.Guid","tags_a":"x")", library_errc::type_mismatch, "tags_a"));
    EXPECT_TRUE(unreadable<tagged>(R"("n_a@odata.type":"Edm.Int64","n_a":"x")", library_errc::type_mismatch, "n_a"));
}

TEST(prefixed_map, refuses_keys_that_make_no_property_name) {
    for (auto const& key : {std::string{}, std::string{"a b"}, std::string{"a-b"}, std::string{"a.b"},
                            std::string{"\xFF"}, std::string(251, 'x')}) {
        tagged const t{.tags = {{key, "v"}}};
        EXPECT_TRUE(unwritable(t, library_errc::invalid_property_name, "tags_")) << key;
    }
    EXPECT_TRUE(written(tagged{.tags = {{std::string(250, 'x'), "v"}}}).starts_with("\"last\""));
}

TEST(prefixed_map, does_not_tell_its_keys_in_errors) {
    detail::encoded_entity e;
    auto const r = encode(tagged{.tags = {{"SECRET key", "v"}}}, e);
    ASSERT_FALSE(r);
    EXPECT_THAT(r.error().what(), ::testing::Not(::testing::HasSubstr("SECRET")));
}

TEST(prefixed_map, has_no_entry_of_an_empty_key) {
    auto const t = reading<tagged>(R"("tags_":"x","tags_a":"1")");
    EXPECT_EQ(t.tags, (std::map<std::string, std::string>{{"a", "1"}}));
    EXPECT_TRUE(written(t).starts_with("\"last\"")) << "what was read can be written";
}

TEST(prefixed_map, has_every_entry_once) {
    EXPECT_TRUE(unreadable<tagged>(R"("tags_a":"1","tags_a":"2")", library_errc::malformed_response, "tags_a"));
}

TEST(prefixed_map, counts_towards_the_252_properties) {
    tagged t;
    for (int i = 0; i < 251; ++i) t.tags["t" + std::to_string(i)];
    EXPECT_TRUE(written(t).starts_with("\"last\""));
    detail::encoded_entity with_id;
    with_id.operation_id = guid{};
    EXPECT_TRUE(test::failed_with(encode(t, with_id), library_errc::too_many_properties));
    t.counts["one_more"] = 1;
    EXPECT_TRUE(unwritable(t, library_errc::too_many_properties, ""));
}

// ---- JSON -----------------------------------------------------------------------------------------------------------

struct combined {
    std::string key = "k";
    std::pair<std::string, std::int32_t> pair{};
    std::set<std::int32_t> set{};
    std::variant<std::monostate, std::int32_t, std::string> variant{};
    std::optional<std::variant<bool, double>> maybe{};

    friend bool operator==(combined const&, combined const&) = default;
};

struct documented {
    std::string key = "k";
    std::vector<std::int32_t> list{};
    std::optional<std::map<std::string, double>> maybe{};

    friend bool operator==(documented const&, documented const&) = default;
};

}  // namespace

template <> struct tablemap::mapping<combined> : tablemap::test::keyed<combined> {
    static constexpr auto members =
        tablemap::members(tablemap::member<&combined::pair>.as_json(), tablemap::member<&combined::set>.as_json(),
                          tablemap::member<&combined::variant>.as_json(), tablemap::member<&combined::maybe>.as_json());
};

template <> struct tablemap::mapping<documented> : tablemap::test::keyed<documented> {
    static constexpr auto members = tablemap::members(tablemap::member<&documented::list>.as_json().named("List"),
                                                      tablemap::member<&documented::maybe>.as_json());
};

namespace {

TEST(json_column, is_one_string) {
    EXPECT_TRUE(round_trips(documented{.list = {1, 2}}, R"("List":"[1,2]")"));
    EXPECT_TRUE(round_trips(documented{.maybe = std::map<std::string, double>{{"a", 0.5}}},
                            R"("List":"[]","maybe":"{\"a\":0.5}")"));
}

TEST(json_column, refuses_text_that_is_not_its_json) {
    EXPECT_TRUE(unreadable<documented>(R"("List":"[1,")", library_errc::type_mismatch, "List"));
    EXPECT_TRUE(unreadable<documented>(R"("List":5)", library_errc::type_mismatch, "List"));
    EXPECT_TRUE(unreadable<documented>(R"("List":"[true]")", library_errc::type_mismatch, "List"));
    EXPECT_TRUE(unreadable<documented>(R"("maybe":"[]")", library_errc::type_mismatch, "maybe"));
}

TEST(json_column, holds_tuples_sets_and_variants) {
    combined const c{.pair = {"a", 1}, .set = {3, 2}, .variant = "b", .maybe = std::variant<bool, double>{0.5}};
    EXPECT_TRUE(round_trips(c, R"("pair":"[\"a\",1]","set":"[2,3]","variant":"\"b\"","maybe":"0.5")"));
    EXPECT_TRUE(round_trips(combined{}, R"("pair":"[\"\",0]","set":"[]","variant":"null")"));
    EXPECT_TRUE(unreadable<combined>(R"("set":"[1,1]")", library_errc::type_mismatch, "set"));
    EXPECT_TRUE(unreadable<combined>(R"("variant":"{}")", library_errc::type_mismatch, "variant"));
}

TEST(json_column, is_limited_like_any_string) {
    EXPECT_TRUE(
        unwritable(documented{.list = std::vector<std::int32_t>(16'384)}, library_errc::value_too_large, "List"));
    EXPECT_TRUE(written(documented{.list = std::vector<std::int32_t>(16'383)}).starts_with("\"List\""));
}

// ---- limits ---------------------------------------------------------------------------------------------------------

struct widest {
    std::string key = "k";
    std::array<std::int32_t, 126> a{};
    std::array<std::optional<std::int32_t>, 126> b{};

    friend bool operator==(widest const&, widest const&) = default;
};

}  // namespace

template <> struct tablemap::mapping<widest> : tablemap::test::keyed<widest> {
    static constexpr auto members =
        tablemap::members(tablemap::member<&widest::a>.numbered(), tablemap::member<&widest::b>.numbered());
};

namespace {

TEST(entity_of_252_properties, is_written_and_read) {
    widest w;
    w.a.fill(1), w.b.fill(2);
    EXPECT_TRUE(round_trips(w, written(w)));
}

TEST(entity_of_252_properties, has_no_room_for_an_operation_token) {
    widest w;
    w.b.fill(2);
    detail::encoded_entity e;
    e.operation_id = guid{};
    EXPECT_TRUE(test::failed_with(encode(w, e), library_errc::too_many_properties));
    w.b[0].reset();
    EXPECT_TRUE(encode(w, e));
}

}  // namespace
