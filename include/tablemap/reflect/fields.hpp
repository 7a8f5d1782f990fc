// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tablemap/reflect/check.hpp>
#include <tablemap/reflect/name.hpp>

#include <boost/pfr/core.hpp>
#include <boost/pfr/tuple_size.hpp>
#if __has_include(<boost/pfr/core_name.hpp>)
#include <boost/pfr/core_name.hpp>
#endif

#include <cstddef>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tablemap::detail {

template <class T> constexpr std::size_t count_fields() {
    if constexpr (check_reflectable<T>()) {
        return boost::pfr::tuple_size_v<T>;
    } else {
        return 0;  // what comes after the refusal finds nothing more to complain about
    }
}

/// How many members the aggregate `T` has.
template <class T> inline constexpr std::size_t field_count = count_fields<T>();

// The name is part of the diagnosis: a bit-field or an anonymous union cannot be found out without a hard error, and
// this function is what the compiler's "required from" line then names.
template <std::size_t I, class T>
constexpr auto& mapped_members_must_not_be_bit_fields_or_anonymous_unions(T& object) noexcept {
    return boost::pfr::get<I>(object);
}

/// The member number `I` of `object`, in the order of declaration.
template <std::size_t I, class T> constexpr auto& get_field(T& object) noexcept {
    static_assert(I < field_count<std::remove_const_t<T>>, "tablemap[M0]: the struct has no member of this number");
    return mapped_members_must_not_be_bit_fields_or_anonymous_unions<I>(object);
}

template <class T, std::size_t I> struct field_at {
    using type = std::remove_reference_t<decltype(get_field<I>(std::declval<T&>()))>;
    static_assert(!std::is_array_v<type>,
                  "tablemap[M1]: a mapped struct must have no C array as a member; use std::array, std::string or "
                  "std::vector");
};

/// The type of member number `I`.
template <class T, std::size_t I> using field_type = typename field_at<T, I>::type;

// ---- names ----------------------------------------------------------------------------------------------------------

// A name is read from the compiler's spelling of the address of a member of an object that is declared and never
// defined: only addresses are formed, so T needs no constructor that could run in a constant expression.
template <class T> struct never_defined { T value; };

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#pragma clang diagnostic ignored "-Wundefined-internal"
#endif

template <class T> extern never_defined<T> never_defined_object;

// clang 14 takes the address of a subobject as a template argument only inside a literal class.
template <class Pointer> struct member_address { Pointer pointer; };

template <class Pointer> member_address(Pointer) -> member_address<Pointer>;

template <class T, std::size_t I> constexpr auto address_of_field() {
    return member_address{std::addressof(get_field<I>(never_defined_object<T>.value))};
}

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

template <class T, std::size_t I> constexpr std::string_view read_field_name() {
    if constexpr (!check_reflectable<T>()) {
        return {};
    } else {
#if defined(BOOST_PFR_CORE_NAME_ENABLED) && BOOST_PFR_CORE_NAME_ENABLED
        // Asked first, because PFR's path to the name has no entity of ours on it that says the rule.
        using type [[maybe_unused]] = field_type<T, I>;
        return boost::pfr::get_name<I, T>();
#else
        return last_identifier(spelling_of<address_of_field<T, I>()>());
#endif
    }
}

/// The name of member number `I` as it is written in the source; the view refers to static storage.
template <class T, std::size_t I> inline constexpr std::string_view field_name = read_field_name<T, I>();

static_assert(
    field_name<name_probe, 0> == "the_probed_name",
    "tablemap[M0]: this compiler spells the address of a member in a form that member names cannot be read from; "
    "use g++ 12, clang 14 or newer, or a Boost of 1.84 or newer, whose PFR knows more compilers");

// ---- walking --------------------------------------------------------------------------------------------------------

/// Calls `visit(std::integral_constant<std::size_t, I>{})` for every member of `T`, in the order of declaration.
template <class T, class Visitor> constexpr void for_each_field_index(Visitor&& visit) {
    auto const visit_all = [&]<std::size_t... I>(std::index_sequence<I...>) {
        (static_cast<void>(visit(std::integral_constant<std::size_t, I>{})), ...);
    };
    visit_all(std::make_index_sequence<field_count<T>>{});
}

template <auto Member, class T> constexpr std::size_t find_member() {
    constexpr auto count = field_count<T>;
    auto at = count;
    if constexpr (std::is_same_v<member_owner<Member>, T>) {
        for_each_field_index<T>([&](auto index) {
            if (field_name<T, index()> == member_name<Member>) at = index();
        });
    }
    return at;
}

template <auto Member, class T> constexpr std::size_t checked_member_index() {
    constexpr auto at = find_member<Member, T>();
    // A refused T has no fields at all, and one message is enough.
    static_assert(
        !reflectable<T> || at < field_count<T>,
        "tablemap[M2]: this pointer must point to a data member that the mapped struct itself declares; name a "
        "member of the struct, not one of another struct, of a nested struct or a base, and no member function");
    return at;
}

/// The number of the member of `T` that `Member` points to.
template <auto Member, class T = member_owner<Member>>
inline constexpr std::size_t member_index = checked_member_index<Member, T>();

}  // namespace tablemap::detail
