// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/random.hpp"

#include "tablemap/mapping/converters/decimal.hpp"
#include "tablemap/mapping/converters/duration.hpp"
#include "tablemap/mapping/converters/json_document.hpp"
#include "tablemap/mapping/converters/url.hpp"
#include "tablemap/tablemap.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

/// Structs that use every form of the mapping language, and values of them.
namespace tablemap::test {

enum class level { junior, senior, chief };         // by name
enum class state : std::uint8_t { off, on = 200 };  // by number, listed
enum class color : std::int64_t {};                 // by number, any

struct money {
    std::int64_t cents{};
    friend bool operator==(money, money) = default;
};

struct place {
    std::string street{};
    std::string city{};
    std::optional<std::int32_t> number{};
    friend bool operator==(place const&, place const&) = default;
};

struct branch {
    std::int64_t code{};
    place at{};
    friend bool operator==(branch const&, branch const&) = default;
};

using sys_millis = std::chrono::sys_time<std::chrono::milliseconds>;

/// One member of every type that is one property and has no Edm type of its own, at the end an optional of some.
struct converted_types {
    std::string partition{};
    std::string row{};
    std::int8_t i8{};
    std::int16_t i16{};
    std::uint8_t u8{};
    std::uint16_t u16{};
    std::uint32_t u32{};
    std::uint64_t u64{};
    long long i64{};
    level rank{};
    state power{};
    color paint{};
    std::chrono::sys_days day{};
    std::chrono::sys_seconds second{};
    sys_millis milli{};
    std::chrono::sys_time<tick_duration> tick{};
    std::chrono::milliseconds length{};
    std::chrono::hours shift{};
    money price{};
    decimal exact{};
    json_document document{};
    std::optional<std::uint64_t> maybe_u64{};
    std::optional<level> maybe_rank{};
    std::optional<sys_millis> maybe_milli{};
    std::optional<money> maybe_price{};
    std::optional<url> maybe_url{};

    friend bool operator==(converted_types const&, converted_types const&) = default;
};

/// Every form of a member that is not one property of its own name.
struct every_form {
    std::string partition{};
    std::string row{};
    std::string text{};
    place home{};
    std::optional<place> second{};
    branch office{};
    std::array<std::int32_t, 3> hours{};
    std::array<std::optional<std::string>, 2> notes{};
    std::map<std::string, std::int64_t> tags{};
    std::unordered_map<std::string, guid> ids{};
    std::vector<place> places{};
    std::optional<std::map<std::string, std::vector<std::int32_t>>> curves{};
    tablemap::series<std::int32_t, 24> counts{};
    tablemap::series<std::string, 3> names{};
    std::int32_t scratch{};
    extras rest{};

    friend bool operator==(every_form const&, every_form const&) = default;
};

/// The same rows without the member that keeps what the struct does not know.
struct without_extras {
    std::string partition{};
    std::string row{};
    std::string text{};
};

}  // namespace tablemap::test

namespace tablemap {
template <>
inline constexpr auto enumeration<test::level> =
    by_name<test::level::junior, test::level::senior, test::level::chief>.named<test::level::chief>("Chief");
}
template <>
inline constexpr auto tablemap::enumeration<tablemap::test::state> =
    tablemap::by_number<tablemap::test::state::off, tablemap::test::state::on>;
template <> inline constexpr auto tablemap::enumeration<tablemap::test::color> = tablemap::by_number<>;

template <> struct tablemap::converter<tablemap::test::money> {
    using stored = std::int64_t;
    static stored to_property(test::money const& m) { return m.cents; }
    static test::money from_property(stored const& cents) { return {cents}; }
};

template <> struct tablemap::mapping<tablemap::test::converted_types> {
    static constexpr auto partition_key = key(part<&test::converted_types::partition>.may_be_empty());
    static constexpr auto row_key = key(part<&test::converted_types::row>.may_be_empty());
};

template <> struct tablemap::mapping<tablemap::test::place> {
    static constexpr auto members = tablemap::members(member<&test::place::number>.named("no"));
};

template <> struct tablemap::mapping<tablemap::test::every_form> {
    using type = test::every_form;
    static constexpr auto partition_key = key(part<&type::partition>.may_be_empty());
    static constexpr auto row_key = key(part<&type::row>.may_be_empty());
    static constexpr auto members = tablemap::members(
        member<&type::text>.named("Text"), member<&type::home>.flattened(),
        member<&type::second>.flattened().named("other"), member<&type::office>.flattened(),
        member<&type::hours>.numbered(), member<&type::notes>.numbered(), member<&type::tags>.prefixed(),
        member<&type::ids>.prefixed(), member<&type::places>.as_json(), member<&type::curves>.as_json(),
        member<&type::scratch>.ignored(),
        computed("City_length", [](type const& v) { return static_cast<int>(v.home.city.size()); }));
};

template <> struct tablemap::mapping<tablemap::test::branch> {
    static constexpr auto members = tablemap::members(member<&test::branch::at>.flattened());
};

template <> struct tablemap::mapping<tablemap::test::without_extras> {
    static constexpr auto partition_key = key(part<&test::without_extras::partition>);
    static constexpr auto row_key = key(part<&test::without_extras::row>);
    static constexpr auto members = tablemap::members(member<&test::without_extras::text>.named("Text"));
};

namespace tablemap::test {

inline converted_types random_converted(random_source& random) {
    auto const some = [&](auto value) { return random.coin() ? std::optional{value} : std::nullopt; };
    auto const time = [&]<class D>(D) { return std::chrono::ceil<D>(random.time().time()); };
    converted_types v{
        .partition = random.key_text(10),
        .row = random.key_text(10),
        .i8 = static_cast<std::int8_t>(random.word()),
        .i16 = static_cast<std::int16_t>(random.word()),
        .u8 = static_cast<std::uint8_t>(random.word()),
        .u16 = static_cast<std::uint16_t>(random.word()),
        .u32 = static_cast<std::uint32_t>(random.word()),
        .u64 = static_cast<std::uint64_t>(std::abs(random.integer() / 2)),
        .i64 = random.integer(),
        .rank = static_cast<level>(random.below(3)),
        .power = random.coin() ? state::on : state::off,
        .paint = static_cast<color>(random.integer()),
        .day = std::chrono::floor<std::chrono::days>(random.time().time() + std::chrono::days{1}),
        .second = time(std::chrono::seconds{}),
        .milli = time(std::chrono::milliseconds{}),
        .tick = random.time().time(),
        .length = std::chrono::milliseconds{random.integer() / 10'000},
        .shift = std::chrono::hours{random.integer() / 36'000'000'000},
        .price = {random.integer()},
        .exact = *decimal::parse(std::to_string(random.integer()) + "." + std::to_string(random.below(1'000'000))),
        .document = *json_document::parse("{\"n\": [" + std::to_string(random.integer()) + ", null]}"),
        .maybe_u64 = some(static_cast<std::uint64_t>(random.below(1'000))),
        .maybe_rank = some(level::chief),
        .maybe_milli = some(time(std::chrono::milliseconds{})),
        .maybe_price = some(money{random.integer()}),
        .maybe_url = some(*url::parse("https://example.org/" + std::to_string(random.word()) + "?q=%20#f"))};
    v.day = std::min(v.day, std::chrono::floor<std::chrono::days>(ticks::max().time()));
    v.second = std::min(v.second, std::chrono::floor<std::chrono::seconds>(ticks::max().time()));
    v.milli = std::min(v.milli, std::chrono::floor<std::chrono::milliseconds>(ticks::max().time()));
    return v;
}

inline place random_place(random_source& random) {
    place p{.street = random.text(20), .city = random.text(20)};
    if (random.coin()) p.number = static_cast<std::int32_t>(random.word());
    return p;
}

/// A property name behind a prefix.
inline std::string random_name(random_source& random) {
    constexpr std::string_view letters = "abcXYZ_019";
    std::string name;
    for (auto n = 1 + random.below(12); n > 0; --n) name += letters[random.below(letters.size())];
    return name;
}

inline property_value random_property(random_source& random) {
    switch (random.below(8)) {
    case 0: return random.text(30);
    case 1: return random.coin();
    case 2: return static_cast<std::int32_t>(random.word());
    case 3: return random.integer();
    case 4: return random.real();
    case 5: return random.time();
    case 6: return random.guid();
    default: return random.binary(40);
    }
}

inline every_form random_form(random_source& random) {
    every_form v{.partition = random.key_text(10),
                 .row = random.key_text(10),
                 .text = random.text(100),
                 .home = random_place(random),
                 .office = {.code = random.integer(), .at = random_place(random)}};
    if (random.coin()) v.second = random_place(random);
    for (auto& h : v.hours) h = static_cast<std::int32_t>(random.word());
    for (auto& n : v.notes)
        if (random.coin()) n = random.text(10);
    for (auto n = random.below(5); n > 0; --n) v.tags[random_name(random)] = random.integer();
    for (auto n = random.below(5); n > 0; --n) v.ids[random_name(random)] = random.guid();
    for (auto n = random.below(10); n > 0; --n) v.counts[random.below(24)] = static_cast<std::int32_t>(random.word());
    if (random.coin()) v.names[random.below(3)] = random.text(10);
    for (auto n = random.below(4); n > 0; --n) v.places.push_back(random_place(random));
    if (random.coin())
        v.curves.emplace()[random.text(10)].assign(random.below(5), static_cast<std::int32_t>(random.word()));
    for (auto n = random.below(6); n > 0; --n) v.rest.set_value("x" + random_name(random), random_property(random));
    return v;
}

}  // namespace tablemap::test
