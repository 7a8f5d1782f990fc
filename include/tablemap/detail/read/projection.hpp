// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/encode.hpp"
#include "tablemap/detail/mapping/entity_type.hpp"
#include "tablemap/detail/query/element.hpp"
#include "tablemap/detail/read/query_state.hpp"
#include "tablemap/mapping/entity.hpp"

#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/// The forms in which a query returns the entities that it reads.
namespace tablemap::inline v0_1::detail {

/// The entity itself, in the page that holds it.
template <class T> struct whole_entity {
    using value_type = entity<T>;
    using slot = entity<T>*;

    static void put(slot& to, entity<T>& e) noexcept { to = &e; }
    static value_type& get(slot& from) noexcept { return *from; }
    static value_type take(entity<T>& e) { return std::move(e); }
};

/// Refuses to give an entity of which an index holds a part.
template <class T, std::size_t I> constexpr bool check_whole_copies() {
    static_assert(
        copies_all<T, I>,
        "tablemap[P1]: the rows of this index hold some members only, so no whole entity comes out of them; ask "
        "for those members, .select<...>(), and find_many(...) the entities that are wanted whole");
    return copies_all<T, I>;
}

/// The same, copied in a row of an index.
template <class T, std::size_t I> struct entity_of_index : whole_entity<T> {
    static constexpr auto const& held_fields = copied_fields_of<T, I>;

    static void put(entity<T>*& to, entity<T>& e) {
        if constexpr (check_whole_copies<T, I>()) to = &e;
    }
    static entity<T> take(entity<T>& e) {
        static_cast<void>(check_whole_copies<T, I>());
        return std::move(e);
    }
};

template <class T, auto... Members> struct members_of_entity {
    using value_type = std::tuple<member_type<Members>...>;
    using slot = std::optional<value_type>;

    static value_type take(entity<T>& e) { return value_type{std::move(e.value.*Members)...}; }
    static void put(slot& to, entity<T>& e) { to.emplace(std::move(e.value.*Members)...); }
    static value_type& get(slot& from) noexcept { return *from; }

    template <class... Slices> static void ask(query_description& q, Slices const&... slices) {
        chosen_columns chosen;
        (..., chosen.fields.set(member_index<Members, T>));
        result<void> good;
        (..., (good = good ? chooser<Slices>::template choose<T>(slices, chosen) : good));
        if (good)
            q.select_members(chosen);
        else
            q.restrict(std::move(good).error());
    }
};

/// The place in T of the member of U with number `I`; field_count<T> if there is none of its name and type.
template <class T, class U, std::size_t I> constexpr std::size_t find_counterpart() {
    std::size_t at = 0;
    while (at < field_count<T> && field_names<T>[at] != field_names<U>[I]) ++at;
    return at;
}

template <class T, class U> struct part_of_entity {
    using value_type = U;
    using slot = std::optional<U>;

    static U take(entity<T>& e) {
        U to{};
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (..., (get_field<I>(to) = std::move(get_field<find_counterpart<T, U, I>()>(e.value))));
        }
        (std::make_index_sequence<field_count<U>>{});
        return to;
    }
    static void put(slot& to, entity<T>& e) { to.emplace(take(e)); }
    static U& get(slot& from) noexcept { return *from; }

    static void ask(query_description& q) {
        chosen_columns chosen;
        [&]<std::size_t... I>(std::index_sequence<I...>) { (..., chosen.fields.set(find_counterpart<T, U, I>())); }
        (std::make_index_sequence<field_count<U>>{});
        q.select_members(chosen);
    }
};

// ---- rules ----------------------------------------------------------------------------------------------------------

template <class T, std::size_t I> constexpr bool is_open_member() {
    return options_of<T>[I].how == storage::prefixed || std::is_same_v<field_type<T, I>, extras>;
}

template <class T, auto Member> constexpr bool check_selected_member() {
    constexpr bool own = is_member_of<Member, T>;
    static_assert(own, "tablemap[Q4]: select<...> names members of the table's own struct");
    if constexpr (own) {
        constexpr bool open = is_open_member<T, member_index<Member, T>>();
        static_assert(
            !open,
            "tablemap[Q4]: the columns of a map or of extras are not known beforehand, so they cannot be selected; "
            "read the whole entity");
        return !open;
    }
    return false;
}

/// True if a member is named more than once: it is moved out of the entity, and that only once.
template <auto... Members> constexpr bool names_one_twice() {
    std::size_t at = 0;
    return ((position_in<Members>(member_list<Members...>{}) != at++) || ...);
}

/// Gives the compiler's "required from" line the member's name.
template <auto Where, bool Held> constexpr bool check_held_member() {
    static_assert(Held,
                  "tablemap[P1]: the rows of this index do not hold this member; name it in include<...> of the index, "
                  "or find_many(...) the entities by their keys");
    return Held;
}

/// True if the rows that a query reads hold the fields of these numbers.
template <class T, class Projection, std::size_t... Fields> constexpr bool check_held() {
    if constexpr (requires { Projection::held_fields; })
        return (check_held_member<address_of_field<T, Fields>(), Projection::held_fields[Fields]>() && ...);
    else
        return true;
}

template <class T, class Projection, class U> constexpr bool check_held_into() {
    return []<std::size_t... I>(std::index_sequence<I...>) {
        return check_held<T, Projection, find_counterpart<T, U, I>()...>();
    }
    (std::make_index_sequence<field_count<U>>{});
}

template <class T, auto... Members> constexpr bool check_selected() {
    static_assert(!names_one_twice<Members...>(),
                  "tablemap[Q4]: select<...> names each member once; copy what is needed twice");
    static_assert(mapped<T>,
                  "tablemap[Q4]: only members of one mapped struct can be selected; query a table of that struct");
    static_assert(sizeof...(Members) > 0, "tablemap[Q4]: select<...> names at least one member");
    if constexpr (mapped<T>) return (check_selected_member<T, Members>() && ...);
    return false;
}

/// `Members` are those that are selected.
template <class T, class Slice, auto... Members> constexpr bool check_slice() {
    constexpr bool elements = is_element_choice<Slice>;
    static_assert(elements, "tablemap[P10]: select takes elements of the members that it names: "
                            "select<&T::hours>(elements<&T::hours>(8, 18))");
    if constexpr (elements) {
        constexpr bool selected = is_listed<chooser<Slice>::member, member_list<Members...>>;
        static_assert(selected, "tablemap[P10]: these elements are of a member that is not selected; name it, too: "
                                "select<&T::hours>(elements<&T::hours>(8, 18))");
        static_assert(version_of<T>() == 1,
                      "tablemap[P10]: rows of a type with versions are read whole, to be upgraded, so elements of them "
                      "cannot be selected; select the whole member");
        if constexpr (selected && version_of<T>() == 1) return chooser<Slice>::template check<T>();
    }
    return false;
}

template <class T, class U, std::size_t I, auto Where> constexpr bool refuse_counterpart() {
    constexpr auto at = find_counterpart<T, U, I>();
    static_assert(
        at < field_count<T>,
        "tablemap[Q4]: the struct of select_into has a member that the table's struct does not have; name its "
        "members as they are there");
    if constexpr (at < field_count<T>) {
        static_assert(
            std::is_same_v<field_type<T, at>, field_type<U, I>>,
            "tablemap[Q4]: a member of the struct of select_into has another type than in the table's struct");
        static_assert(!is_open_member<T, at>(),
                      "tablemap[Q4]: the columns of a map or of extras are not known beforehand, so they cannot be "
                      "selected; read the whole entity");
    }
    return false;
}

template <class T, class U, std::size_t I> constexpr bool has_counterpart() {
    constexpr auto at = find_counterpart<T, U, I>();
    if constexpr (at < field_count<T>)
        return std::is_same_v<field_type<T, at>, field_type<U, I>> && !is_open_member<T, at>();
    else
        return false;
}

template <class T, class U, std::size_t I> constexpr bool check_counterpart() {
    if constexpr (has_counterpart<T, U, I>())
        return true;
    else
        return refuse_counterpart<T, U, I, address_of_field<U, I>()>();
}

template <class T, class U> constexpr bool check_select_into() {
    static_assert(mapped<T>,
                  "tablemap[Q4]: only members of one mapped struct can be selected; query a table of that struct");
    if constexpr (mapped<T> && check_reflectable<U>()) return []<std::size_t... I>(std::index_sequence<I...>) {
            return (check_counterpart<T, U, I>() && ...);
        }
    (std::make_index_sequence<field_count<U>>{});
    else return false;
}

}  // namespace tablemap::detail
