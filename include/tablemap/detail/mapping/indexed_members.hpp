// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/chosen_columns.hpp"
#include "tablemap/detail/mapping/index_rows.hpp"

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

/// The effect of a change of some members of an entity on its rows in indexes.
namespace tablemap::inline v0_1::detail {

/// Marks the members that the rows of an index, or their existence, depend on.
template <class T, std::size_t I> constexpr void mark_indexed_fields(field_marks<T>& fields) {
    for (std::size_t i = 0; i < fields.size(); ++i) fields[i] = fields[i] || copied_fields_of<T, I>[i];
    constexpr auto condition = std::get<I>(mapping<T>::indexes.rules).condition;
    if constexpr (std::is_member_object_pointer_v<decltype(condition)>)
        mark_members<T>(fields, member_list<condition>{});
    else if constexpr (!std::is_same_v<decltype(condition), every_entity const>)
        fields.fill(true);  // a function may read any member
}

/// The same of an index elsewhere.
template <class T, std::size_t J> constexpr void mark_fields_elsewhere(field_marks<T>& fields) {
    for (std::size_t i = 0; i < fields.size(); ++i) fields[i] = fields[i] || copied_elsewhere_of<T, J>[i];
    constexpr auto condition = std::get<J>(mapping<T>::indexes.elsewhere).condition;
    if constexpr (std::is_member_object_pointer_v<decltype(condition)>)
        mark_members<T>(fields, member_list<condition>{});
    else if constexpr (!std::is_same_v<decltype(condition), every_entity const>)
        fields.fill(true);
}

template <class T, std::size_t... I, std::size_t... J>
constexpr field_marks<T> list_indexed_fields(std::index_sequence<I...>, std::index_sequence<J...>) {
    field_marks<T> fields{};
    (..., mark_indexed_fields<T, I>(fields));
    (..., mark_fields_elsewhere<T, J>(fields));
    if constexpr (has_computed_columns<T>) fields.fill(true);
    return fields;
}

template <class T, auto... Members> constexpr bool touch_members() {
    if constexpr ((is_member_of<Members, T> && ...)) {
        constexpr auto fields = list_indexed_fields<T>(std::make_index_sequence<count_indexes<T>()>{},
                                                       std::make_index_sequence<count_elsewhere<T>()>{});
        return (fields[member_index<Members, T>] || ...);
    }
    return true;
}

/// False if no row of an index of T depends on the chosen members of an entity.
template <class T, class Chosen> inline constexpr bool touch_indexes = count_indexes<T>() + count_elsewhere<T>() > 0;
template <class T, auto... Members>
requires indexed<T>
inline constexpr bool touch_indexes<T, only_t<Members...>> = touch_members<T, Members...>();
template <class T, class Elements>
requires indexed<T> && requires { chooser<Elements>::member; }
inline constexpr bool touch_indexes<T, Elements> = touch_members<T, chooser<Elements>::member>();
template <class T, class A, class B>
requires indexed<T>
inline constexpr bool touch_indexes<T, choosing::joined<A, B>> = touch_indexes<T, A> || touch_indexes<T, B>;

}  // namespace tablemap::detail
