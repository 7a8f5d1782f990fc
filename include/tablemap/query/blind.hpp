// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/mapping/property_cipher.hpp"
#include "tablemap/query/field.hpp"

#include <string>
#include <string_view>
#include <vector>

/// Look-ups of encrypted members by their blind indexes.
namespace tablemap::inline v0_1 {
namespace detail {
namespace filtering {

untyped_condition compare_blind(std::string_view property, result<property_value> const& v);

template <class T, auto First, auto... Rest> struct blind_operand : operand_base {
    using owner = T;
    template <class>
    using value = opened_type<path_value<typename path_start<T, First>::type, storage::plain, First, Rest...>>;
    static constexpr bool blind = true;

    static constexpr bool check() { return check_blind_path<T, First, Rest...>(); }
    static constexpr bool is_flag() { return false; }
    template <class Value> condition<T> operator=(Value const&) const { return refuse_assignment<T, Value>(); }

    static late_result<T, filter::expression> compare(comparison_operator, late_result<T, property_value> const& v) {
        return compare_blind(path_name<T, storage::plain, 0, First, Rest...>(), v);
    }
    static late_result<T, filter::expression> begins_with(std::string_view) { return fail(library_errc::unsupported); }
};

}  // namespace filtering

/// The condition for a store: in place of an encrypted value its hashes under each key. The cipher may be null.
///
/// \return the condition, or an error of the keys
result<filter::expression> resolve_blind(filter::expression const& e, property_cipher const* cipher);

/// The properties whose blind indexes must have found every row that a condition holds for, sorted.
std::vector<std::string> looked_up(filter::expression const& e);

}  // namespace detail

/// An encrypted member with a `blind_index()`, or one that is flattened into T; only `==` compiles:
/// `employees.query(partition("Sales")).where(blind<&employee::iban> == "AT61 …")`. Rows that were written under any
/// key that the provider lists (`key_provider::all`) are found; the condition uses the keys that it lists when `where`
/// is called. A row that is found by an index which is not its value's is a bad row:
/// `library_errc::altered_ciphertext`.
template <auto First, auto... Rest>
inline constexpr detail::filtering::blind_operand<detail::member_owner<First>, First, Rest...> blind{};

/// As `blind`, with T named: where a base class declares the member, or T is a variant of several structs.
template <class T, auto First, auto... Rest>
inline constexpr detail::filtering::blind_operand<T, First, Rest...> blind_of{};

}  // namespace tablemap
