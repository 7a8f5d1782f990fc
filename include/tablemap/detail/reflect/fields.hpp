// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tablemap/detail/reflect/check.hpp>
#include <tablemap/detail/reflect/name.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tablemap::inline v0_1::detail {

template <class T> constexpr std::size_t count_fields() {
    if constexpr (check_reflectable<T>()) {
        return struct_access<T>::count();
    } else {
        return 0;  // no further message after the refusal
    }
}

/// The number of members of `T`.
template <class T> inline constexpr std::size_t field_count = count_fields<T>();

template <class T> constexpr auto list_types() {
    if constexpr (check_reflectable<T>()) {
        using list = decltype(struct_access<T>::types());
        []<class... Types>(type_list<Types...>*) {
            static_assert(!(std::is_array_v<Types> || ...),
                          "tablemap[M1]: a mapped struct must have no C array as a member; use std::array, std::string "
                          "or std::vector");
        }(static_cast<list*>(nullptr));
        return list{};
    } else {
        return type_list<>{};
    }
}

/// The types of the members of `T`, in the order of declaration, as a type_list.
template <class T> using field_types = decltype(list_types<T>());

template <class T> constexpr auto list_names() {
    if constexpr (check_reflectable<T>()) {
        return struct_access<T>::names();
    } else {
        return std::array<std::string_view, 0>{};
    }
}

/// The names of the members of `T` as they are written in the source; the views refer to static storage.
template <class T> inline constexpr auto field_names = list_names<T>();

/// The names of the members of `T` as the class declares them.
template <class T> inline constexpr auto const& declared_names_of = field_names<T>;
template <class T>
requires requires { struct_access<T>::declared_names(); }
inline constexpr auto const& declared_names_of<T> = struct_access<T>::declared_names();

/// Writes the address of every member of `object` to `out`, which has room for field_count<T> of them.
template <class T> void field_addresses(T& object, void** out) noexcept {
    struct_access<T>::addresses(object, const_cast<void const**>(out));
}

// The same function for both, for the sake of compile time: it only forms addresses.
template <class T> void field_addresses(T const& object, void const** out) noexcept {
    struct_access<T>::addresses(const_cast<T&>(object), out);
}

/// The member number `I` of `object`, in the order of declaration.
template <std::size_t I, class T> constexpr auto& get_field(T& object) noexcept {
    using mapped = std::remove_const_t<T>;
    static_assert(I < field_count<mapped>, "tablemap[M0]: the struct has no member of this number");
    return struct_access<mapped>::template get_field<I>(object);
}

/// The type of member number `I`.
template <class T, std::size_t I> using field_type = type_at<I, field_types<T>>;

/// The name of member number `I` as it is written in the source; the view refers to static storage.
template <class T, std::size_t I> inline constexpr std::string_view field_name = field_names<T>[I];

/// A template argument in which the compiler spells the name of member number `I`, for diagnostics.
template <class T, std::size_t I> constexpr auto address_of_field() { return struct_access<T>::template spelled<I>(); }

static_assert(
    field_name<name_probe, 0> == "the_probed_name",
    "tablemap[M0]: this compiler spells the address of a member in a form that member names cannot be read from; "
    "use g++ 12, clang 14 or newer");

// ---- finding --------------------------------------------------------------------------------------------------------

/// Calls `visit(std::integral_constant<std::size_t, I>{})` for every member of `T`, in the order of declaration.
template <class T, class Visitor> constexpr void for_each_field_index(Visitor&& visit) {
    auto const visit_all = [&]<std::size_t... I>(std::index_sequence<I...>) {
        (static_cast<void>(visit(std::integral_constant<std::size_t, I>{})), ...);
    };
    visit_all(std::make_index_sequence<field_count<T>>{});
}

/// The number of the member of `T` that `Member` points to; field_count<T> if it points to none.
template <auto Member, class T> constexpr std::size_t find_member() {
    if constexpr (check_reflectable<T>()) {
        return struct_access<T>::template find<Member>(field_names<T>);
    } else {
        return 0;
    }
}

/// True if `Member` points to a member of `T`, one that `T` inherits and lists included.
template <auto Member, class T> inline constexpr bool is_member_of = find_member<Member, T>() < field_count<T>;

template <auto Member, class T> constexpr std::size_t checked_member_index() {
    constexpr auto at = find_member<Member, T>();
    // A refused T has no fields at all, and one message is enough.
    static_assert(
        !reflectable<T> || at < field_count<T>,
        "tablemap[M2]: this pointer must point to a data member that the mapped struct itself declares, or lists if it "
        "is adapted; name a member of the struct, not one of another or a nested struct, and no member function");
    return at;
}

/// The number of the member of `T` that `Member` points to.
template <auto Member, class T = member_owner<Member>>
inline constexpr std::size_t member_index = checked_member_index<Member, T>();

}  // namespace tablemap::detail
