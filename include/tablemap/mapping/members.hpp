// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/reflect/name.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>

/// Rules for single members that are not stored in the default form, one property of the member's own name.
namespace tablemap::inline v0_1 {
namespace detail {

/// The columns of a member.
enum class storage : std::uint8_t {
    plain,      ///< one property
    ignored,    ///< none
    flattened,  ///< one for each member of a nested struct: `home_city`
    numbered,   ///< one for each element of a std::array: `hours_0`
    series,     ///< one for each element of a series that is there: `hours_00`
    prefixed,   ///< one for each entry of a map: `tags_<key>`
    json,       ///< one Edm.String
};

struct member_options {
    std::string_view name{};
    storage how = storage::plain;
    bool required = false;
    bool blind_index = false;
};

}  // namespace detail

/// The rule of one member. Made by `member<&T::m>`; every function returns a copy of the rule with one addition.
template <auto Member> class member_rule {
public:
    static constexpr auto pointer = Member;

    /// Stores the member under another name; in forms with several columns, the name stands before the separator.
    template <std::size_t N> constexpr member_rule named(char const (&name)[N]) const {
        auto r = *this;
        r.options_.name = {name, N - 1};
        return r;
    }

    /// Neither stores nor reads the member.
    constexpr member_rule ignored() const { return stored_as(detail::storage::ignored); }

    /// A row without the property is refused when it is read (`library_errc::missing_property`); without this rule the
    /// member keeps its default initialiser.
    constexpr member_rule required() const {
        auto r = *this;
        r.options_.required = true;
        return r;
    }

    /// A nested struct, or an optional one, as one property for each of its members, `home_city`. An optional struct is
    /// empty if none of its properties is there.
    constexpr member_rule flattened() const { return stored_as(detail::storage::flattened); }

    /// A `std::array` as one property for each element, `hours_0`, `hours_1`; elements without a property keep their
    /// value.
    constexpr member_rule numbered() const { return stored_as(detail::storage::numbered); }

    /// A map from std::string as one property for each entry, `tags_<key>`. Keys hold letters, digits and underscores,
    /// checked when an entity is written (`library_errc::invalid_property_name`).
    constexpr member_rule prefixed() const { return stored_as(detail::storage::prefixed); }

    /// Any type that JSON can hold, as one Edm.String of at most 32,768 UTF-16 code units.
    constexpr member_rule as_json() const { return stored_as(detail::storage::json); }

    /// Stores a keyed hash of an encrypted member's value beside it, `iban_index`, for look-ups:
    /// `where(blind<&T::iban> == "…")`. Readers of the store see which rows have equal values, but not the values.
    constexpr member_rule blind_index() const {
        auto r = *this;
        r.options_.blind_index = true;
        return r;
    }

    constexpr detail::member_options const& options() const noexcept { return options_; }

private:
    constexpr member_rule stored_as(detail::storage how) const {
        auto r = *this;
        r.options_.how = how;
        return r;
    }

    detail::member_options options_{};
};

/// The rule of a member, to be refined: `member<&employee::first_name>.named("FirstName")`.
template <auto Member> inline constexpr member_rule<Member> member{};

/// A property that is computed from the entity on every write, and never read back. Made by `computed(name, f)`.
template <class Function> struct computed_rule {
    std::string_view name;
    Function function;
};

/// Adds a property for other readers and for filters:
/// `computed("FullName", [](employee const& e) { return e.first + e.last; })`. The function takes the entity and
/// returns a value of a type that a member could have; it has no captures.
template <std::size_t N, class Function> constexpr auto computed(char const (&name)[N], Function function) {
    static_assert(
        std::is_empty_v<Function> || !std::is_class_v<Function>,
        "tablemap[M7]: the function of a computed property holds no state, since it is part of the mapping of "
        "all entities; leave out the capture, and compute from the entity");
    return computed_rule<Function>{{name, N - 1}, function};
}

/// The rules of a mapping's members. Made by `members(…)`.
template <class... Rules> struct member_rules { std::tuple<Rules...> rules; };

namespace detail {

template <class R> inline constexpr bool is_member_rule = false;
template <auto Member> inline constexpr bool is_member_rule<member_rule<Member>> = true;
template <class R> inline constexpr bool is_computed_rule = false;
template <class F> inline constexpr bool is_computed_rule<computed_rule<F>> = true;

}  // namespace detail

/// Lists the rules of members; the others have the default, one property of their own name.
template <class... Rules> constexpr auto members(Rules const&... rules) {
    constexpr bool good = ((detail::is_member_rule<Rules> || detail::is_computed_rule<Rules>)&&...);
    static_assert(good, "tablemap[M7]: members(...) takes member<&T::m> and computed(\"Name\", function)");
    if constexpr (good)
        return member_rules<Rules...>{std::tuple{rules...}};
    else
        return member_rules<>{};  // one message is enough
}

/// The treatment of columns that a row has and the struct does not. A member of type `extras` keeps them, whatever this
/// says.
enum class unknown_columns : std::uint8_t {
    ignored,  ///< skipped; a replace removes them
    refused,  ///< the row is not read (`library_errc::unknown_property`)
};

}  // namespace tablemap
