// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/property.hpp"
#include "tablemap/detail/patterns/rolling_names.hpp"
#include "tablemap/detail/reflect/fields.hpp"
#include "tablemap/mapping/entity.hpp"
#include "tablemap/mapping/indexes.hpp"
#include "tablemap/mapping/mapping.hpp"
#include "tablemap/patterns/latest.hpp"

#include <string>
#include <string_view>
#include <type_traits>

/// The rules of rolling tables, checked at compile time, and the time of an entity.
namespace tablemap::inline v0_1::detail {

enum class rolling_fault { none, no_member, another_struct, no_time, ignored };

template <class V> constexpr bool is_time_of_rolling() { return std::is_same_v<V, ticks> || is_storable_time<V>(); }

template <class T, auto Time> constexpr rolling_fault find_rolling_fault() {
    if constexpr (!std::is_member_object_pointer_v<decltype(Time)>)
        return rolling_fault::no_member;
    else if constexpr (!std::is_base_of_v<member_owner<Time>, T>)
        return rolling_fault::another_struct;
    else if constexpr (!is_time_of_rolling<member_type<Time>>())
        return rolling_fault::no_time;
    else
        return is_ignored_member<T, Time>() ? rolling_fault::ignored : rolling_fault::none;
}

template <class T, auto Time> constexpr bool check_rolling_table() {
    static_assert(mapped<T>, "tablemap[P9]: a rolling table is of one mapped struct, whose time says the table; name "
                             "that, and read other types with table<...> of one period's name");
    if constexpr (mapped<T>) {
        constexpr auto fault = find_rolling_fault<T, Time>();
        static_assert(fault != rolling_fault::no_member,
                      "tablemap[P9]: behind its type a rolling table names the member that holds the time, "
                      "&sign_in::at");
        static_assert(fault != rolling_fault::another_struct,
                      "tablemap[P9]: this is a member of another struct; name a time of the struct whose rows the "
                      "rolling table has");
        static_assert(fault != rolling_fault::no_time,
                      "tablemap[P9]: this member is no time point, so it cannot say which table an entity belongs to; "
                      "name one of type ticks, or sys_time of whole ticks, that is neither optional nor encrypted");
        static_assert(
            count_elsewhere<T>() == 0,
            "tablemap[P9]: an index_in index has one table for the entities of one table, and a rolling table "
            "has many; declare index<...> in the partition, or keep these entities in one table");
        static_assert(fault != rolling_fault::ignored,
                      "tablemap[P9]: this member is ignored(), so an entity that is read has no time; store it, or "
                      "name another member");
        return fault == rolling_fault::none && count_elsewhere<T>() == 0;
    }
    return false;
}

template <class T, auto Time> ticks time_of_entity(void const* e) {
    return ticks{static_cast<entity<T> const*>(e)->value.*Time};
}

}  // namespace tablemap::detail
