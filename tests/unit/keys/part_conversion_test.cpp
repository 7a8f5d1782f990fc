// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/keys/key_codec.hpp"
#include "tablemap/keys/key.hpp"
#include "tablemap/mapping/converters/date.hpp"

#include "support/answers.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace {

using namespace tablemap;
using test::failed_with;

struct customer_id {
    std::string text{};

    friend bool operator==(customer_id const&, customer_id const&) = default;
};

struct order_number {
    std::int64_t value{};

    friend bool operator==(order_number const&, order_number const&) = default;
};

/// A type for each type that a converter stores.
template <class Stored> struct wrapped {
    Stored value{};

    friend bool operator==(wrapped const&, wrapped const&) = default;
};

/// Every operation on a value of this text goes wrong in its own way.
struct fragile {
    std::string text{};
};

enum class color : std::uint8_t { red = 1, green = 2 };

struct binary {};

std::error_code const foreign = std::make_error_code(std::errc::io_error);

}  // namespace

template <> struct tablemap::converter<customer_id> {
    using stored = std::string;
    static stored to_property(customer_id const& c) { return c.text; }
    static customer_id from_property(stored const& text) { return {text}; }
};

template <> struct tablemap::converter<order_number> {
    using stored = std::int64_t;
    static stored to_property(order_number const& n) noexcept { return n.value; }
    static order_number from_property(stored const& value) noexcept { return {value}; }
};

template <class Stored> struct tablemap::converter<wrapped<Stored>> {
    using stored = Stored;
    static stored to_property(wrapped<Stored> const& w) { return w.value; }
    static wrapped<Stored> from_property(stored const& value) { return {value}; }
};

template <> struct tablemap::converter<fragile> {
    using stored = std::string;
    static result<stored> to_property(fragile const& f) {
        if (f.text == "refused") return fail(library_errc::type_mismatch, {.reason = "it is not wanted"});
        if (f.text == "foreign") return fail(foreign);
        if (f.text == "thrown") throw std::runtime_error{f.text};
        return f.text;
    }
    static result<fragile> from_property(stored const& text) {
        if (text == "UPPER") return fragile{"upper"};
        if (text == "unread") return fail(library_errc::type_mismatch, {.reason = "nobody reads it"});
        if (text == "thrown") throw std::runtime_error{text};
        return fragile{text};
    }
};

template <> struct tablemap::converter<color> {
    using stored = std::string;
    static stored to_property(color c) { return c == color::red ? "red" : "green"; }
    static result<color> from_property(stored const& text) {
        if (text != "red" && text != "green") return fail(library_errc::type_mismatch, {.reason = "no such color"});
        return text == "red" ? color::red : color::green;
    }
};

template <> struct tablemap::converter<binary> {
    using stored = bytes;
    static stored to_property(binary const&) { return {}; }
    static binary from_property(stored const&) { return {}; }
};

namespace {

struct sample {
    customer_id customer{};
    order_number number{};
    std::chrono::year_month_day day{};
    wrapped<std::int32_t> small{};
    wrapped<double> real{};
    wrapped<bool> flag{};
    wrapped<ticks> at{};
    wrapped<guid> id{};
    color paint = color::red;

    friend bool operator==(sample const&, sample const&) = default;
};

struct fragile_sample {
    std::string name{};
    fragile value{};
};

static_assert(key_value<customer_id> && key_value<color> && !key_value<binary> && !key_value<bytes>);
static_assert(key_value<std::chrono::year_month_day> && !key_value<sample>);

template <auto const& Key, class T> result<std::string> make(T const& s) {
    std::string text = "what was there before";
    auto const get = [&]<auto M>(member_part<M> const&)->auto const& { return s.*M; };
    if (auto r = detail::make_key(text, Key, get); !r) return failure{r.error()};
    return text;
}

template <auto const& Key, class T = sample> result<T> read(std::string_view text) {
    T s;
    auto const set = [&]<auto M>(member_part<M> const&)->auto& { return s.*M; };
    if (auto r = detail::read_key(text, Key, set); !r) return failure{r.error()};
    return s;
}

/// Made as this key, and read back from it as the same value.
template <auto const& Key>::testing::AssertionResult round_trips(sample const& s, std::string_view key) {
    auto const made = make<Key>(s);
    if (!made) return ::testing::AssertionFailure() << made.error().what();
    if (*made != key) return ::testing::AssertionFailure() << "made " << *made;
    auto const back = read<Key>(*made);
    if (!back) return ::testing::AssertionFailure() << back.error().what();
    if (*back == s) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "reads back as another value";
}

constexpr auto customer_key = key("c_", part<&sample::customer>);
constexpr auto escaped_key = key(part<&sample::customer>.escaped(), part<&sample::small>);
constexpr auto descending_key = key(part<&sample::customer>.descending());
constexpr auto empty_key = key(part<&sample::customer>.may_be_empty());
constexpr auto hashed_key = key(part<&sample::customer>.hashed(), spread<16>(part<&sample::number>));
constexpr auto number_key = key(part<&sample::number>.width(6), "_", part<&sample::small>.ordered());
constexpr auto range_key = key(part<&sample::number>.range(1, 999));
constexpr auto day_key = key(part<&sample::day>.descending());
constexpr auto real_key = key(part<&sample::real>.ordered(), part<&sample::flag>, part<&sample::at>, part<&sample::id>);
constexpr auto paint_key = key(part<&sample::paint>);
constexpr auto twice_key = key(part<&sample::number>.width(3), "_", part<&sample::number>);
constexpr auto many_key =
    key(part<&sample::customer>, "_", part<&sample::number>, "_", part<&sample::customer>.hashed(),
        part<&sample::customer>.descending(), part<&sample::paint>);

TEST(converted_part, of_text_has_the_forms_of_text) {
    EXPECT_TRUE((round_trips<customer_key>({.customer = {"Don"}}, "c_Don")));
    EXPECT_TRUE((round_trips<escaped_key>({.customer = {"a/b c"}, .small = {7}}, "a.1b zc !7")));
    EXPECT_TRUE((round_trips<descending_key>({.customer = {"Hi"}}, "ffb7ff96~")));
    EXPECT_TRUE((round_trips<empty_key>({}, "")));
}

TEST(converted_part, of_a_number_has_the_forms_of_numbers) {
    EXPECT_TRUE((round_trips<number_key>({.number = {42}, .small = {-42}}, "000042_2147483606")));
    EXPECT_TRUE((round_trips<range_key>({.number = {42}}, "042")));
    EXPECT_TRUE(failed_with(make<range_key>(sample{.number = {1000}}), library_errc::key_part_does_not_fit));
    EXPECT_TRUE(failed_with(read<range_key>("000"), library_errc::unreadable_key));
}

TEST(converted_part, of_every_other_stored_type_reads_back) {
    using namespace std::chrono_literals;
    EXPECT_TRUE((round_trips<day_key>({.day = 2000y / 1 / 1}, "2524556159999999999")));
    EXPECT_TRUE(
        (round_trips<real_key>({.real = {1.5}, .flag = {true}, .at = {ticks{5}}, .id = {guid::from_random(0, 1)}},
                               "bff8000000000000"
                               "1"
                               "0000000000000000005"
                               "00000000-0000-4000-8000-000000000001")));
    EXPECT_TRUE((round_trips<paint_key>({.paint = color::green}, "green")));
}

TEST(converted_part, is_hashed_and_spread_as_what_is_stored) {
    struct stored_sample {
        std::string customer{};
        std::int64_t number{};
    };
    static constexpr auto stored_key =
        key(part<&stored_sample::customer>.hashed(), spread<16>(part<&stored_sample::number>));
    EXPECT_EQ(*make<hashed_key>(sample{.customer = {"Don"}, .number = {7}}),
              *make<stored_key>(stored_sample{"Don", 7}));
}

TEST(converted_part, of_one_member_twice_must_be_the_same) {
    EXPECT_TRUE((round_trips<twice_key>({.number = {7}}, "007_7")));
    EXPECT_TRUE(failed_with(read<twice_key>("007_8"), library_errc::unreadable_key));
}

TEST(converted_part, lives_until_a_key_of_many_parts_is_made) {
    std::string const name(50, 'x');
    sample const s{.customer = {name}, .number = {7}, .paint = color::green};
    auto const made = make<many_key>(s);
    ASSERT_TRUE(made);
    EXPECT_EQ(made->substr(0, name.size() + 3), name + "_7_");
    EXPECT_EQ(*read<many_key>(*made), s);
}

// ---- errors of converters -------------------------------------------------------------------------------------------

constexpr auto fragile_key = key(part<&fragile_sample::name>, "_", part<&fragile_sample::value>);

TEST(converted_part, that_cannot_be_converted_fails_with_the_converters_error) {
    auto const refused = make<fragile_key>(fragile_sample{"a", {"refused"}});
    ASSERT_TRUE(failed_with(refused, library_errc::type_mismatch));
    EXPECT_EQ(refused.error().member(), "value");
    EXPECT_EQ(refused.error().details().reason, "it is not wanted");
    auto const other = make<fragile_key>(fragile_sample{"a", {"foreign"}});
    ASSERT_TRUE(failed_with(other, library_errc::value_out_of_range));
    EXPECT_EQ(other.error().details().reason, foreign.message());
}

TEST(converted_part, that_cannot_be_read_is_an_unreadable_key) {
    auto const r = read<fragile_key, fragile_sample>("a_unread");
    ASSERT_TRUE(failed_with(r, library_errc::unreadable_key));
    EXPECT_EQ(r.error().member(), "value");
    EXPECT_EQ(r.error().details().reason, "nobody reads it");
}

TEST(converted_part, whose_converter_throws_fails_in_the_same_way) {
    auto const made = make<fragile_key>(fragile_sample{"a", {"thrown"}});
    ASSERT_TRUE(failed_with(made, library_errc::value_out_of_range));
    EXPECT_EQ(made.error().member(), "value");
    auto const read_back = read<fragile_key, fragile_sample>("a_thrown");
    ASSERT_TRUE(failed_with(read_back, library_errc::unreadable_key));
    EXPECT_EQ(read_back.error().member(), "value");
}

TEST(converted_part, that_would_be_written_in_another_way_is_not_read) {
    EXPECT_EQ((read<fragile_key, fragile_sample>("a_upper"))->value.text, "upper");
    auto const r = read<fragile_key, fragile_sample>("a_UPPER");
    ASSERT_TRUE(failed_with(r, library_errc::unreadable_key));
    EXPECT_EQ(r.error().member(), "value");
}

TEST(converted_part, of_a_day_refuses_what_is_no_day) {
    EXPECT_TRUE(failed_with(make<day_key>(sample{}), library_errc::value_out_of_range));
    EXPECT_TRUE(failed_with(read<day_key>("2524556159999999998"), library_errc::unreadable_key));
}

}  // namespace
