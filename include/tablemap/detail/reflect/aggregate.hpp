// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tablemap/detail/reflect/name.hpp>
#include <tablemap/detail/reflect/type_list.hpp>

#include <boost/pfr/core.hpp>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tablemap::inline v0_1::detail {

/// A reason why a type cannot be read as a list of its members.
enum class reflect_fault {
    none,
    union_type,
    not_an_aggregate,
    base_class,
    not_empty_constructible,
    not_default_constructible,
    not_a_data_member,
    not_assignable,
    c_array,
    too_many_members,
    bit_field,
};

// ---- probes stand for members in initialisations that are tried but never run ---------------------------------------

struct convertible_to_nothing {};

template <class Base, class T>
concept proper_base_of = std::is_base_of_v<Base, T> && !std::is_same_v<Base, T>;

template <class T> struct convertible_to_bases_of { template <proper_base_of<T> Base> operator Base() const; };

// A value, not a reference: it becomes the member without a copy, so no body of a copy constructor is compiled. It has
// a body, because clang looks for one where a type without linkage is the value of an optional.
struct convertible_to_anything {
    template <class Member> operator Member() const { std::abort(); }
};

// One initialiser for each number of a pack.
template <std::size_t> using any_initialiser = convertible_to_anything;

// ---- rules ----------------------------------------------------------------------------------------------------------

template <class T> constexpr bool has_base_class() {
    // A first member that takes any argument, such as std::any, takes either probe.
    if constexpr (requires { T{convertible_to_bases_of<T>{}}; }) {
        return !requires { T{convertible_to_nothing{}}; };
    } else {
        return false;
    }
}

template <class T, std::size_t... I> constexpr bool takes_initialisers(std::index_sequence<I...>) {
    return requires { T{any_initialiser<I>{}...}; };
}

template <std::size_t Count> using initialiser_places = std::make_index_sequence<Count>;

// Boost.PFR counts as well, but g++ 12 crashes there on an array of strings, before that can be refused.
template <class T, std::size_t Valid = 0, std::size_t Invalid = 0> constexpr std::size_t count_initialisers() {
    if constexpr (Invalid == Valid + 1) {
        return Valid;
    } else {
        constexpr auto trial = Invalid != 0 ? (Valid + Invalid) / 2 : Valid == 0 ? 4 : Valid * 2;
        if constexpr (takes_initialisers<T>(initialiser_places<trial>{})) {
            return count_initialisers<T, trial, Invalid>();
        } else {
            return count_initialisers<T, Valid, trial>();
        }
    }
}

// A C array takes as many initialisers as it has elements, but only one when that is {}. So it is found where {} in the
// place of one initialiser leaves too many after it. Only {} works: other braces can enter constructors whose bodies do
// not compile for a probe.

template <class T, std::size_t... Before, std::size_t... After>
constexpr bool has_c_array_at(std::index_sequence<Before...>, std::index_sequence<After...>) {
    if constexpr (requires { T{any_initialiser<Before>{}..., {}, any_initialiser<After>{}...}; }) {
        return false;
    } else {
        // A member without a default constructor refuses {} as well, but even when nothing follows.
        return requires { T{any_initialiser<Before>{}..., {}}; };
    }
}

template <class T, std::size_t... Before, std::size_t... After>
constexpr bool takes_four_braces_at(std::index_sequence<Before...>, std::index_sequence<After...>) {
    return requires { T{any_initialiser<Before>{}..., {}, {}, {}, {}, any_initialiser<After>{}...}; };
}

// Four at once, for the sake of compile time: a struct without arrays takes a quarter of the trials. The last four
// begin before `At` if fewer are left.
template <class T, std::size_t Count, std::size_t At> constexpr bool has_four_members_at() {
    if constexpr (Count >= 4) {
        constexpr auto begin = At + 4 <= Count ? At : Count - 4;
        return takes_four_braces_at<T>(initialiser_places<begin>{}, initialiser_places<Count - begin - 4>{});
    } else {
        return false;
    }
}

template <class T, std::size_t Count, std::size_t At = 0> constexpr bool has_c_array() {
    if constexpr (At >= Count) {
        return false;
    } else if constexpr (has_four_members_at<T, Count, At>()) {
        return has_c_array<T, Count, At + 4>();
    } else if constexpr (has_c_array_at<T>(initialiser_places<At>{}, initialiser_places<Count - At - 1>{})) {
        return true;
    } else {
        return has_c_array<T, Count, At + 1>();
    }
}

/// True if `Count` members are more than Boost.PFR has an overload for: the one for all other numbers returns void.
template <std::size_t Count> constexpr bool has_too_many_members() {
    if constexpr (Count <= 100) {
        return false;
    } else {
        using stand_in = int[Count];
        using count = boost::pfr::detail::size_t_<Count>;
        return requires {
            requires std::is_void_v<decltype(boost::pfr::detail::tie_as_tuple(std::declval<stand_in&>(), count{}))>;
        };
    }
}

// ---- access ---------------------------------------------------------------------------------------------------------

// PFR's own access to an object whose number of members is known; with packs in structured bindings it needs none. It
// is looked for with one type only, since the compiler looks at the overloads for all numbers.
template <class Object>
concept tied_by_number = requires(Object& object) {
    boost::pfr::detail::tie_as_tuple(object, std::integral_constant<std::size_t, 1>{});
};

// The name is part of the diagnosis: an anonymous union cannot be detected without a hard error, and the compiler's
// "required from" line then names this function.
template <std::size_t Count, class T> constexpr auto mapped_members_must_not_be_anonymous_unions(T& object) noexcept {
    // The number is known here, and PFR need not count again.
    if constexpr (tied_by_number<int>) {
        return boost::pfr::detail::tie_as_tuple(object, std::integral_constant<std::size_t, Count>{});
    } else {
        return boost::pfr::detail::tie_as_tuple(object);
    }
}

template <class... Types>
type_list<std::remove_const_t<Types>...> types_in(boost::pfr::detail::sequence_tuple::tuple<Types&...> const&);

// Structs whose members have the same types share it.
template <class Tied, std::size_t... I>
constexpr void list_addresses(Tied const& tied, void const** out, std::index_sequence<I...>) noexcept {
    ((out[I] = std::addressof(boost::pfr::detail::sequence_tuple::get<I>(tied))), ...);
}

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

// A const reference to a bit-field is one to a copy, and a copy of what is never defined is no constant.
template <class T, std::size_t Count> constexpr bool binds_to_addresses() {
    auto const& object = never_defined_object<T>.value;
    static_cast<void>(mapped_members_must_not_be_anonymous_unions<Count>(object));
    return true;
}

template <class T, std::size_t Count>
concept has_addresses = requires {
    typename std::bool_constant<binds_to_addresses<T, Count>()>;
};

// std::is_move_assignable compiles some twenty classes for each T.
template <class T>
concept move_assignable = requires(T& to) {
    to = std::declval<T>();
};

/// The first rule that `T` breaks. Later rules are not evaluated then: they would fail with the compiler's own words.
template <class T> constexpr reflect_fault find_aggregate_fault() {
    if constexpr (std::is_union_v<T>) {
        return reflect_fault::union_type;
    } else if constexpr (!std::is_class_v<T> || !std::is_aggregate_v<T>) {
        return reflect_fault::not_an_aggregate;
    } else if constexpr (has_base_class<T>()) {
        return reflect_fault::base_class;
    } else if constexpr (!requires { T{}; }) {
        return reflect_fault::not_empty_constructible;
    } else if constexpr (!move_assignable<T>) {
        return reflect_fault::not_assignable;
    } else {
        constexpr auto count = count_initialisers<T>();
        if constexpr (has_c_array<T, count>()) {
            return reflect_fault::c_array;
        } else if constexpr (has_too_many_members<count>()) {
            return reflect_fault::too_many_members;
        } else if constexpr (!has_addresses<T, count>) {
            return reflect_fault::bit_field;
        } else {
            return reflect_fault::none;
        }
    }
}

/// Finds and reaches the members of `T`: by Boost.PFR here, by Boost.Hana for adapted classes (adapted.hpp).
template <class T> struct struct_access {
    static constexpr reflect_fault fault() { return find_aggregate_fault<T>(); }

    static constexpr std::size_t count() { return count_initialisers<T>(); }

    template <class Object> static constexpr auto tie(Object& object) noexcept {
        return mapped_members_must_not_be_anonymous_unions<count()>(object);
    }

    // Of a const object, here and for the addresses: the rule about bit-fields has compiled that already.
    template <class Object = T const> static auto types() -> decltype(types_in(tie(std::declval<Object&>())));

    template <std::size_t I, class Object> static constexpr auto& get_field(Object& object) noexcept {
        auto const tied = tie(object);
        return boost::pfr::detail::sequence_tuple::get<I>(tied);
    }

    static constexpr void addresses(T const& object, void const** out) noexcept {
        // As `tie`, without a function between: each costs every struct time to compile.
        list_addresses(mapped_members_must_not_be_anonymous_unions<count()>(object), out,
                       std::make_index_sequence<count()>{});
    }

    static constexpr auto names() {
        constexpr auto size = count();
        std::array<std::string_view, size> found{};
        if constexpr (size != 0) {
            constexpr auto where = [] {
                std::array<void const*, size> result{};
                addresses(never_defined_object<T>.value, result.data());
                return result;
            }();
            [&]<std::size_t... I>(std::index_sequence<I...>) {
#if defined(__clang__)
                read_names(spelling_of<member_address{where[I]}...>(), found.data(), size);
#else
                // An object of a class for each address would take g++ longer.
                read_names(spelling_of<where[I]...>(), found.data(), size);
#endif
            }
            (std::make_index_sequence<size>{});
        }
        return found;
    }

    /// The number of the member that `Member` points to; count() if it is no member of this struct.
    template <auto Member, class Names> static constexpr std::size_t find(Names const& names) {
        if constexpr (std::is_same_v<member_owner<Member>, T>) {
            std::size_t at = 0;
            while (at < names.size() && names[at] != member_name<Member>) ++at;
            return at;
        } else {
            return names.size();
        }
    }

    /// A template argument in which the compiler spells the name of member number `I`.
    template <std::size_t I> static constexpr auto spelled() {
        return member_address{std::addressof(get_field<I>(never_defined_object<T>.value))};
    }
};

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

}  // namespace tablemap::detail
