// SPDX-License-Identifier: Apache-2.0
#include "tablemap/reflect/enumeration.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace {

enum class level { junior, senior, principal };
enum class state : std::int8_t { off = -1, on = 1 };
enum class code : std::uint16_t {};
enum color { red, green = 5 };
enum class big : std::uint64_t { most = 0x7FFF'FFFF'FFFF'FFFF };
enum class unheard { of };

template <class T> struct holder {
    enum class kind { one, two };
};

}  // namespace

template <>
inline constexpr auto
    tablemap::enumeration<level> = tablemap::by_name<level::junior, level::senior>.named<level::junior>("Jr");
template <> inline constexpr auto tablemap::enumeration<state> = tablemap::by_number<state::off, state::on>;
template <> inline constexpr auto tablemap::enumeration<code> = tablemap::by_number<>;
template <> inline constexpr auto tablemap::enumeration<color> = tablemap::by_name<red, green>;
template <> inline constexpr auto tablemap::enumeration<big> = tablemap::by_number<big::most>;
template <>
inline constexpr auto tablemap::enumeration<holder<int>::kind> =
    tablemap::by_name<holder<int>::kind::one, holder<int>::kind::two>;

namespace {

using namespace tablemap;

TEST(enumeration, names_values_as_the_source_does) {
    static_assert(enum_name(level::senior) == "senior");
    static_assert(enum_name(red) == "red" && enum_name(green) == "green");
    static_assert(enum_name(holder<int>::kind::two) == "two");
}

TEST(enumeration, gives_a_renamed_value_its_new_name_alone) {
    static_assert(enum_name(level::junior) == "Jr");
    static_assert(enum_of_name<level>("Jr") == level::junior);
    static_assert(!enum_of_name<level>("junior"));
}

TEST(enumeration, finds_values_by_names_in_their_letter_case) {
    static_assert(enum_of_name<level>("senior") == level::senior);
    static_assert(!enum_of_name<level>("Senior") && !enum_of_name<level>("") && !enum_of_name<level>("principal"));
}

TEST(enumeration, knows_the_values_of_its_list_alone) {
    static_assert(is_known_value(level::senior) && !is_known_value(level::principal) && !is_known_value(level{7}));
    static_assert(enum_name(level::principal).empty());
    static_assert(is_known_value(state::off) && !is_known_value(state{0}));
}

TEST(enumeration, of_an_empty_list_of_numbers_takes_any_that_the_type_holds) {
    static_assert(is_known_value(code{65535}));
    static_assert(detail::enum_of_number<code>(65535) == code{65535});
    static_assert(!detail::enum_of_number<code>(65536) && !detail::enum_of_number<code>(-1));
}

TEST(enumeration, of_numbers_takes_those_of_its_list) {
    static_assert(detail::enum_of_number<state>(-1) == state::off);
    static_assert(!detail::enum_of_number<state>(0) && !detail::enum_of_number<state>(255));
    static_assert(detail::enum_of_number<big>(std::numeric_limits<std::int64_t>::max()) == big::most);
}

TEST(enumeration, says_its_form) {
    static_assert(detail::is_stored_by_name<level> && !detail::is_stored_by_name<state>);
    static_assert(detail::takes_any_value<code> && !detail::takes_any_value<state>);
    static_assert(detail::enum_entries<state>.size() == 2 && detail::enum_entries<state>[0].value == -1);
}

TEST(enumeration, is_known_to_be_missing) {
    static_assert(detail::declared_enum<level> && !detail::declared_enum<unheard> && !detail::declared_enum<int>);
}

}  // namespace
