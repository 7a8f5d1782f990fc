// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/reflect/type_list.hpp"
#include "tablemap/mapping/mapping.hpp"
#include "tablemap/mapping/variant.hpp"

#include <concepts>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

/// Members that are copies of members of another row of the same partition, so that one read gives both.
///
///     template <> struct tmap::mapping<department> {
///         …
///         static constexpr auto copies = tmap::copies(
///             tmap::copies_of<employee>(tmap::linked<&department::manager, &employee::id>,
///                                       tmap::copied<&department::manager_name, &employee::name>,
///                                       tmap::copied<&department::manager_email, &employee::email>));
///     };
///
/// `linked` and `copied` read like assignments: first the member of the struct that holds the copies, then that of its
/// source. The declaration alone does nothing: `table_with_copies` keeps the copies.
namespace tablemap::inline v0_1 {

/// The link to the source: the first member holds the value of the second one, a member of the source's row key.
template <auto Member, auto SourceMember> struct linked_t {};
template <auto Member, auto SourceMember> inline constexpr linked_t<Member, SourceMember> linked{};

/// The first member is a copy of the second one.
template <auto Member, auto SourceMember> struct copied_t {};
template <auto Member, auto SourceMember> inline constexpr copied_t<Member, SourceMember> copied{};

/// The copies that come from one row. Made by `copies_of`.
template <class Source, class... Parts> struct copies_of_t {
    using source = Source;
    using parts = detail::type_list<Parts...>;
};

/// All copies that a struct holds. Made by `copies`.
template <class... Declarations> struct copies_t { using declarations = detail::type_list<Declarations...>; };

namespace detail {

template <class P> inline constexpr bool is_linked = false;
template <auto Member, auto SourceMember> inline constexpr bool is_linked<linked_t<Member, SourceMember>> = true;
template <class P> inline constexpr bool is_copied = false;
template <auto Member, auto SourceMember> inline constexpr bool is_copied<copied_t<Member, SourceMember>> = true;
template <class D> inline constexpr bool is_copies_of = false;
template <class S, class... Parts> inline constexpr bool is_copies_of<copies_of_t<S, Parts...>> = true;

}  // namespace detail

/// The copies of members of a `Source`: a `linked<…>` for each member of the row key of a Source that is not in its
/// partition key too, none if the row key is constant, and a `copied<…>` for each copy. A linked member may be
/// optional; while it is empty there is no source, and the copies have their default initialisers.
template <class Source, class... Parts> constexpr auto copies_of(Parts const&...) {
    constexpr bool good = ((detail::is_linked<Parts> || detail::is_copied<Parts>)&&...);
    static_assert(good && (detail::is_copied<Parts> || ...),
                  "tablemap[P6]: copies_of<Source>(...) takes linked<&T::member, &Source::key_member> and at least one "
                  "copied<&T::member, &Source::member>");
    return copies_of_t<Source, Parts...>{};
}

/// Lists the copies that a struct holds, those of each source row together.
template <class... Declarations> constexpr auto copies(Declarations const&...) {
    constexpr bool good = (detail::is_copies_of<Declarations> && ...);
    static_assert(good && sizeof...(Declarations) > 0,
                  "tablemap[P6]: copies(...) takes copies_of<Source>(linked<...>, copied<...>)");
    if constexpr (good)
        return copies_t<Declarations...>{};
    else
        return copies_t<>{};  // one message is enough
}

namespace detail {

template <class T>
concept holds_copies = requires {
    mapping<T>::copies;
};

template <class T> struct find_copy_declarations { using type = type_list<>; };
template <holds_copies T> struct find_copy_declarations<T> {
    using type = typename std::remove_cvref_t<decltype(mapping<T>::copies)>::declarations;
};

/// A list of `copies_of_t`; empty where there are none.
template <class T> using copy_declarations = typename find_copy_declarations<T>::type;

// ---- links and copies of a declaration -----------------------------------------------------------------------------

/// The member that a declaration links to a member of the source's row key, if any.
template <auto SourceMember, class... Parts> struct find_link { static constexpr bool found = false; };
template <auto SourceMember, class Part, class... Rest>
struct find_link<SourceMember, Part, Rest...> : find_link<SourceMember, Rest...> {};
template <auto SourceMember, auto Member, auto Linked, class... Rest>
requires(same_member<SourceMember, Linked>()) struct find_link<SourceMember, linked_t<Member, Linked>, Rest...> {
    static constexpr bool found = true;
    static constexpr auto member = Member;
};

/// The member of the source's row key that a declaration links a member to, if any.
template <auto Member, class... Parts> struct find_linked { static constexpr bool found = false; };
template <auto Member, class Part, class... Rest>
struct find_linked<Member, Part, Rest...> : find_linked<Member, Rest...> {};
template <auto Member, auto Linking, auto SourceMember, class... Rest>
requires(same_member<Member, Linking>()) struct find_linked<Member, linked_t<Linking, SourceMember>, Rest...> {
    static constexpr bool found = true;
    static constexpr auto member = SourceMember;
};

/// True for a link to this member of a source's row key.
template <auto SourceMember, class Part> inline constexpr bool links_to = false;
template <auto SourceMember, auto Member, auto Linked>
inline constexpr bool links_to<SourceMember, linked_t<Member, Linked>> = same_member<SourceMember, Linked>();

/// The members that copies are written to.
template <class... Parts> struct copied_members { using type = member_list<>; };
template <class Part, class... Rest> struct copied_members<Part, Rest...> : copied_members<Rest...> {};
template <class List, auto Member> struct prepend_member;
template <auto... Members, auto Member> struct prepend_member<member_list<Members...>, Member> {
    using type = member_list<Member, Members...>;
};
template <auto Member, auto SourceMember, class... Rest>
struct copied_members<copied_t<Member, SourceMember>, Rest...>
    : prepend_member<typename copied_members<Rest...>::type, Member> {};

/// The number of declarations of its struct that make a member a copy.
template <auto Member> constexpr std::size_t count_copies(type_list<>) { return 0; }
template <auto Member, class S, class... Parts> constexpr std::size_t count_in_one(copies_of_t<S, Parts...>) {
    return []<auto... Members>(member_list<Members...>) {
        return (std::size_t{0} + ... + (same_member<Member, Members>() ? 1 : 0));
    }
    (typename copied_members<Parts...>::type{});
}
template <auto Member, class First, class... Rest> constexpr std::size_t count_copies(type_list<First, Rest...>) {
    return (count_in_one<Member>(First{}) + ... + count_in_one<Member>(Rest{}));
}

/// True if a member links to a source by any declaration of its struct.
template <auto Member, class S, class... Parts> constexpr bool is_link_of(copies_of_t<S, Parts...>) {
    auto const is_it = []<auto M, auto Linked>(linked_t<M, Linked> const*) { return same_member<Member, M>(); };
    return ([&] {
        if constexpr (is_linked<Parts>)
            return is_it(static_cast<Parts const*>(nullptr));
        else
            return false;
    }() || ...);
}
template <auto Member, class... Declarations> constexpr bool is_link(type_list<Declarations...>) {
    return (is_link_of<Member>(Declarations{}) || ...);
}

// ---- rules ----------------------------------------------------------------------------------------------------------

template <class T, auto Member> constexpr key_use key_use_of() {
    return list_key_uses<T, false>()[member_index<Member, T>];
}

/// True if the value of the one is that of the other, or is put into it as an optional.
template <auto Member, auto SourceMember>
inline constexpr bool takes_value_of = std::same_as<member_type<Member>, member_type<SourceMember>> ||
                                       std::same_as<member_type<Member>, std::optional<member_type<SourceMember>>>;

template <class T, class S, auto Member, auto SourceMember> constexpr bool check_copy_owners() {
    constexpr bool good = is_member_of<Member, T> && is_member_of<SourceMember, S>;
    static_assert(good, "tablemap[P6]: linked<...> and copied<...> name first a member of the struct that holds the "
                        "copies, then one of their source: copied<&department::manager_name, &employee::name>");
    return good;
}

template <class T, class S, auto Member, auto SourceMember> constexpr bool check_copied() {
    constexpr bool same_type = takes_value_of<Member, SourceMember>;
    static_assert(same_type, "tablemap[P6]: a copy has the type of the member that it copies, or std::optional of it");
    constexpr bool in_key = key_use_of<T, Member>() != key_use::none || is_link<Member>(copy_declarations<T>{});
    static_assert(!in_key,
                  "tablemap[P6]: a member of the key, or one that links to a source, cannot be a copy: it says "
                  "which row this is, or whose copies it holds; copy into another member");
    constexpr bool once = count_copies<Member>(copy_declarations<T>{}) == 1;
    static_assert(once, "tablemap[P6]: this member is declared as a copy twice; leave one of them");
    constexpr bool original = count_copies<SourceMember>(copy_declarations<S>{}) == 0;
    static_assert(original, "tablemap[P6]: this copies a member that is a copy itself; copy it from the row that it "
                            "comes from");
    constexpr bool stored = options_of<T>[member_index<Member, T>].how != storage::ignored &&
                            options_of<S>[member_index<SourceMember, S>].how != storage::ignored;
    static_assert(stored, "tablemap[P6]: a member that is ignored() is never stored, so it is no copy and has none");
    return same_type && !in_key && once && original && stored;
}

template <class T, class S, auto Member, auto SourceMember> constexpr bool check_linked() {
    constexpr bool same_type = takes_value_of<Member, SourceMember>;
    static_assert(same_type, "tablemap[P6]: a linked member has the type of the member of the source's row key, or "
                             "std::optional of it, empty while there is no source");
    constexpr bool in_key = is_listed<SourceMember, given_members_of<mapping<S>::row_key>>;
    static_assert(in_key, "tablemap[P6]: linked<...> names a member of the source's row key: a source is found by its "
                          "key alone; the partition key is shared and needs no link");
    return same_type && in_key;
}

template <class T, class S, class Part> struct check_part_of_copies;
template <class T, class S, auto Member, auto SourceMember>
struct check_part_of_copies<T, S, copied_t<Member, SourceMember>> {
    static constexpr bool check() {
        if constexpr (check_copy_owners<T, S, Member, SourceMember>())
            return check_copied<T, S, Member, SourceMember>();
        return false;
    }
};
template <class T, class S, auto Member, auto SourceMember>
struct check_part_of_copies<T, S, linked_t<Member, SourceMember>> {
    static constexpr bool check() {
        if constexpr (check_copy_owners<T, S, Member, SourceMember>())
            return check_linked<T, S, Member, SourceMember>();
        return false;
    }
};

/// Puts the member's name into the compiler's "required from" line.
template <class T, class S, auto KeyMember, class... Parts> constexpr bool check_key_is_linked() {
    constexpr bool shared = is_listed<KeyMember, given_members_of<mapping<S>::partition_key>>;
    constexpr bool good = shared || find_link<KeyMember, Parts...>::found;
    static_assert(good,
                  "tablemap[P6]: nothing tells this member of the source's row key, so the source cannot be found; "
                  "add linked<&T::member, &Source::key_member>");
    constexpr bool once = (std::size_t{0} + ... + (links_to<KeyMember, Parts> ? 1 : 0)) < 2;
    static_assert(once,
                  "tablemap[P6]: two members link to this one member of the source's row key, so it is not clear which "
                  "row is the source; leave one of them, or give the second a copies_of<Source>(...) of its own");
    return good && once;
}

template <class... Parts> constexpr bool has_spread(key_template<Parts...> const&) {
    return (is_spread_part<Parts> || ...);
}

template <class T, class S> constexpr bool check_shared_partition() {
    constexpr bool same = have_one_partition_key<T, S>() && !has_spread(mapping<T>::partition_key);
    static_assert(same, "tablemap[P6]: copies are kept in one group transaction, so a row and the source of its copies "
                        "share their partition; give both the same partition key, without spread<N>");
    return same;
}

template <class T, class S, class... Parts> constexpr bool check_copy_declaration(copies_of_t<S, Parts...>) {
    if constexpr (check_mapping<S>() && check_shared_partition<T, S>())
        if constexpr ((check_part_of_copies<T, S, Parts>::check() && ...))
            return []<auto... KeyMembers>(member_list<KeyMembers...>) {
                return (check_key_is_linked<T, S, KeyMembers, Parts...>() && ...);
            }
    (given_members_of<mapping<S>::row_key>{});
    return false;
}

/// Checks the copies that T's mapping declares. A static_assert names the broken rule.
template <class T> constexpr bool check_copies() {
    if constexpr (check_mapping<T>())
        return []<class... Declarations>(type_list<Declarations...>) {
            return (check_copy_declaration<T>(Declarations{}) && ...);
        }(copy_declarations<T>{});
    return false;
}

}  // namespace detail
}  // namespace tablemap
