// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tablemap/detail/reflect/aggregate.hpp>

#include <boost/hana/accessors.hpp>
#include <boost/hana/adapt_struct.hpp>
#include <boost/hana/concept/struct.hpp>
#include <boost/hana/define_struct.hpp>
#include <boost/hana/pair.hpp>
#include <boost/hana/tuple.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>
#include <type_traits>

namespace tablemap::inline v0_1::detail {

/// A class whose members BOOST_HANA_ADAPT_STRUCT or BOOST_HANA_DEFINE_STRUCT lists.
template <class T>
concept adapted = std::is_class_v<T> && boost::hana::Struct<T>::value;

// ---- the list -------------------------------------------------------------------------------------------------------

// Hana's accessor of a data member is a template of the pointer to it; others compute what they give.
template <class Accessor> struct accessed_member { static constexpr bool is_data = false; };

template <template <class Pointer, Pointer> class Accessor, class Type, class Owner, Type Owner::*Member>
requires std::is_object_v<Type>
struct accessed_member<Accessor<Type Owner::*, Member>> {
    static constexpr bool is_data = true;
    static constexpr auto pointer = Member;
    using type = Type;
};

template <auto Pointer> struct member_constant {};

template <class... Members> struct adapted_members {
    using types = type_list<typename Members::type...>;

    static constexpr bool has_array = (std::is_array_v<typename Members::type> || ...);
    static constexpr bool has_constant = (std::is_const_v<typename Members::type> || ...);

    template <class T> static constexpr void addresses(T& object, void const** out) noexcept {
        (static_cast<void>(*out++ = std::addressof(object.*Members::pointer)), ...);
    }

    /// As the class declares them: the list may name them otherwise.
    static constexpr std::array<std::string_view, sizeof...(Members)> declared_names{member_name<Members::pointer>...};

    template <auto Member> static constexpr std::size_t find() {
        std::size_t at = 0;
        static_cast<void>(
            ((std::is_same_v<member_constant<Members::pointer>, member_constant<Member>> || (++at, false)) || ...));
        return at;
    }
};

template <class Pairs> struct adapted_list;

template <class... Names, class... Accessors>
struct adapted_list<boost::hana::tuple<boost::hana::pair<Names, Accessors>...>> {
    static constexpr std::size_t size = sizeof...(Names);
    static constexpr bool is_data = (accessed_member<Accessors>::is_data && ...);

    // Incomplete unless is_data holds.
    using members = adapted_members<accessed_member<Accessors>...>;

    template <std::size_t I> static constexpr auto pointer() {
        return accessed_member<type_at<I, type_list<Accessors...>>>::pointer;
    }

    static constexpr std::array<std::string_view, size> names() { return {std::string_view{Names::c_str()}...}; }
};

template <class T> using adapted_list_of = adapted_list<std::remove_cvref_t<decltype(boost::hana::accessors<T>())>>;

// ---- rules ----------------------------------------------------------------------------------------------------------

template <class T> constexpr reflect_fault find_adapted_fault() {
    if constexpr (!std::is_default_constructible_v<T>) {
        return reflect_fault::not_default_constructible;
    } else if constexpr (!move_assignable<T>) {
        return reflect_fault::not_assignable;
    } else if constexpr (!adapted_list_of<T>::is_data) {
        return reflect_fault::not_a_data_member;
    } else if constexpr (adapted_list_of<T>::members::has_constant) {
        return reflect_fault::not_assignable;
    } else if constexpr (adapted_list_of<T>::members::has_array) {
        return reflect_fault::c_array;
    } else {
        return reflect_fault::none;
    }
}

// ---- access ---------------------------------------------------------------------------------------------------------

template <adapted T> struct struct_access<T> {
    using list = adapted_list_of<T>;

    static constexpr reflect_fault fault() { return find_adapted_fault<T>(); }

    static constexpr std::size_t count() { return list::size; }

    template <class List = list> static auto types() -> typename List::members::types;

    template <std::size_t I, class Object> static constexpr auto& get_field(Object& object) noexcept {
        return object.*spelled<I>();
    }

    static constexpr void addresses(T& object, void const** out) noexcept { list::members::addresses(object, out); }

    static constexpr auto names() { return list::names(); }
    template <class List = list> static constexpr auto const& declared_names() { return List::members::declared_names; }

    template <auto Member, class Names> static constexpr std::size_t find(Names const&) {
        return list::members::template find<Member>();
    }

    template <std::size_t I> static constexpr auto spelled() { return list::template pointer<I>(); }
};

}  // namespace tablemap::detail
