// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/reflect/name.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>

/// Enums are stored by their enumerators' names or by their numbers, as declared once for each enum.
///
///     template <> inline constexpr auto tablemap::enumeration<level> =
///         tablemap::by_name<level::junior, level::senior>.named<level::junior>("Jr");
///     template <> inline constexpr auto tablemap::enumeration<state> = tablemap::by_number<state::off, state::on>;
///     template <> inline constexpr auto tablemap::enumeration<code> = tablemap::by_number<>;  // any number
namespace tablemap::inline v0_1 {
namespace detail {

struct not_declared {};

/// An enumerator: its number and the name that is stored for it.
struct enum_entry {
    std::int64_t value{};
    std::string_view name{};
};

/// The common base of `by_name` and `by_number` for all enums.
struct enum_list {};

// ---- rules ----------------------------------------------------------------------------------------------------------

/// The name of an enumerator; empty for a value that no enumerator has, which compilers spell as a cast: `(level)7`.
template <auto Value> constexpr std::string_view read_enumerator_name() {
    auto text = spelling_of<Value>();
    while (text.ends_with(']') || text.ends_with('}') || text.ends_with('>')) text.remove_suffix(1);
    auto const name = last_identifier(text);
    bool const last = text.ends_with(name);
    bool const number = name.empty() || (name[0] >= '0' && name[0] <= '9');
    return last && !number ? name : std::string_view{};
}

enum class name_probe_enum { the_probed_enumerator };

static_assert(read_enumerator_name<name_probe_enum::the_probed_enumerator>() == "the_probed_enumerator" &&
                  read_enumerator_name<name_probe_enum{7}>().empty(),
              "tablemap[M0]: this compiler spells enumerators in a form that names cannot be read from; use g++ 12, "
              "clang 14 or newer");

template <class E> constexpr bool is_beyond_int64(E value) {
    using number = std::underlying_type_t<E>;
    if constexpr (std::is_unsigned_v<number> && sizeof(number) == sizeof(std::int64_t))
        return static_cast<number>(value) > static_cast<number>(std::numeric_limits<std::int64_t>::max());
    else
        return false;
}

/// Puts the enumerator into the compiler's "required from" line.
template <auto Value> constexpr bool check_enumerator() {
    static_assert(std::is_enum_v<decltype(Value)>, "tablemap[M4]: by_name and by_number list the values of an enum");
    if constexpr (std::is_enum_v<decltype(Value)>) {
        static_assert(!read_enumerator_name<Value>().empty(),
                      "tablemap[M4]: this value has no enumerator, so it has no name; list enumerators, or declare "
                      "by_number<>, which takes any number");
        static_assert(!is_beyond_int64(Value),
                      "tablemap[M4]: this enumerator is greater than Edm.Int64 can hold; give it a smaller number");
    }
    return true;
}

template <auto First, auto...> struct type_of_first { using type = std::remove_const_t<decltype(First)>; };

template <auto... Values> constexpr bool are_of_one_type() {
    using first = typename type_of_first<Values...>::type;
    return (std::same_as<first, std::remove_const_t<decltype(Values)>> && ...);
}

template <class E> constexpr std::int64_t number_of(E value) {
    return static_cast<std::int64_t>(static_cast<std::underlying_type_t<E>>(value));
}

template <std::size_t N> constexpr bool values_differ(std::array<enum_entry, N> const& entries) {
    for (std::size_t i = 0; i < N; ++i)
        for (std::size_t k = i + 1; k < N; ++k)
            if (entries[i].value == entries[k].value) return false;
    return true;
}

template <std::size_t N> constexpr bool names_differ(std::array<enum_entry, N> const& entries) {
    for (std::size_t i = 0; i < N; ++i) {
        if (entries[i].name.empty()) return false;
        for (std::size_t k = i + 1; k < N; ++k)
            if (entries[i].name == entries[k].name) return false;
    }
    return true;
}

template <auto... Values> constexpr std::array<enum_entry, sizeof...(Values)> make_entries() {
    if constexpr ((check_enumerator<Values>() && ...)) {
        static_assert(are_of_one_type<Values...>(), "tablemap[M4]: the values of an enumeration must be of one enum");
        if constexpr (are_of_one_type<Values...>()) {
            constexpr std::array<enum_entry, sizeof...(Values)> entries{
                enum_entry{number_of(Values), read_enumerator_name<Values>()}...};
            static_assert(values_differ(entries),
                          "tablemap[M4]: two enumerators of this list have the same number, so one could not be told "
                          "from the other; list one of them");
            return entries;
        }
    }
}

// ---- the two forms --------------------------------------------------------------------------------------------------

template <auto... Values> struct name_list : enum_list {
    using value_type = typename type_of_first<Values...>::type;
    static constexpr bool by_name = true;
    static constexpr bool any_value = false;

    std::array<enum_entry, sizeof...(Values)> entries = make_entries<Values...>();

    /// The same list with another stored name for one of its enumerators. `name` is a literal: its characters are not
    /// copied.
    template <auto Value> constexpr name_list named(std::string_view name) const {
        static_assert(are_of_one_type<Value, Values...>() && ((number_of(Value) == number_of(Values)) || ...),
                      "tablemap[M4]: named<value> renames an enumerator of the list; add this one to the list");
        auto renamed = *this;
        for (auto& e : renamed.entries)
            if (e.value == number_of(Value)) e.name = name;
        return renamed;
    }
};

template <auto... Values> struct number_list : enum_list {
    using value_type = typename type_of_first<Values...>::type;
    static constexpr bool by_name = false;
    static constexpr bool any_value = false;

    std::array<enum_entry, sizeof...(Values)> entries = make_entries<Values...>();
};

template <> struct number_list<> : enum_list {
    using value_type = void;
    static constexpr bool by_name = false;
    static constexpr bool any_value = true;

    std::array<enum_entry, 0> entries{};
};

template <auto... Values> constexpr auto make_name_list() {
    static_assert(sizeof...(Values) > 0,
                  "tablemap[M4]: by_name needs the enumerators, by_name<level::junior, level::senior>, since C++ "
                  "cannot list them");
    if constexpr (sizeof...(Values) > 0) return name_list<Values...>{};
}

}  // namespace detail

/// The stored form of `E`: specialise it with `by_name<…>` or `by_number<…>`.
template <class E> inline constexpr auto enumeration = detail::not_declared{};

/// Stored as the enumerator's name in the source, or as `.named<value>("text")` says. Values not listed are refused,
/// when written and when read.
template <auto... Values> inline constexpr auto by_name = detail::make_name_list<Values...>();

/// Stored as a number. Values not listed are refused, when written and when read; an empty list takes any number.
template <auto... Values> inline constexpr auto by_number = detail::number_list<Values...>{};

namespace detail {

template <class E> using enumeration_type = std::remove_cvref_t<decltype(enumeration<E>)>;

/// An enum whose form is declared.
template <class E>
concept declared_enum = std::is_enum_v<E> && std::is_base_of_v<enum_list, enumeration_type<E>>;

template <class E> constexpr bool lists_values_of() {
    using listed = typename enumeration_type<E>::value_type;
    return std::is_void_v<listed> || std::same_as<listed, E>;
}

/// Refuses, with the rule and the remedy, an enum that cannot be stored. True for the others.
template <class E> constexpr bool check_enumeration() {
    static_assert(declared_enum<E>,
                  "tablemap[M4]: an enum must say how it is stored; declare template <> inline constexpr auto "
                  "tablemap::enumeration<E> = tablemap::by_name<E::a, E::b>, or by_number<...>, before it is mapped");
    if constexpr (declared_enum<E>) {
        using number = std::underlying_type_t<E>;
        static_assert(!std::same_as<number, bool>,
                      "tablemap[M4]: an enum of underlying type bool has no numbers to store; use another underlying "
                      "type");
        static_assert(lists_values_of<E>(), "tablemap[M4]: the enumeration of an enum lists values of another enum");
        static_assert(!enumeration_type<E>::any_value || sizeof(number) < sizeof(std::int64_t) ||
                          std::is_signed_v<number>,
                      "tablemap[M4]: by_number<> takes any number, but Edm.Int64 does not hold all of 64 unsigned "
                      "bits; list the values, or use another underlying type");
        static_assert(
            !enumeration_type<E>::any_value || requires { E{number{}}; },
            "tablemap[M4]: by_number<> takes any number, but this enum holds only those between its "
            "enumerators; give it an underlying type: enum E : int");
        static_assert(names_differ(enumeration<E>.entries),
                      "tablemap[M4]: two enumerators have the same stored name, or one has an empty name; each must "
                      "have its own");
        return true;
    }
    return false;
}

/// The place of a value among `count` entries; `count` if it is not there.
constexpr std::size_t find_enum_value(enum_entry const* entries, std::size_t count, std::int64_t value) noexcept {
    std::size_t i = 0;
    while (i < count && entries[i].value != value) ++i;
    return i;
}

/// The place of a name among `count` entries; `count` if it is not there.
constexpr std::size_t find_enum_name(enum_entry const* entries, std::size_t count, std::string_view name) noexcept {
    std::size_t i = 0;
    while (i < count && entries[i].name != name) ++i;
    return i;
}

/// True if the enum is stored by its names.
template <declared_enum E> inline constexpr bool is_stored_by_name = enumeration_type<E>::by_name;

/// True if every number of the underlying type is a value.
template <declared_enum E> inline constexpr bool takes_any_value = enumeration_type<E>::any_value;

/// The listed enumerators: a std::array in static storage, of numbers and stored names, in the order of the list.
template <declared_enum E> inline constexpr auto const& enum_entries = enumeration<E>.entries;

/// The enumerator of a number, if it is a known value.
template <declared_enum E> constexpr std::optional<E> enum_of_number(std::int64_t number) noexcept {
    using underlying = std::underlying_type_t<E>;
    auto const value = static_cast<underlying>(number);
    auto const& entries = enum_entries<E>;
    bool const known = takes_any_value<E> ? static_cast<std::int64_t>(value) == number
                                          : find_enum_value(entries.data(), entries.size(), number) < entries.size();
    return known ? std::optional<E>{static_cast<E>(value)} : std::nullopt;
}

}  // namespace detail

/// True if the value is one that the enum's declaration lists, or if it takes any number.
template <detail::declared_enum E> constexpr bool is_known_value(E value) noexcept {
    static_assert(detail::check_enumeration<E>());
    auto const& entries = detail::enum_entries<E>;
    return detail::takes_any_value<E> ||
           detail::find_enum_value(entries.data(), entries.size(), detail::number_of(value)) < entries.size();
}

/// The name of a listed value; empty for others. The view refers to static storage.
template <detail::declared_enum E> constexpr std::string_view enum_name(E value) noexcept {
    static_assert(detail::check_enumeration<E>());
    auto const& entries = detail::enum_entries<E>;
    auto const at = detail::find_enum_value(entries.data(), entries.size(), detail::number_of(value));
    return at < entries.size() ? entries[at].name : std::string_view{};
}

/// The listed value of this name, or nothing. Letter case matters.
template <detail::declared_enum E> constexpr std::optional<E> enum_of_name(std::string_view name) noexcept {
    static_assert(detail::check_enumeration<E>());
    auto const& entries = detail::enum_entries<E>;
    auto const at = detail::find_enum_name(entries.data(), entries.size(), name);
    if (at == entries.size()) return std::nullopt;
    return static_cast<E>(entries[at].value);
}

}  // namespace tablemap
