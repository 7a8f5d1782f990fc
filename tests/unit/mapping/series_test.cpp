// SPDX-License-Identifier: Apache-2.0
#include "tablemap/mapping/series.hpp"

#include "tablemap/mapping/changes.hpp"
#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/query/field.hpp"

#include "unit/mapping/codec.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace tablemap;
using test::failed_at;
using test::round_trips;
using test::written;
using ::testing::ElementsAre;

enum class mood { bad, good };

struct days {
    std::string key = "k";
    std::string note{};
    series<std::int32_t, 12> Count{};
    friend bool operator==(days const&, days const&) = default;
};

struct reading {
    series<std::int32_t, 3> degrees{};
    friend bool operator==(reading const&, reading const&) = default;
};
struct room {
    bool heated{};
    series<std::int32_t, 3> degrees{};
    friend bool operator==(room const&, room const&) = default;
};

struct nested {
    std::string key = "k";
    reading in{};
    std::optional<room> out{};
    friend bool operator==(nested const&, nested const&) = default;
};

struct many_types {
    std::string key = "k";
    series<std::string, 2> text{};
    series<std::int64_t, 2> number{};
    series<std::chrono::sys_seconds, 2> time{};
    series<mood, 2> feeling{};
    series<bool, 2> flag{};
    series<std::uint8_t, 2> small{};
    friend bool operator==(many_types const&, many_types const&) = default;
};

struct longest {
    std::string key = "k";
    series<std::int32_t, 252> n{};
    friend bool operator==(longest const&, longest const&) = default;
};

struct in_json {
    std::string key = "k";
    series<std::int32_t, 3> n{};
    friend bool operator==(in_json const&, in_json const&) = default;
};

}  // namespace

template <> inline constexpr auto tablemap::enumeration<mood> = tablemap::by_name<mood::bad, mood::good>;

template <> struct tablemap::mapping<days> : tablemap::test::keyed<days> {
    static constexpr auto discriminator = tablemap::discriminator("Kind", "days");
};
template <> struct tablemap::mapping<reading> {};
template <> struct tablemap::mapping<room> {};
template <> struct tablemap::mapping<nested> : tablemap::test::keyed<nested> {
    static constexpr auto members = tablemap::members(tablemap::member<&nested::in>.flattened().named("In"),
                                                      tablemap::member<&nested::out>.flattened());
};
template <> struct tablemap::mapping<many_types> : tablemap::test::keyed<many_types> {};
template <> struct tablemap::mapping<longest> : tablemap::test::keyed<longest> {};
template <> struct tablemap::mapping<in_json> : tablemap::test::keyed<in_json> {
    static constexpr auto members = tablemap::members(tablemap::member<&in_json::n>.as_json());
};

namespace {

using hours = series<std::int32_t, 24>;

// ---- the class ------------------------------------------------------------------------------------------------------

static_assert(std::ranges::bidirectional_range<hours const>);
static_assert(std::ranges::common_range<hours>);

TEST(series, has_no_element_at_first) {
    hours const h;
    EXPECT_TRUE(h.empty());
    EXPECT_EQ(h.count(), 0u);
    EXPECT_EQ(h[23], std::nullopt);
    EXPECT_EQ(h.begin(), h.end());
}

TEST(series, goes_over_the_elements_that_are_there_by_index) {
    hours h{{23, 4}, {0, 1}, {9, 3}};
    h[10] = 5;
    h[9].reset();
    std::vector<hours::entry> const found(h.begin(), h.end());
    EXPECT_THAT(found, ElementsAre(hours::entry{0, 1}, hours::entry{10, 5}, hours::entry{23, 4}));
    EXPECT_EQ(h.count(), 3u);
    EXPECT_EQ(*std::prev(h.end(), 2), (hours::entry{10, 5}));
}

TEST(series, is_a_range_for_algorithms) {
    hours const h{{1, 10}, {5, 30}, {7, 20}};
    EXPECT_EQ(std::ranges::max_element(h, {}, &hours::entry::value).operator*().index, 5u);
    EXPECT_EQ(std::accumulate(h.begin(), h.end(), 0, [](int n, hours::entry const& e) { return n + e.value; }), 60);
    EXPECT_EQ(std::ranges::find(h, 7u, &hours::entry::index).operator*().value, 20);
}

TEST(series, compares_which_elements_are_there_and_their_values) {
    hours a{{3, 0}}, b;
    EXPECT_NE(a, b);
    b[3] = 0;
    EXPECT_EQ(a, b);
    a.clear();
    EXPECT_EQ(a, hours{});
}

TEST(series, checks_indexes_where_it_is_asked_to) {
    hours h;
    h.at(23) = 1;
    EXPECT_EQ(h[23], 1);
    EXPECT_THROW(h.at(24), std::out_of_range);
    EXPECT_THROW((hours{{24, 1}}), std::out_of_range);
}

// ---- columns --------------------------------------------------------------------------------------------------------

std::string const kind = R"("Kind":"days","note":"")";

TEST(series_columns, are_those_of_the_elements_that_are_there) {
    EXPECT_TRUE(round_trips(days{}, kind));
    EXPECT_TRUE(
        round_trips(days{.Count = {{7, 0}, {0, 3}, {11, -1}}}, kind + R"(,"Count_00":3,"Count_07":0,"Count_11":-1)"));
}

TEST(series_columns, are_named_alike_whatever_the_extent) {
    longest v;
    v.n = {{0, 1}, {9, 2}, {99, 3}, {100, 4}, {251, 5}};
    EXPECT_TRUE(round_trips(v, R"("n_00":1,"n_09":2,"n_99":3,"n_100":4,"n_251":5)"));
}

TEST(series_columns, fill_an_entity_and_no_more) {
    longest v;
    for (std::size_t i = 0; i < v.n.extent; ++i) v.n[i] = 1;
    detail::encoded_entity plain, with_id{.operation_id = guid{}};
    EXPECT_TRUE(encode(v, plain));
    EXPECT_TRUE(test::failed_with(encode(v, with_id), library_errc::too_many_properties));
}

TEST(series_columns, hold_any_type_that_a_property_has) {
    many_types v;
    v.text[1] = "x";
    v.number[0] = 5;
    v.time[1] = std::chrono::sys_seconds{};
    v.feeling[0] = mood::good;
    v.flag[1] = false;
    v.small[0] = 255;
    EXPECT_TRUE(round_trips(v, R"("text_01":"x","number_00@odata.type":"Edm.Int64","number_00":"5",)"
                               R"("time_01@odata.type":"Edm.DateTime","time_01":"1970-01-01T00:00:00Z",)"
                               R"("feeling_00":"good","flag_01":false,"small_00":255)"));
}

TEST(series_columns, of_nested_structs_are_named_by_them) {
    nested v;
    v.in.degrees[2] = 20;
    EXPECT_TRUE(round_trips(v, R"("In_degrees_02":20)"));
    v.out = room{.heated = true, .degrees = {{0, -1}}};
    EXPECT_TRUE(round_trips(v, R"("In_degrees_02":20,"out_heated":true,"out_degrees_00":-1)"));
}

TEST(series_columns, with_a_wrong_value_are_named) {
    EXPECT_TRUE(test::unreadable<many_types>(R"("small_01":256)", library_errc::value_out_of_range, "small_01"));
    EXPECT_TRUE(test::unreadable<many_types>(R"("text_00":1)", library_errc::type_mismatch, "text_00"));
    EXPECT_TRUE(test::unwritable(many_types{.text = {{1, "\xFF"}}}, library_errc::invalid_text, "text_01"));
}

TEST(series_columns, beyond_the_extent_are_unknown_ones) {
    EXPECT_EQ(test::reading<days>(kind + R"(,"Count_12":1,"Count_7":2,"Count_007":3)"), days{});
}

TEST(series_columns, are_those_of_a_row_without_a_type) {
    auto const row = to_dynamic(days{.Count = {{3, 9}}});
    ASSERT_TRUE(row);
    EXPECT_EQ(*row->try_get<std::int32_t>("Count_03"), 9);
    EXPECT_EQ(from_dynamic<days>(*row)->Count, (series<std::int32_t, 12>{{3, 9}}));
}

TEST(series_columns, may_be_one_text_of_json) {
    EXPECT_TRUE(round_trips(in_json{.n = {{1, 5}}}, R"("n":"[null,5,null]")"));
    EXPECT_TRUE(test::unreadable<in_json>(R"("n":"[1,2]")", library_errc::type_mismatch, "n"));
}

// ---- merges ---------------------------------------------------------------------------------------------------------

/// The body of a merge behind the keys, or its fault.
template <class T, class Choice> std::string merged(T const& value, Choice const& choice) {
    detail::encoded_entity e;
    auto const r = encode(value, e, choice, detail::empty_members::refused);
    if (!r) return r.error().member() + ": " + r.error().what();
    constexpr std::string_view keys = R"({"PartitionKey":"p","RowKey":"k")";
    return e.body.substr(keys.size(), e.body.size() - keys.size() - 1);
}
template <class T, class Choice> result<void> try_merge(T const& value, Choice const& choice) {
    detail::encoded_entity e;
    return encode(value, e, choice, detail::empty_members::refused);
}

days const some{.note = "x", .Count = {{2, 20}, {3, 30}, {4, 40}}};

TEST(series_merge, of_one_element_sends_it_alone) {
    EXPECT_EQ(merged(some, element<&days::Count>(3)), R"(,"Kind":"days","Count_03":30)");
    EXPECT_EQ(merged(some, element<&days::Count, 4>), R"(,"Kind":"days","Count_04":40)");
}

TEST(series_merge, of_a_range_sends_what_is_there) {
    EXPECT_EQ(merged(some, elements<&days::Count>(3, 12)), R"(,"Kind":"days","Count_03":30,"Count_04":40)");
    EXPECT_EQ(merged(some, elements<&days::Count>(5, 8)), R"(,"Kind":"days")");
}

TEST(series_merge, joins_members_and_elements) {
    EXPECT_EQ(merged(some, only<&days::note> | element<&days::Count>(2) | elements<&days::Count>(4, 5)),
              R"(,"Kind":"days","note":"x","Count_02":20,"Count_04":40)");
    EXPECT_EQ(merged(some, element<&days::Count>(2) | element<&days::Count, 3>),
              R"(,"Kind":"days","Count_02":20,"Count_03":30)");
}

TEST(series_merge, of_the_whole_leaves_absent_elements_as_they_are) {
    EXPECT_EQ(merged(some, only<&days::Count>), R"(,"Kind":"days","Count_02":20,"Count_03":30,"Count_04":40)");
    detail::encoded_entity e;
    EXPECT_TRUE(encode(some, e, detail::empty_members::refused));
}

TEST(series_merge, of_a_named_element_that_is_absent_is_refused) {
    EXPECT_TRUE(failed_at(try_merge(some, element<&days::Count>(5)), library_errc::merge_cannot_remove, "Count_05"));
    EXPECT_TRUE(failed_at(try_merge(some, only<&days::Count> | element<&days::Count, 5>),
                          library_errc::merge_cannot_remove, "Count_05"));
}

TEST(series_merge, beyond_the_extent_is_refused_and_names_the_series) {
    auto const code = library_errc::invalid_property_name;
    EXPECT_TRUE(failed_at(try_merge(some, element<&days::Count>(12)), code, "Count"));
    EXPECT_TRUE(failed_at(try_merge(some, element<&days::Count>(-1)), code, "Count"));
    EXPECT_TRUE(
        failed_at(try_merge(some, element<&days::Count>(std::numeric_limits<std::uint64_t>::max())), code, "Count"));
    EXPECT_TRUE(failed_at(try_merge(some, elements<&days::Count>(3, 13)), code, "Count"));
    EXPECT_TRUE(failed_at(try_merge(some, elements<&days::Count>(3, 3)), code, "Count"));
    EXPECT_THAT(merged(some, element<&days::Count>(12)), ::testing::HasSubstr("elements 0 to 11"));
}

TEST(series_merge, reaches_into_nested_structs) {
    nested v;
    v.in.degrees[1] = 2;
    EXPECT_EQ(merged(v, element<&nested::in, &reading::degrees>(1)), R"(,"In_degrees_01":2)");
    EXPECT_TRUE(failed_at(try_merge(v, element<&nested::out, &room::degrees, 0>), library_errc::merge_cannot_remove,
                          "out_degrees_00"));
    EXPECT_TRUE(failed_at(try_merge(v, element<&nested::in, &reading::degrees>(3)), library_errc::invalid_property_name,
                          "In_degrees"));
}

// ---- changes --------------------------------------------------------------------------------------------------------

template <class T> std::string changed(T const& before, T const& after) {
    detail::encoded_entity out;
    auto const r = detail::encode_changes(before, after, out);
    if (!r) return r.error().member();
    return *r ? out.body.substr(out.body.find("Kind") - 1) : "nothing";
}

TEST(series_changes, are_the_elements_that_differ) {
    auto after = some;
    EXPECT_EQ(changed(some, after), "nothing");
    after.Count[3] = 31;
    after.Count[9] = 90;
    EXPECT_EQ(changed(some, after), R"("Kind":"days","Count_03":31,"Count_09":90})");
}

TEST(series_changes, cannot_take_an_element_away) {
    auto after = some;
    after.Count[3].reset();
    EXPECT_EQ(changed(some, after), "Count_03");
}

}  // namespace
