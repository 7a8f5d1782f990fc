// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/keys/key.hpp"

#include <cstddef>
#include <tuple>
#include <type_traits>

/// The members of keys as lists of types, each once, in order.
namespace tablemap::inline v0_1::detail {

// ---- kinds of parts -------------------------------------------------------------------------------------------------

/// A part that a member is read back from.
template <class Part> inline constexpr bool is_readable_part = false;
template <auto Member> inline constexpr bool is_readable_part<member_part<Member>> = true;

template <class Part> inline constexpr bool is_hashed_part = false;
template <auto Member> inline constexpr bool is_hashed_part<hashed_part<Member>> = true;

template <class Part> inline constexpr bool is_spread_part = false;
template <std::size_t Buckets, auto Member> inline constexpr bool is_spread_part<spread_part<Buckets, Member>> = true;

template <class Part> inline constexpr bool is_period_part = false;
template <auto Member> inline constexpr bool is_period_part<period_part<Member>> = true;

template <class Part>
inline constexpr bool is_literal_part =
    !is_readable_part<Part> && !is_hashed_part<Part> && !is_spread_part<Part> && !is_period_part<Part>;

/// A part that stands for one of the values of a key.
template <class Part> inline constexpr bool is_member_part = is_readable_part<Part> || is_hashed_part<Part>;

/// The member's plain part, of which a hash or a bucket is made.
template <class Part> struct source_of_part { using type = Part; };
template <auto Member> struct source_of_part<hashed_part<Member>> { using type = member_part<Member>; };
template <std::size_t Buckets, auto Member> struct source_of_part<spread_part<Buckets, Member>> {
    using type = member_part<Member>;
};
template <auto Member> struct source_of_part<period_part<Member>> { using type = member_part<Member>; };
template <class Part> using source_part = typename source_of_part<Part>::type;

/// The type of part number `At` of a key.
template <std::size_t At, class Key> struct part_type_at;
template <std::size_t At, class... Parts> struct part_type_at<At, key_template<Parts...>> {
    using type = std::tuple_element_t<At, std::tuple<Parts...>>;
};
template <auto const& Key, std::size_t At>
using part_at = typename part_type_at<At, std::remove_cvref_t<decltype(Key)>>::type;

// ---- lists ----------------------------------------------------------------------------------------------------------

template <auto... Members> struct member_list { static constexpr std::size_t size = sizeof...(Members); };

template <auto A, auto B> constexpr bool same_member() {
    if constexpr (std::is_same_v<decltype(A), decltype(B)>)
        return A == B;
    else
        return false;
}

template <auto Member, class List> inline constexpr bool is_listed = false;
template <auto Member, auto... Members>
inline constexpr bool is_listed<Member, member_list<Members...>> = (same_member<Member, Members>() || ...);

enum class part_choice { readable, given, spread };

template <part_choice Choice, class Part>
inline constexpr bool is_chosen = Choice == part_choice::readable ? is_readable_part<Part>
                                  : Choice == part_choice::given  ? is_member_part<Part>
                                                                  : is_spread_part<Part>;

template <class List, class Part> struct add_member;
template <auto... Members, class Part> struct add_member<member_list<Members...>, Part> {
    static constexpr auto member = source_part<Part>::member;
    using type = std::conditional_t<is_listed<member, member_list<Members...>>, member_list<Members...>,
                                    member_list<Members..., member>>;
};

template <part_choice Choice, class List, class... Parts> struct add_members { using type = List; };
template <part_choice Choice, class List, class Part, class... Rest>
struct add_members<Choice, List, Part, Rest...> : add_members<Choice, List, Rest...> {};
template <part_choice Choice, class List, class Part, class... Rest>
requires is_chosen<Choice, Part>
struct add_members<Choice, List, Part, Rest...> : add_members<Choice, typename add_member<List, Part>::type, Rest...> {
};

template <part_choice Choice, class List, class Key> struct add_key_members;
template <part_choice Choice, class List, class... Parts>
struct add_key_members<Choice, List, key_template<Parts...>> : add_members<Choice, List, Parts...> {};
template <part_choice Choice, class List, class... Parts>
requires(!is_chosen<Choice, Parts> && ...) struct add_key_members<Choice, List, key_template<Parts...>> {
    using type = List;
};

template <part_choice Choice, class List, auto const& Key>
using with_members_of = typename add_key_members<Choice, List, std::remove_cvref_t<decltype(Key)>>::type;

/// The members that are read back from one key, in their order in the key.
template <auto const& Key> using members_of = with_members_of<part_choice::readable, member_list<>, Key>;

/// True if a period of time is a part of the key.
template <class... Parts> constexpr bool has_period_part(key_template<Parts...> const&) {
    return (is_period_part<Parts> || ...);
}

/// The members whose values make one key, including hashed ones; without those that only choose a bucket.
template <auto const& Key> using given_members_of = with_members_of<part_choice::given, member_list<>, Key>;

/// The members whose values make both keys: first the partition key's, in their order in the key, then the row key's,
/// then those that only choose buckets.
template <auto const& PartitionKey, auto const& RowKey>
using key_members = with_members_of<
    part_choice::spread,
    with_members_of<part_choice::spread, with_members_of<part_choice::given, given_members_of<PartitionKey>, RowKey>,
                    PartitionKey>,
    RowKey>;

/// The place of a member in a list; the list's size if it is not there.
template <auto Member, auto... Members> constexpr std::size_t position_in(member_list<Members...>) {
    std::size_t at = 0;
    static_cast<void>(((same_member<Member, Members>() ? true : (++at, false)) || ...));
    return at;
}

// ---- stored members -------------------------------------------------------------------------------------------------

template <auto Member, class Part> constexpr bool is_part_of() {
    if constexpr (is_literal_part<Part>)
        return false;
    else
        return same_member<Member, source_part<Part>::member>();
}

template <auto Member, class... Parts> constexpr bool has_stored_part(key_template<Parts...> const& k) {
    std::size_t i = 0;
    bool found = false;
    (..., (found = found || (is_part_of<Member, Parts>() && k.layouts[i].also_stored), ++i));
    return found;
}

/// True if a part of the member says that it is stored as a property too.
template <auto const& PartitionKey, auto const& RowKey, auto Member>
inline constexpr bool is_also_stored = has_stored_part<Member>(PartitionKey) || has_stored_part<Member>(RowKey);

/// True if the member's value can be read back from one of the keys.
template <auto const& PartitionKey, auto const& RowKey, auto Member>
inline constexpr bool is_readable_from_keys =
    is_listed<Member, members_of<PartitionKey>> || is_listed<Member, members_of<RowKey>>;

}  // namespace tablemap::detail
