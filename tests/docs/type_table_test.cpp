// SPDX-License-Identifier: Apache-2.0
#include "docs/page_table.hpp"

#include "tablemap/mapping/converters/decimal.hpp"
#include "tablemap/mapping/converters/duration.hpp"
#include "tablemap/mapping/converters/json_document.hpp"
#include "tablemap/mapping/converters/url.hpp"
#include "tablemap/tablemap.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <set>
#include <variant>

namespace tablemap::test {
namespace {

enum class level { junior, senior };
enum class state : std::uint8_t { off, on };
enum class color : std::int64_t {};

struct place {
    std::string street{};
    std::string city{};
    std::optional<std::int32_t> floor{};
};

template <class V> struct one {
    std::string key{};
    V v{};
};

struct flattened_form {
    std::string key{};
    place home{};
};
struct optional_form {
    std::string key{};
    std::optional<place> branch{};
};
struct numbered_form {
    std::string key{};
    std::array<std::int32_t, 3> hours{};
};
struct series_form {
    std::string key{};
    series<std::int32_t, 24> visits{};
};
struct prefixed_form {
    std::string key{};
    std::map<std::string, std::int64_t> tags{};
};
struct json_form {
    std::string key{};
    std::vector<place> stops{};
};
struct pair_form {
    std::string key{};
    std::pair<double, std::string> size{};
};
struct set_form {
    std::string key{};
    std::set<std::string> uses{};
};
struct variant_form {
    std::string key{};
    std::variant<bool, std::string> lease{};
};

}  // namespace
}  // namespace tablemap::test

template <>
inline constexpr auto tablemap::enumeration<tablemap::test::level> =
    tablemap::by_name<tablemap::test::level::junior, tablemap::test::level::senior>;
template <>
inline constexpr auto tablemap::enumeration<tablemap::test::state> =
    tablemap::by_number<tablemap::test::state::off, tablemap::test::state::on>;
template <> inline constexpr auto tablemap::enumeration<tablemap::test::color> = tablemap::by_number<>;

template <class V> struct tablemap::mapping<tablemap::test::one<V>> {
    static constexpr auto partition_key = key("");
    static constexpr auto row_key = key(part<&test::one<V>::key>.may_be_empty());
};

#define TABLEMAP_FORM(form, rule)                                                   \
    template <> struct tablemap::mapping<tablemap::test::form> {                    \
        static constexpr auto partition_key = key("");                              \
        static constexpr auto row_key = key(part<&test::form::key>.may_be_empty()); \
        static constexpr auto members = tablemap::members(member < &test::rule);    \
    }
TABLEMAP_FORM(flattened_form, flattened_form::home >.flattened());
TABLEMAP_FORM(optional_form, optional_form::branch >.flattened().named("other"));
TABLEMAP_FORM(numbered_form, numbered_form::hours >.numbered());
TABLEMAP_FORM(series_form, series_form::visits >);
TABLEMAP_FORM(prefixed_form, prefixed_form::tags >.prefixed());
TABLEMAP_FORM(json_form, json_form::stops >.as_json());
TABLEMAP_FORM(pair_form, pair_form::size >.as_json());
TABLEMAP_FORM(set_form, set_form::uses >.as_json());
TABLEMAP_FORM(variant_form, variant_form::lease >.as_json());

namespace tablemap::test {
namespace {

/// The properties of a value as they stand on the wire.
template <class T> std::string columns_of(T const& value) {
    detail::encoded_entity e;
    if (auto r = detail::encode(value, e); !r) return r.error().what();
    constexpr std::string_view keys = R"({"PartitionKey":"","RowKey":"",)";
    return e.body.substr(keys.size(), e.body.size() - keys.size() - 1);
}

/// True if what was encoded is read as the same again.
template <class T> bool comes_back(T const& value) {
    detail::encoded_entity e;
    auto const wire = columns_of(value);
    if (!detail::encode(value, e)) return false;
    auto const back = detail::decode<T>(e.body);
    return back && columns_of(back->value) == wire;
}

struct sample {
    std::string type;
    std::string value;
    std::string edm;
    std::string wire;
    bool comes_back;
};

template <class V> sample sample_of(std::string type, std::string text, V v) {
    one<V> const value{.v = std::move(v)};
    auto const stored = to_dynamic(value);
    auto const edm = stored ? edm_name(type_of(stored->properties().front().value)) : std::string_view{};
    return {std::move(type), std::move(text), std::string{edm}, columns_of(value), comes_back(value)};
}

// clang-format off
#define TABLEMAP_NAMED(name, type, ...) sample_of<type>(name, #__VA_ARGS__, type(__VA_ARGS__))
#define TABLEMAP_TYPE(type, ...) TABLEMAP_NAMED(#type, type, __VA_ARGS__)
using long_long = long long;

std::vector<sample> type_samples() {
    return {
        TABLEMAP_TYPE(std::string, "Don"),
        TABLEMAP_TYPE(bool, true),
        TABLEMAP_TYPE(std::int8_t, -128),
        TABLEMAP_TYPE(std::int16_t, -32768),
        TABLEMAP_TYPE(std::int32_t, -5),
        TABLEMAP_TYPE(std::uint8_t, 255),
        TABLEMAP_TYPE(std::uint16_t, 65535),
        TABLEMAP_TYPE(std::uint32_t, 4294967295),
        TABLEMAP_TYPE(std::int64_t, -5),
        TABLEMAP_NAMED("long long", long_long, 5),
        TABLEMAP_TYPE(std::uint64_t, 5),
        TABLEMAP_TYPE(double, 0.1),
        TABLEMAP_TYPE(double, -std::numeric_limits<double>::infinity()),
        TABLEMAP_TYPE(tablemap::ticks, tablemap::ticks::max()),
        TABLEMAP_TYPE(std::chrono::sys_seconds, std::chrono::seconds{1}),
        TABLEMAP_TYPE(std::chrono::sys_days, std::chrono::days{365}),
        TABLEMAP_TYPE(tablemap::guid, tablemap::guid::from_random(0, 1)),
        TABLEMAP_TYPE(tablemap::bytes, tablemap::bytes(3, std::byte{255})),
        TABLEMAP_NAMED("enum, `by_name`", level, level::senior),
        TABLEMAP_NAMED("enum, `by_number`", state, state::on),
        TABLEMAP_NAMED("enum of 32 unsigned or 64 bits, `by_number`", color, color{7}),
        TABLEMAP_TYPE(std::chrono::milliseconds, 15),
        TABLEMAP_TYPE(tablemap::decimal, *tablemap::decimal::parse("12.50")),
        TABLEMAP_TYPE(tablemap::url, *tablemap::url::parse("https://example.org/a?b")),
        TABLEMAP_TYPE(tablemap::json_document, *tablemap::json_document::parse("[1]")),
    };
}

#define TABLEMAP_FORM_SAMPLE(form, ...) form_of(#__VA_ARGS__, form{"", __VA_ARGS__})
// clang-format on

struct form_sample {
    std::string value;
    std::string wire;
    bool comes_back;
};
template <class T> form_sample form_of(std::string text, T const& v) {
    return {std::move(text), columns_of(v), comes_back(v)};
}

TEST(type_table, says_what_is_stored_of_each_type) {
    auto const rows = page_table("mapping.md", "types");
    auto const samples = type_samples();
    ASSERT_EQ(rows.size(), samples.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        ASSERT_EQ(rows[i].size(), 6u);
        auto const& type = rows[i][0];
        EXPECT_EQ(type, samples[i].type);
        EXPECT_EQ(without_spaces(rows[i][3]), without_spaces(samples[i].value)) << type;
        EXPECT_EQ(rows[i][1], samples[i].edm) << type;
        auto const annotation = rows[i][2] == "yes" ? "\"v@odata.type\":\"" + rows[i][1] + "\"," : std::string{};
        EXPECT_EQ(samples[i].wire, annotation + "\"v\":" + rows[i][4]) << type;
        EXPECT_TRUE(samples[i].comes_back) << type;
    }
}

TEST(form_table, says_what_is_stored_of_each_form) {
    auto const rows = page_table("mapping.md", "forms");
    // clang-format off
    std::vector<form_sample> const samples{
        TABLEMAP_FORM_SAMPLE(flattened_form, place{"Elm", "Bonn"}),
        TABLEMAP_FORM_SAMPLE(optional_form, place{"Elm", "Bonn", 3}),
        TABLEMAP_FORM_SAMPLE(numbered_form, {9, 12, 17}),
        TABLEMAP_FORM_SAMPLE(series_form, {{9, 12}, {17, 3}}),
        TABLEMAP_FORM_SAMPLE(prefixed_form, {{"red", 5}}),
        TABLEMAP_FORM_SAMPLE(json_form, {place{"Elm", "Bonn"}}),
        TABLEMAP_FORM_SAMPLE(pair_form, {2.5, "ha"}),
        TABLEMAP_FORM_SAMPLE(set_form, {"shop", "depot"}),
        TABLEMAP_FORM_SAMPLE(variant_form, {"2027"}),
    };
    // clang-format on
    ASSERT_EQ(rows.size(), samples.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        ASSERT_EQ(rows[i].size(), 4u);
        EXPECT_EQ(without_spaces(rows[i][2]), without_spaces(samples[i].value));
        EXPECT_EQ(samples[i].wire, rows[i][3]) << rows[i][0];
        EXPECT_TRUE(samples[i].comes_back) << rows[i][0];
    }
}

}  // namespace
}  // namespace tablemap::test
