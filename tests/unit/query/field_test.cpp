// SPDX-License-Identifier: Apache-2.0
#include "tablemap/query/field.hpp"

#include "tablemap/detail/mapping/encode.hpp"
#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/filter/odata.hpp"
#include "tablemap/mapping/converters/decimal.hpp"
#include "tablemap/mapping/converters/duration.hpp"

#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <optional>
#include <string>

namespace tablemap {
namespace {

enum class level { junior, senior, retired };
enum class shift : std::int8_t { day = 1, night = -2 };

struct money {
    std::int64_t cents{};
};

struct grade {
    std::string letter{};
};

struct address {
    std::string city{};
    std::array<std::int32_t, 12> codes{};
};

struct seat {
    std::optional<address> where{};
};

struct worker {
    std::string site{};
    std::int32_t id{};
    std::string name{};
    std::optional<std::string> email{};
    bool active{};
    std::optional<bool> on_leave{};
    std::int32_t age{};
    std::int64_t steps{};
    std::uint8_t floor{};
    std::uint32_t badge{};
    std::uint64_t serial{};
    double pay{};
    std::optional<ticks> hired{};
    std::chrono::sys_seconds seen{};
    guid session{};
    level rank{};
    shift turn{};
    money bonus{};
    grade mark{};
    decimal share{};
    std::chrono::milliseconds pause{};
    address home{};
    seat place{};
    std::array<std::int64_t, 11> hours{};
    std::map<std::string, std::string> tags{};
    std::map<std::string, bool> flags{};
};

}  // namespace

template <> inline constexpr auto enumeration<level> = by_name<level::junior, level::senior>.named<level::junior>("Jr");
template <> inline constexpr auto enumeration<shift> = by_number<shift::day, shift::night>;

template <> struct converter<money> {
    using stored = std::int64_t;
    static result<stored> to_property(money const& m) {
        if (m.cents < 0) return fail(library_errc::value_out_of_range, {.reason = "no debts"});
        return m.cents;
    }
    static money from_property(stored const& cents) { return {cents}; }
};

template <> struct converter<grade> {
    using stored = std::string;
    static constexpr bool keeps_order = true;
    static stored to_property(grade const& g) { return g.letter; }
    static grade from_property(stored const& letter) { return {letter}; }
};

template <> struct mapping<address> {
    static constexpr auto members =
        tablemap::members(member<&address::city>.named("City"), member<&address::codes>.numbered());
};

template <> struct mapping<seat> {
    static constexpr auto members = tablemap::members(member<&seat::where>.flattened());
};

template <> struct mapping<worker> {
    static constexpr auto partition_key = key(part<&worker::site>);
    static constexpr auto row_key = key(part<&worker::id>.width(6).also_stored());
    static constexpr auto members = tablemap::members(
        member<&worker::name>.named("Name"), member<&worker::home>.flattened(), member<&worker::place>.flattened(),
        member<&worker::hours>.numbered().named("H"), member<&worker::tags>.prefixed(),
        member<&worker::flags>.prefixed(), computed("Upper", [](worker const& w) { return w.name + "!"; }),
        computed("Old", [](worker const& w) { return w.age > 60; }));
};

namespace {

template <class C> std::string odata(C const& c) {
    auto const whole = detail::as_condition(c);
    if (whole.fault()) return std::string{"fault at "} + whole.fault()->member();
    std::string text;
    auto const r = filter::append_odata(text, whole.expression());
    return r ? text : "refused";
}

template <class C> std::error_code fault_of(C const& c) { return c.fault() ? c.fault()->code() : std::error_code{}; }

// ---- operators ------------------------------------------------------------------------------------------------------

TEST(field, compares_by_every_operator) {
    constexpr auto age = field<&worker::age>;
    EXPECT_EQ(odata(age == 30), "age eq 30");
    EXPECT_EQ(odata(age != 30), "age ne 30");
    EXPECT_EQ(odata(age < 30), "age lt 30");
    EXPECT_EQ(odata(age <= 30), "age le 30");
    EXPECT_EQ(odata(age > 30), "age gt 30");
    EXPECT_EQ(odata(age >= 30), "age ge 30");
}

TEST(field, turns_an_operator_round_where_the_value_comes_first) {
    constexpr auto age = field<&worker::age>;
    EXPECT_EQ(odata(30 == age), "age eq 30");
    EXPECT_EQ(odata(30 != age), "age ne 30");
    EXPECT_EQ(odata(30 < age), "age gt 30");
    EXPECT_EQ(odata(30 <= age), "age ge 30");
    EXPECT_EQ(odata(30 > age), "age lt 30");
    EXPECT_EQ(odata(30 >= age), "age le 30");
}

TEST(condition, is_joined_by_and_or_and_not) {
    auto const old = field<&worker::age> > 60;
    auto const rich = field<&worker::pay> >= 1.5;
    EXPECT_EQ(odata(old && rich), "(age gt 60) and (pay ge 1.5)");
    EXPECT_EQ(odata(old || rich), "(age gt 60) or (pay ge 1.5)");
    EXPECT_EQ(odata(!old), "not (age gt 60)");
    EXPECT_EQ(odata(old && (rich || !old)), "(age gt 60) and ((pay ge 1.5) or (not (age gt 60)))");
}

TEST(condition, is_a_bool_member_by_itself) {
    constexpr auto active = field<&worker::active>;
    constexpr auto leave = field<&worker::on_leave>;
    EXPECT_EQ(odata(active), "active eq true");
    EXPECT_EQ(odata(!active), "active eq false");
    EXPECT_EQ(odata(active && !leave), "(active eq true) and (on_leave eq false)");
    EXPECT_EQ(odata(leave || field<&worker::age> < 3), "(on_leave eq true) or (age lt 3)");
    EXPECT_EQ(odata(active != true), "active ne true");
}

// ---- types ----------------------------------------------------------------------------------------------------------

TEST(field, compares_text_of_every_kind_and_escapes_it) {
    EXPECT_EQ(odata(field<&worker::name> == "O'Neill"), "Name eq 'O''Neill'");
    EXPECT_EQ(odata(field<&worker::name> < std::string{"x' or '1' eq '1"}), "Name lt 'x'' or ''1'' eq ''1'");
    EXPECT_EQ(odata(field<&worker::email> >= std::string_view{"a"}), "email ge 'a'");
}

TEST(field, compares_numbers_in_their_stored_width) {
    EXPECT_EQ(odata(field<&worker::steps> == 5), "steps eq 5L");
    EXPECT_EQ(odata(field<&worker::steps> == std::int64_t{1} << 40), "steps eq 1099511627776L");
    EXPECT_EQ(odata(field<&worker::floor> == 7), "floor eq 7");
    EXPECT_EQ(odata(field<&worker::badge> < 7), "badge lt 7L");
    EXPECT_EQ(odata(field<&worker::serial> > 7U), "serial gt 7L");
    EXPECT_EQ(odata(field<&worker::pay> >= 10), "pay ge 10.0");
}

TEST(field, compares_times_and_guids) {
    auto const day = std::chrono::sys_days{std::chrono::year{2024} / 1 / 2};
    EXPECT_EQ(odata(field<&worker::hired> >= day), "hired ge datetime'2024-01-02T00:00:00Z'");
    EXPECT_EQ(odata(field<&worker::hired> < ticks{day}), "hired lt datetime'2024-01-02T00:00:00Z'");
    EXPECT_EQ(odata(field<&worker::seen> == day), "seen eq datetime'2024-01-02T00:00:00Z'");
    EXPECT_EQ(odata(field<&worker::session> == guid{}), "session eq guid'00000000-0000-0000-0000-000000000000'");
}

TEST(field, compares_enums_as_they_are_stored) {
    EXPECT_EQ(odata(field<&worker::rank> == level::junior), "rank eq 'Jr'");
    EXPECT_EQ(odata(field<&worker::rank> != level::senior), "rank ne 'senior'");
    EXPECT_EQ(odata(field<&worker::turn> > shift::night), "turn gt -2");
}

TEST(field, compares_what_converters_store) {
    EXPECT_EQ(odata(field<&worker::bonus> <= money{250}), "bonus le 250L");
    EXPECT_EQ(odata(field<&worker::share> == decimal::parse("12.50").value()), "share eq '12.50'");
    EXPECT_EQ(odata(field<&worker::mark> < grade{"C"}), "mark lt 'C'");
    EXPECT_EQ(odata(field<&worker::pause> < std::chrono::seconds{2}), "pause lt 20000000L");
}

TEST(field, equals_the_value_that_the_mapping_writes) {
    worker const w{.site = "north",
                   .id = 3,
                   .name = "Don \U0001F600",
                   .email = "d@x",
                   .active = true,
                   .on_leave = false,
                   .age = 61,
                   .steps = std::int64_t{1} << 60,
                   .floor = 255,
                   .badge = 4'000'000'000,
                   .serial = 7,
                   .pay = 0.1,
                   .hired = ticks::min(),
                   .seen = std::chrono::sys_seconds{std::chrono::seconds{5}},
                   .session = guid::from_random(1, 2),
                   .rank = level::junior,
                   .turn = shift::night,
                   .bonus = {12},
                   .mark = {"B"},
                   .share = decimal::parse("1.0").value(),
                   .pause = std::chrono::milliseconds{9},
                   .home = {.city = "Graz"},
                   .tags = {{"team", "red"}}};
    detail::encoded_entity encoded;
    ASSERT_TRUE(detail::encode(w, encoded));
    auto const row = detail::read_dynamic(encoded.body).value();
    auto const all =
        field<&worker::id> == w.id && field<&worker::name> == w.name && field<&worker::email> == *w.email &&
        field<&worker::active> && !field<&worker::on_leave> && field<&worker::age> == w.age &&
        field<&worker::steps> == w.steps && field<&worker::floor> == w.floor && field<&worker::badge> == w.badge &&
        field<&worker::serial> == w.serial && field<&worker::pay> == w.pay && field<&worker::hired> == *w.hired &&
        field<&worker::seen> == w.seen && field<&worker::session> == w.session && field<&worker::rank> == w.rank &&
        field<&worker::turn> == w.turn && field<&worker::bonus> == w.bonus && field<&worker::mark> == w.mark &&
        field<&worker::share> == w.share && field<&worker::pause> == w.pause &&
        field<&worker::home, &address::city> == w.home.city && element<&worker::hours, 10> == w.hours[10] &&
        entry<&worker::tags>("team") == w.tags.at("team") && computed_field<worker, "Old">;
    ASSERT_FALSE(all.fault());
    EXPECT_TRUE(filter::matches(all.expression(), row));
}

TEST(field, of_a_key_member_that_is_also_stored_is_a_property) {
    EXPECT_EQ(odata(field<&worker::id> == 12), "id eq 12");
}

// ---- several properties in one member -------------------------------------------------------------------------------

TEST(field, reaches_into_flattened_structs) {
    EXPECT_EQ(odata(field<&worker::home, &address::city> == "Graz"), "home_City eq 'Graz'");
    EXPECT_EQ(odata(field<&worker::place, &seat::where, &address::city> == "Graz"), "place_where_City eq 'Graz'");
}

TEST(element, is_one_of_a_numbered_array) {
    EXPECT_EQ(odata(element<&worker::hours, 0> > 8), "H_0 gt 8L");
    EXPECT_EQ(odata(element<&worker::hours, 10U> > 8), "H_10 gt 8L");
    EXPECT_EQ(odata(element<&worker::place, &seat::where, &address::codes, 11> == 8), "place_where_codes_11 eq 8");
}

TEST(entry, is_one_of_a_prefixed_map) {
    EXPECT_EQ(odata(entry<&worker::tags>("team") == "red"), "tags_team eq 'red'");
    EXPECT_EQ(odata(entry<&worker::flags>("on") && !entry<&worker::flags>("off")),
              "(flags_on eq true) and (flags_off eq false)");
    EXPECT_EQ(odata(starts_with(entry<&worker::tags>("team"), "r")), "(tags_team ge 'r') and (tags_team lt 's')");
}

TEST(entry, of_a_key_that_makes_no_name_is_a_fault_that_does_not_tell_it) {
    for (auto const* key : {"", "a b", "x eq 1 or y", "a'"}) {
        auto const c = entry<&worker::tags>(key) == "red";
        EXPECT_EQ(fault_of(c), library_errc::invalid_property_name) << key;
        EXPECT_EQ(c.fault()->member(), "tags_");
        EXPECT_EQ(fault_of(starts_with(entry<&worker::tags>(key), "red")), library_errc::invalid_property_name);
    }
}

TEST(computed_field, is_a_property_that_the_mapping_adds) {
    EXPECT_EQ(odata(computed_field<worker, "Upper"> == "x!"), "Upper eq 'x!'");
    EXPECT_EQ(odata(starts_with(computed_field<worker, "Upper">, "x")), "(Upper ge 'x') and (Upper lt 'y')");
    EXPECT_EQ(odata(!computed_field<worker, "Old">), "Old eq false");
}

TEST(timestamp, is_compared_with_times) {
    EXPECT_EQ(odata(timestamp<worker> >= ticks::max()), "Timestamp ge datetime'9999-12-31T23:59:59.9999999Z'");
}

TEST(field_of, names_the_type_that_the_condition_is_over) {
    using kinds = std::variant<worker, dynamic_entity>;
    auto const c = field_of<kinds, &worker::home, &address::city> == "Graz";
    EXPECT_EQ(odata(c), "home_City eq 'Graz'");
    static_assert(std::same_as<decltype(c)::owner, kinds>);
    static_assert(detail::check_condition<kinds, condition<kinds>>());
    static_assert(detail::check_condition<kinds, condition<worker>>());
}

// ---- prefixes -------------------------------------------------------------------------------------------------------

TEST(starts_with, is_a_range) {
    EXPECT_EQ(odata(starts_with(field<&worker::name>, "Ha")), "(Name ge 'Ha') and (Name lt 'Hb')");
    EXPECT_EQ(odata(starts_with(field<&worker::email>, std::string{"O'"})), "(email ge 'O''') and (email lt 'O(')");
    EXPECT_EQ(odata(starts_with(field<&worker::name>, "")), "Name ge ''");
}

TEST(starts_with, is_right_at_the_top_of_the_character_range) {
    EXPECT_EQ(odata(starts_with(field<&worker::name>, "\uFFFF")), "Name ge '\uFFFF'");
    EXPECT_EQ(odata(starts_with(field<&worker::name>, "a\uFFFF")), "(Name ge 'a\uFFFF') and (Name lt 'b')");
    EXPECT_EQ(odata(starts_with(field<&worker::name>, "\U0010FFFF")), "(Name ge '\U0010FFFF') and (Name lt '\uE000')");
    EXPECT_EQ(odata(starts_with(field<&worker::name>, "\uD7FF")), "(Name ge '\uD7FF') and (Name lt '\U00010000')");
}

// ---- faults ---------------------------------------------------------------------------------------------------------

TEST(condition, carries_the_error_of_a_value_that_cannot_be_stored) {
    EXPECT_EQ(fault_of(field<&worker::rank> == level::retired), library_errc::value_out_of_range);
    EXPECT_EQ(fault_of(field<&worker::turn> == shift{9}), library_errc::value_out_of_range);
    EXPECT_EQ(fault_of(field<&worker::floor> == 256), library_errc::value_out_of_range);
    EXPECT_EQ(fault_of(field<&worker::badge> == -1), library_errc::value_out_of_range);
    EXPECT_EQ(fault_of(field<&worker::serial> == std::numeric_limits<std::uint64_t>::max()),
              library_errc::value_out_of_range);
    EXPECT_EQ(fault_of(field<&worker::hired> == ticks{}), library_errc::value_out_of_range);
    EXPECT_EQ(fault_of(field<&worker::name> == "\xFF"), library_errc::invalid_text);
    EXPECT_EQ(fault_of(starts_with(field<&worker::name>, "\xC3")), library_errc::invalid_text);
    EXPECT_EQ(fault_of(field<&worker::name> == std::string(32769, 'x')), library_errc::value_too_large);
    EXPECT_EQ(fault_of(field<&worker::pay> == std::nan("")), library_errc::unsupported);
    EXPECT_EQ(fault_of(field<&worker::pay> < HUGE_VAL), library_errc::unsupported);
}

TEST(condition, names_the_property_of_a_fault) {
    auto const c = field<&worker::bonus> == money{-1};
    ASSERT_TRUE(c.fault());
    EXPECT_EQ(c.fault()->code(), library_errc::value_out_of_range);
    EXPECT_EQ(c.fault()->details().reason, "no debts");
    EXPECT_EQ(c.fault()->member(), "bonus");
}

TEST(condition, keeps_the_first_fault_of_those_it_is_joined_of) {
    auto const good = field<&worker::age> > 60;
    auto const first = field<&worker::floor> == 256;
    auto const second = field<&worker::badge> == -1;
    EXPECT_EQ(odata(good && first), "fault at floor");
    EXPECT_EQ(odata(first || second), "fault at floor");
    EXPECT_EQ(odata(!(second && first)), "fault at badge");
    EXPECT_EQ(odata(field<&worker::active> && second), "fault at badge");
}

// ---- columns by name ------------------------------------------------------------------------------------------------

TEST(column, is_compared_as_exactly_the_type_of_the_value) {
    EXPECT_EQ(odata(column("Age") >= 30), "Age ge 30");
    EXPECT_EQ(odata(column("Age") >= std::int64_t{30}), "Age ge 30L");
    EXPECT_EQ(odata(column("Age") >= 30.0), "Age ge 30.0");
    EXPECT_EQ(odata(column("Name") == "x"), "Name eq 'x'");
    EXPECT_EQ(odata(column("On") == true), "On eq true");
    EXPECT_EQ(odata(column("At") < std::chrono::sys_days{std::chrono::year{2024} / 1 / 2}),
              "At lt datetime'2024-01-02T00:00:00Z'");
    EXPECT_EQ(odata(guid{} != column("Id")), "Id ne guid'00000000-0000-0000-0000-000000000000'");
    EXPECT_EQ(odata(starts_with(column("RowKey"), "x") && !(column("A") == 1)),
              "(RowKey ge 'x') and (RowKey lt 'y') and (not (A eq 1))");
}

TEST(column, of_a_text_that_is_no_name_is_a_fault) {
    for (auto const* name : {"", "a b", "1a", "Age ge 0 or Age"})
        EXPECT_EQ(fault_of(column(name) == 1), library_errc::invalid_property_name) << name;
}

}  // namespace
}  // namespace tablemap
