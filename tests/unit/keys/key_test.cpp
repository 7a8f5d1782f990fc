// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/keys/key_codec.hpp"
#include "tablemap/keys/key.hpp"

#include "support/answers.hpp"
#include "support/random.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

namespace {

using namespace tablemap;
using test::failed_with;

struct sample {
    std::string name{};
    std::string city{};
    std::int32_t id{};
    std::int64_t number{};
    guid badge{};

    friend bool operator==(sample const&, sample const&) = default;
};

constexpr auto constant_key = key("settings");
constexpr auto empty_key = key("");
constexpr auto name_key = key(part<&sample::name>.may_be_empty());
constexpr auto id_key = key(part<&sample::id>);
constexpr auto number_key = key(part<&sample::number>);
constexpr auto padded_key = key("empid_", part<&sample::id>.width(6));
constexpr auto wide_key = key(part<&sample::number>.width(19));
constexpr auto badge_key = key(part<&sample::badge>);
constexpr auto dashed_key = key(part<&sample::name>, "--", part<&sample::city>);
constexpr auto broken_key = key("\xFF", part<&sample::name>);
constexpr auto digit_key = key(part<&sample::id>, "5", part<&sample::number>);
constexpr auto twice_key = key(part<&sample::id>.width(3), "_", part<&sample::id>);
constexpr auto full_key = key("k", part<&sample::id>.width(10), part<&sample::badge>, part<&sample::number>, "_",
                              part<&sample::name>, "|end|");

template <auto const& Key> result<std::string> make(sample const& s) {
    std::string text = "what was there before";
    auto const get = [&]<auto M>(member_part<M> const&)->auto const& { return s.*M; };
    if (auto r = detail::make_key(text, Key, get); !r) return failure{r.error()};
    return text;
}

template <auto const& Key> result<sample> read(std::string_view text) {
    sample s;
    auto const set = [&]<auto M>(member_part<M> const&)->auto& { return s.*M; };
    if (auto r = detail::read_key(text, Key, set); !r) return failure{r.error()};
    return s;
}

template <auto const& Key> std::string text_of(sample const& s) {
    auto const r = make<Key>(s);
    return r ? *r : "failed: " + std::string{r.error().what()};
}

// ---- empty keys and long ones
// -----------------------------------------------------------------------------------------

constexpr auto never_empty_key = key(part<&sample::name>);
constexpr auto escaped_key = key(part<&sample::name>.escaped());
constexpr auto two_texts_key = key(part<&sample::name>.escaped(), part<&sample::city>.escaped());

TEST(empty_key, is_refused_where_its_member_was_forgotten) {
    for (auto const& r : {make<never_empty_key>({}), make<escaped_key>({})}) {
        ASSERT_TRUE(failed_with(r, library_errc::key_part_does_not_fit));
        EXPECT_EQ(r.error().member(), "name");
        EXPECT_NE(r.error().details().reason.find("may_be_empty()"), std::string::npos);
    }
}

TEST(empty_key, is_made_where_it_is_meant) {
    EXPECT_EQ(*make<name_key>({}), "");
    EXPECT_EQ(*make<empty_key>({}), "");
    EXPECT_EQ(*make<dashed_key>({}), "--");
}

TEST(empty_key, is_read_whether_or_not_it_is_meant) {
    EXPECT_EQ(*read<never_empty_key>(""), sample{});
    EXPECT_EQ(*read<name_key>(""), sample{});
}

TEST(long_key, names_the_longest_of_its_texts) {
    auto const of = [](auto const& r) {
        return failed_with(r, library_errc::key_too_large) ? r.error().member() : "made";
    };
    EXPECT_EQ(of(make<name_key>({.name = std::string(513, 'n')})), "name");
    EXPECT_EQ(of(make<two_texts_key>({.name = "n", .city = std::string(512, 'c')})), "city");
    EXPECT_EQ(of(make<two_texts_key>({.name = std::string(400, 'n'), .city = std::string(300, 'c')})), "name");
}

// ---- the rules, as the compiler sees them ---------------------------------------------------------------------------

TEST(key_members, are_listed_once_in_the_order_of_partition_and_row_key) {
    using detail::key_members;
    using detail::member_list;
    static_assert(std::is_same_v<key_members<name_key, padded_key>, member_list<&sample::name, &sample::id>>);
    static_assert(std::is_same_v<key_members<padded_key, name_key>, member_list<&sample::id, &sample::name>>);
    static_assert(std::is_same_v<key_members<dashed_key, name_key>, member_list<&sample::name, &sample::city>>);
    static_assert(std::is_same_v<key_members<constant_key, empty_key>, member_list<>>);
    static_assert(std::is_same_v<key_members<twice_key, id_key>, member_list<&sample::id>>);
}

TEST(key_parts, can_be_told_apart_if_a_literal_follows_what_varies_in_length) {
    using detail::parts_can_be_told_apart;
    static_assert(parts_can_be_told_apart(dashed_key) && parts_can_be_told_apart(full_key));
    static_assert(parts_can_be_told_apart(key(part<&sample::id>.width(3), part<&sample::name>)));
    static_assert(parts_can_be_told_apart(key(part<&sample::badge>, part<&sample::name>)));
    static_assert(!parts_can_be_told_apart(key(part<&sample::name>, part<&sample::city>)));
    static_assert(!parts_can_be_told_apart(key(part<&sample::id>, part<&sample::badge>)));
    static_assert(!parts_can_be_told_apart(key(part<&sample::name>, "", part<&sample::city>)));
}

TEST(key_literals, hold_no_character_that_keys_may_not_hold) {
    using detail::literals_are_legal;
    static_assert(literals_are_legal(full_key) && literals_are_legal(empty_key) &&
                  literals_are_legal(key("\u00E9\u00A0")));
    static_assert(!literals_are_legal(key("a/b")) && !literals_are_legal(key("\\")) && !literals_are_legal(key("#")));
    static_assert(!literals_are_legal(key("?")) && !literals_are_legal(key("\t")) && !literals_are_legal(key("a\0b")));
    static_assert(!literals_are_legal(key("\x7F")) && !literals_are_legal(key("\u0085")) &&
                  !literals_are_legal(key("\u009F")));
}

// ---- making ---------------------------------------------------------------------------------------------------------

TEST(made_key, of_literals_is_their_text) {
    EXPECT_EQ(text_of<constant_key>({}), "settings");
    EXPECT_EQ(text_of<empty_key>({}), "");
}

TEST(made_key, holds_text_as_it_is) {
    EXPECT_EQ(text_of<name_key>({.name = "Don H\xC3\xA9 %+'"}), "Don H\xC3\xA9 %+'");
    EXPECT_EQ(text_of<name_key>({}), "");
}

TEST(made_key, holds_numbers_in_decimal) {
    EXPECT_EQ(text_of<id_key>({.id = 0}), "0");
    EXPECT_EQ(text_of<id_key>({.id = -212}), "-212");
    EXPECT_EQ(text_of<number_key>({.number = std::numeric_limits<std::int64_t>::min()}), "-9223372036854775808");
    EXPECT_EQ(text_of<number_key>({.number = std::numeric_limits<std::int64_t>::max()}), "9223372036854775807");
}

TEST(made_key, pads_numbers_to_their_width) {
    EXPECT_EQ(text_of<padded_key>({.id = 212}), "empid_000212");
    EXPECT_EQ(text_of<padded_key>({.id = 0}), "empid_000000");
    EXPECT_EQ(text_of<padded_key>({.id = 999999}), "empid_999999");
    EXPECT_EQ(text_of<wide_key>({.number = std::numeric_limits<std::int64_t>::max()}), "9223372036854775807");
    EXPECT_EQ(text_of<wide_key>({.number = 1}), "0000000000000000001");
}

TEST(made_key, holds_a_guid_in_lower_case) {
    auto const badge = guid::parse("C9DA6455-213D-42C9-9A79-3E9149A57833").value();
    EXPECT_EQ(text_of<badge_key>({.badge = badge}), "c9da6455-213d-42c9-9a79-3e9149a57833");
}

TEST(made_key, holds_its_parts_one_after_the_other) {
    sample const s{.name = "Don", .city = "", .id = 7, .number = -12, .badge = {}};
    EXPECT_EQ(text_of<full_key>(s), "k000000000700000000-0000-0000-0000-000000000000-12_Don|end|");
    EXPECT_EQ(text_of<dashed_key>({.name = "Don", .city = "Oslo"}), "Don--Oslo");
    EXPECT_EQ(text_of<twice_key>({.id = 7}), "007_7");
}

// ---- refusals -------------------------------------------------------------------------------------------------------

TEST(made_key, refuses_numbers_that_do_not_fit_their_width) {
    for (std::int32_t const id : {-1, 1'000'000, std::numeric_limits<std::int32_t>::min()}) {
        auto const r = make<padded_key>({.id = id});
        ASSERT_TRUE(failed_with(r, library_errc::key_part_does_not_fit)) << id;
        EXPECT_EQ(r.error().member(), "id");
        EXPECT_THAT(r.error().what(), ::testing::HasSubstr("the 6 digits"));
    }
}

TEST(made_key, refuses_forbidden_characters_and_names_the_member) {
    for (auto const* bad : {"a/b", "a\\", "#", "?", "a\nb", "\x7F", "\xC2\x80", "x\xC2\x9F"}) {
        auto const r = make<dashed_key>({.name = "fine", .city = bad});
        ASSERT_TRUE(failed_with(r, library_errc::invalid_key)) << ::testing::PrintToString(bad);
        EXPECT_EQ(r.error().member(), "city");
    }
}

TEST(made_key, refuses_text_that_is_not_utf8_and_names_the_member) {
    for (auto const* bad : {"\xFF", "a\xC3", "\xED\xA0\x80"}) {
        auto const r = make<dashed_key>({.name = "fine", .city = bad});
        ASSERT_TRUE(failed_with(r, library_errc::invalid_key)) << ::testing::PrintToString(bad);
        EXPECT_EQ(r.error().member(), "city");
    }
}

TEST(made_key, refuses_text_that_holds_the_literal_that_ends_it) {
    for (auto const* bad : {"a--b", "--", "---"}) {
        auto const r = make<dashed_key>({.name = bad, .city = "x"});
        ASSERT_TRUE(failed_with(r, library_errc::key_part_does_not_fit)) << bad;
        EXPECT_EQ(r.error().member(), "name");
        EXPECT_THAT(r.error().what(), ::testing::HasSubstr("\"--\""));
    }
}

TEST(made_key, refuses_text_that_holds_its_end_together_with_the_end) {
    EXPECT_TRUE(failed_with(make<dashed_key>({.name = "a-", .city = "x"}), library_errc::key_part_does_not_fit));
    EXPECT_TRUE(failed_with(make<dashed_key>({.name = "-", .city = ""}), library_errc::key_part_does_not_fit));
    EXPECT_EQ(text_of<dashed_key>({.name = "-a", .city = "-x"}), "-a---x");
    EXPECT_EQ(text_of<dashed_key>({.name = "", .city = "--"}), "----");
}

TEST(made_key, refuses_numbers_that_hold_the_literal_that_ends_them) {
    auto const r = make<digit_key>({.id = 1502, .number = 3});
    ASSERT_TRUE(failed_with(r, library_errc::key_part_does_not_fit));
    EXPECT_EQ(r.error().member(), "id");
    EXPECT_EQ(text_of<digit_key>({.id = 12, .number = 55}), "12555");
}

TEST(made_key, refuses_to_be_longer_than_512_code_units) {
    EXPECT_TRUE(make<name_key>({.name = std::string(512, 'n')}));
    EXPECT_TRUE(failed_with(make<name_key>({.name = std::string(513, 'n')}), library_errc::key_too_large));
    EXPECT_TRUE(make<dashed_key>({.name = std::string(500, 'n'), .city = std::string(10, 'c')}));
    EXPECT_TRUE(failed_with(make<dashed_key>({.name = std::string(500, 'n'), .city = std::string(11, 'c')}),
                            library_errc::key_too_large));
}

TEST(made_key, counts_code_units_and_not_bytes) {
    std::string name;
    for (int i = 0; i < 512; ++i) name += "\u20AC";
    EXPECT_TRUE(make<name_key>({.name = name}));
    EXPECT_TRUE(failed_with(make<name_key>({.name = name + "n"}), library_errc::key_too_large));
}

TEST(made_key, refuses_a_literal_that_is_no_text) {
    EXPECT_TRUE(failed_with(make<broken_key>({.name = "n"}), library_errc::invalid_key));
}

TEST(made_key, refusal_does_not_tell_the_value) {
    for (auto const& r : {make<dashed_key>({.name = "SECRET--"}), make<dashed_key>({.name = "SECRET/"}),
                          make<dashed_key>({.name = "SECRET\xFF"}), make<padded_key>({.id = 77777777})}) {
        ASSERT_FALSE(r);
        EXPECT_THAT(r.error().what(),
                    ::testing::Not(::testing::AnyOf(::testing::HasSubstr("SECRET"), ::testing::HasSubstr("777"))));
    }
}

// ---- reading --------------------------------------------------------------------------------------------------------

TEST(read_key, gives_every_member_its_value) {
    auto const r = read<full_key>("k0000000007c9da6455-213d-42c9-9a79-3e9149a57833-12_Don|end|");
    ASSERT_TRUE(r);
    EXPECT_EQ(*r, (sample{.name = "Don",
                          .city = "",
                          .id = 7,
                          .number = -12,
                          .badge = guid::parse("c9da6455-213d-42c9-9a79-3e9149a57833").value()}));
}

TEST(read_key, ends_a_part_at_the_first_place_of_its_literal) {
    auto const r = read<dashed_key>("a---b--");
    ASSERT_TRUE(r);
    EXPECT_EQ(r->name, "a");
    EXPECT_EQ(r->city, "-b--");
}

TEST(read_key, takes_a_constant_key_for_what_it_is) {
    EXPECT_TRUE(read<constant_key>("settings"));
    EXPECT_TRUE(read<empty_key>(""));
}

template <auto const& Key> void expect_unreadable(std::string_view text, std::string_view member) {
    auto const r = read<Key>(text);
    ASSERT_TRUE(failed_with(r, library_errc::unreadable_key)) << text;
    EXPECT_EQ(r.error().member(), member) << text;
}

TEST(read_key, refuses_a_key_without_its_literals) {
    for (auto const* text : {"", "setting", "Settings", "settings2"}) expect_unreadable<constant_key>(text, "");
    for (auto const* text : {"", "000212", "empid000212", "Empid_000212"}) expect_unreadable<padded_key>(text, "");
    expect_unreadable<empty_key>("x", "");
}

TEST(read_key, refuses_numbers_that_are_not_what_a_width_writes) {
    for (auto const* text : {"empid_", "empid_212", "empid_-00212", "empid_+00212", "empid_00021x", "empid_ 00212"})
        expect_unreadable<padded_key>(text, "id");
    for (auto const* text : {"9223372036854775808", "-922337203685477580", "922337203685477580"})
        expect_unreadable<wide_key>(text, "number");
    expect_unreadable<padded_key>("empid_0002121", "");
}

TEST(read_key, refuses_numbers_in_another_form_than_the_shortest) {
    for (auto const* text :
         {"", "007", "-0", "+7", "7 ", " 7", "-", "0x7", "7.0", "2147483648", "-2147483649", "seven"})
        expect_unreadable<id_key>(text, "id");
    EXPECT_EQ(read<id_key>("-2147483648")->id, std::numeric_limits<std::int32_t>::min());
    EXPECT_EQ(read<id_key>("0")->id, 0);
}

TEST(read_key, refuses_guids_in_another_form_than_lower_case) {
    for (auto const* text : {"", "c9da6455", "C9DA6455-213D-42C9-9A79-3E9149A57833",
                             "c9da6455-213d-42c9-9a79-3e9149a5783G", "c9da6455213d42c99a793e9149a57833"})
        expect_unreadable<badge_key>(text, "badge");
    expect_unreadable<badge_key>("c9da6455-213d-42c9-9a79-3e9149a578330", "");
}

TEST(read_key, refuses_a_part_without_the_literal_that_ends_it) {
    for (auto const* text : {"", "Don", "Don-Oslo", "Don-"}) expect_unreadable<dashed_key>(text, "name");
}

TEST(read_key, refuses_two_values_for_one_member) {
    EXPECT_EQ(read<twice_key>("007_7")->id, 7);
    expect_unreadable<twice_key>("007_8", "id");
}

// ---- properties -----------------------------------------------------------------------------------------------------

/// Random values; where a key refuses some, that is its right.
sample random_sample(test::random_source& random) {
    return {.name = random.key_text(8),
            .city = random.key_text(8),
            .id = static_cast<std::int32_t>(random.integer()),
            .number = random.integer(),
            .badge = random.guid()};
}

/// Checks that reading undoes making, and returns how many of the values could be made.
template <auto const& Key, class Same> int expect_read_undoes_make(Same same) {
    test::random_source random;
    int made = 0;
    for (int i = 0; i < 2000; ++i) {
        auto const s = random_sample(random);
        auto const text = make<Key>(s);
        if (!text) continue;
        ++made;
        auto const back = read<Key>(*text);
        EXPECT_TRUE(back && same(*back, s)) << *text;
    }
    return made;
}

TEST(key_property, reading_undoes_making) {
    EXPECT_EQ(expect_read_undoes_make<name_key>([](auto& a, auto& b) { return a.name == b.name; }), 2000);
    EXPECT_EQ(expect_read_undoes_make<id_key>([](auto& a, auto& b) { return a.id == b.id; }), 2000);
    EXPECT_EQ(expect_read_undoes_make<badge_key>([](auto& a, auto& b) { return a.badge == b.badge; }), 2000);
    EXPECT_GT(expect_read_undoes_make<wide_key>([](auto& a, auto& b) { return a.number == b.number; }), 500);
    EXPECT_GT(expect_read_undoes_make<padded_key>([](auto& a, auto& b) { return a.id == b.id; }), 200);
    EXPECT_GT(expect_read_undoes_make<digit_key>([](auto& a, auto& b) { return a.id == b.id && a.number == b.number; }),
              200);
    EXPECT_GT(expect_read_undoes_make<full_key>([](auto& a, auto& b) {
                  return a.id == b.id && a.number == b.number && a.badge == b.badge && a.name == b.name;
              }),
              500);
}

TEST(key_property, reading_undoes_making_where_values_are_full_of_the_literal) {
    test::random_source random;
    int made = 0;
    for (int i = 0; i < 5000; ++i) {
        sample s;
        for (auto n = random.below(5); n > 0; --n) s.name += "-a"[random.below(2)];
        for (auto n = random.below(5); n > 0; --n) s.city += "-a"[random.below(2)];
        auto const text = make<dashed_key>(s);
        if (!text) continue;
        ++made;
        auto const back = read<dashed_key>(*text);
        EXPECT_TRUE(back && *back == s) << *text;
    }
    EXPECT_GT(made, 1000);
}

TEST(key_property, keys_with_a_width_sort_as_their_values) {
    test::random_source random;
    for (int i = 0; i < 2000; ++i) {
        auto const a = random.integer() & std::numeric_limits<std::int64_t>::max();
        auto const b =
            random.coin() ? a + (a < 1000 ? 1 : -1) : random.integer() & std::numeric_limits<std::int64_t>::max();
        EXPECT_EQ(text_of<wide_key>({.number = a}) < text_of<wide_key>({.number = b}), a < b) << a << ' ' << b;
    }
}

TEST(key_property, keys_of_a_guid_sort_as_the_guids) {
    test::random_source random;
    for (int i = 0; i < 1000; ++i) {
        auto const a = random.guid(), b = random.guid();
        EXPECT_EQ(text_of<badge_key>({.badge = a}) < text_of<badge_key>({.badge = b}), a < b);
    }
}

}  // namespace
