// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/base/right_use.hpp"
#include "tablemap/detail/query/element.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

/// The operands of filters: members, elements of arrays, entries of maps, computed properties, the timestamp, columns
/// by name.
///
///     employees.query(partition("Sales")).where(field<&employee::age> >= 30 && !field<&employee::on_leave>)
///
/// A value is compared in the form in which the mapping stores it, and must convert to the member's type without loss.
/// A value that cannot be stored makes a condition with a fault. Comparisons that the service answers wrongly or not at
/// all do not compile.
namespace tablemap::inline v0_1 {
namespace detail::filtering {

template <storage Form, auto... Path> struct member_base : operand_base {};
template <auto... Path> struct member_base<storage::numbered, Path...> : element_base { using path = listed<Path...>; };

/// The property at the end of a path of members, or the element of this number.
template <class T, storage Form, std::size_t Element, auto First, auto... Rest>
struct member_operand : member_base<Form, First, Rest...> {
    using owner = T;
    template <class> using value = path_value<typename path_start<T, First>::type, Form, First, Rest...>;

    static constexpr bool check() { return check_path<T, Form, Element, First, Rest...>(); }
    static constexpr bool is_flag() { return std::is_same_v<value<bool>, bool>; }
    template <class Value> condition<T> operator=(Value const&) const { return refuse_assignment<T, Value>(); }
    static constexpr std::string_view name() { return path_name<T, Form, Element, First, Rest...>(); }

    static late_result<T, filter::expression> compare(comparison_operator op, late_result<T, property_value> const& v) {
        return compare_property(name(), op, v);
    }
    static late_result<T, filter::expression> begins_with(std::string_view prefix) {
        return property_begins_with(name(), prefix);
    }
};

/// An entry of a map. Its name is found at run time.
untyped_condition compare_entry(std::string_view map, std::string_view key, comparison_operator op,
                                result<property_value> const& v);
untyped_condition entry_begins_with(std::string_view map, std::string_view key, std::string_view prefix);

template <class T, auto First, auto... Rest> struct entry_operand : operand_base {
    using owner = T;
    template <class> using value = path_value<typename path_start<T, First>::type, storage::prefixed, First, Rest...>;

    explicit entry_operand(std::string_view k) : key(k) {}

    static constexpr bool check() { return check_path<T, storage::prefixed, 0, First, Rest...>(); }
    static constexpr bool is_flag() { return std::is_same_v<value<bool>, bool>; }
    template <class Value> condition<T> operator=(Value const&) const { return refuse_assignment<T, Value>(); }
    static constexpr std::string_view map() { return path_name<T, storage::prefixed, 0, First, Rest...>(); }

    late_result<T, filter::expression> compare(comparison_operator op, late_result<T, property_value> const& v) const {
        return compare_entry(map(), key, op, v);
    }
    late_result<T, filter::expression> begins_with(std::string_view prefix) const {
        return entry_begins_with(map(), key, prefix);
    }

    std::string key;
};

// ---- computed properties --------------------------------------------------------------------------------------------

template <class... Rules>
constexpr std::size_t find_computed(member_rules<Rules...> const& list, std::string_view name) {
    std::size_t at = 0;
    auto const is_it = [&](auto const& rule) {
        if constexpr (is_computed_rule<std::remove_cvref_t<decltype(rule)>>)
            return rule.name == name;
        else
            return false;
    };
    std::apply([&](auto const&... rule) { static_cast<void>(((is_it(rule) ? true : (++at, false)) || ...)); },
               list.rules);
    return at;
}

template <class T, fixed_string Name> constexpr auto find_computed_type() {
    if constexpr (has_member_rules<T>) {
        constexpr auto at = find_computed(mapping<T>::members, Name.view());
        if constexpr (at < std::tuple_size_v<decltype(mapping<T>::members.rules)>) {
            using function = decltype(std::get<at>(mapping<T>::members.rules).function);
            return std::type_identity<
                property_type<std::remove_cvref_t<std::invoke_result_t<function const&, T const&>>>>{};
        } else {
            return std::type_identity<void>{};
        }
    } else {
        return std::type_identity<void>{};
    }
}

template <class T, fixed_string Name> struct computed_operand : operand_base {
    using owner = T;
    template <class> using value = typename decltype(find_computed_type<T, Name>())::type;

    static constexpr bool check() {
        constexpr bool found = !std::is_void_v<value<bool>>;
        static_assert(found,
                      "tablemap[Q2]: the mapping of this struct has no computed(...) property of this name; name "
                      "its members by field<&T::m>");
        return found;
    }
    static constexpr bool is_flag() { return std::is_same_v<value<bool>, bool>; }
    template <class Value> condition<T> operator=(Value const&) const { return refuse_assignment<T, Value>(); }

    static late_result<T, filter::expression> compare(comparison_operator op, late_result<T, property_value> const& v) {
        return compare_property(Name.view(), op, v);
    }
    static late_result<T, filter::expression> begins_with(std::string_view prefix) {
        return property_begins_with(Name.view(), prefix);
    }
};

// ---- other properties ----------------------------------------------------------------------------------------------

template <class T> struct timestamp_operand : operand_base {
    using owner = T;
    template <class> using value = ticks;

    static constexpr bool check() { return true; }
    static constexpr bool is_flag() { return false; }
    template <class Value> condition<T> operator=(Value const&) const { return refuse_assignment<T, Value>(); }

    static late_result<T, filter::expression> compare(comparison_operator op, late_result<T, property_value> const& v) {
        return compare_property(timestamp_name, op, v);
    }
};

template <class A> constexpr auto find_edm_type() {
    if constexpr (edm_value<A>)
        return std::type_identity<A>{};
    else if constexpr (is_text<A>)
        return std::type_identity<std::string>{};
    else if constexpr (is_storable_time<A>())
        return std::type_identity<ticks>{};
    else
        return std::type_identity<void>{};
}

struct column_operand : operand_base {
    using owner = dynamic_entity;
    template <class A> using value = typename decltype(find_edm_type<A>())::type;

    explicit column_operand(std::string_view n) : name(n) {}

    static constexpr bool check() { return true; }
    static constexpr bool is_flag() { return false; }
    // The type is a parameter, or every program would compile it.
    template <class Value, class Entity = dynamic_entity> condition<Entity> operator=(Value const&) const {
        return refuse_assignment<Entity, Value>();
    }
    template <class A> static constexpr bool refuse_value() {
        static_assert(is_right_use<A>,
                      "tablemap[Q2]: the type of this value is that of no property; compare with exactly the "
                      "type that is stored: text, bool, std::int32_t, std::int64_t, double, tablemap::ticks, "
                      "tablemap::guid");
        return false;
    }

    untyped_condition compare(comparison_operator op, result<property_value> const& v) const;
    untyped_condition begins_with(std::string_view prefix) const;

    std::string name;
};

// ---- paths that end in a number -------------------------------------------------------------------------------------

template <class T, class Front, auto... Rest> struct find_element;
template <class T, auto... Front> struct find_element<T, member_list<Front...>> {
    using type = element_maker<T, Front...>;
};
template <class T, auto... Front, auto Last>
requires index<decltype(Last)>
struct find_element<T, member_list<Front...>, Last> {
    using type = member_operand<T, storage::numbered, to_index(Last), Front...>;
};
template <class T, auto... Front, auto Next, auto... Rest>
struct find_element<T, member_list<Front...>, Next, Rest...> : find_element<T, member_list<Front..., Next>, Rest...> {};

}  // namespace detail::filtering

namespace detail {

template <class T, std::size_t Element, auto... Path>
struct chooser<filtering::member_operand<T, storage::numbered, Element, Path...>>
    : element_chooser<filtering::listed<Path...>> {
    using base = element_chooser<filtering::listed<Path...>>;

    template <class U> static constexpr bool check() { return base::template check<U, Element>(); }
    template <class U, class Operand> static result<void> choose(Operand const&, chosen_columns& to) {
        return choose_element(row_type_of<U>, base::template list<U>(), Element, to);
    }
};

}  // namespace detail

/// A member, or one that is flattened into T: `field<&employee::age> >= 30`,
/// `field<&employee::home, &address::city> == "Graz"`. A bool member is a condition by itself;
/// `!field<&employee::active>` means that it is stored as false.
template <auto First, auto... Rest>
inline constexpr detail::filtering::member_operand<detail::member_owner<First>, detail::storage::plain, 0, First,
                                                   Rest...>
    field{};

/// As `field`, with T named: where a base class declares the member, or T is a variant of several structs.
template <class T, auto First, auto... Rest>
inline constexpr detail::filtering::member_operand<T, detail::storage::plain, 0, First, Rest...> field_of{};

/// An element of a series or a `numbered()` array: `element<&employee::hours, 3> > 8`, with its number last, or for a
/// number that is known at run time `element<&employee::hours>(day) > 8`. A number beyond the last element makes a
/// condition with the fault `library_errc::invalid_property_name`.
///
/// In place of `only<…>` it limits a merge to that one property: `merge_any(e, element<&day_stats::messages>(hour))`.
/// The merge fails with the same error, and with `library_errc::merge_cannot_remove` if the element is absent.
template <auto First, auto... Rest>
inline constexpr
    typename detail::filtering::find_element<detail::member_owner<First>, detail::member_list<First>, Rest...>::type
        element{};

/// The elements [first, last) of a series or a `numbered()` array, for a merge,
/// `merge(e, elements<&day_stats::messages>(8, 18))`, or for `select`. A merge leaves absent elements of a series as
/// they are in the store. A range that is empty or reaches beyond the last element makes the call fail with
/// `library_errc::invalid_property_name`.
template <auto First, auto... Rest> constexpr auto elements(std::size_t first, std::size_t last) {
    return detail::filtering::element_range<detail::member_owner<First>, First, Rest...>{first, last};
}

/// An entry of a `prefixed()` map: `entry<&employee::tags>("team") == "red"`. A key that makes no property name makes a
/// condition with the fault `library_errc::invalid_property_name`.
template <auto First, auto... Rest> auto entry(std::string_view key) {
    return detail::filtering::entry_operand<detail::member_owner<First>, First, Rest...>{key};
}

/// A property that the mapping computes: `computed_field<employee, "FullName"> == "Don Hall"`.
template <class T, detail::fixed_string Name>
inline constexpr detail::filtering::computed_operand<T, Name> computed_field{};

/// The time of a row's last change in the store: `timestamp<employee> >= ticks::now() - std::chrono::hours{1}`.
template <class T> inline constexpr detail::filtering::timestamp_operand<T> timestamp{};

/// A property by its name, for `table<dynamic_entity>`: `column("Age") >= 30`. It is compared as exactly the type of
/// the value, here Edm.Int32; rows that hold another type there do not match. PartitionKey and RowKey are properties
/// here too, but comparing them does not narrow the rows that are read.
inline detail::filtering::column_operand column(std::string_view name) {
    return detail::filtering::column_operand{name};
}

}  // namespace tablemap
