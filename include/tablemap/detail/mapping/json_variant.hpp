// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/json_check.hpp"
#include "tablemap/detail/mapping/json_io.hpp"

#include <cstddef>
#include <utility>
#include <variant>

/// Variants as the JSON of the alternative that they hold. The kind of a value tells which one it is.
namespace tablemap::inline v0_1::detail {

template <class V> bool write_json_value(json_output& out, void const* from);
template <class V> bool read_json_value(json_input& in, json_value const& from, void* to);

template <class... Types> bool write_json_variant(json_output& out, std::variant<Types...> const& v) {
    if (v.valueless_by_exception()) return fail_valueless(out);
    return std::visit([&]<class V>(V const& held) { return write_json_value<V>(out, &held); }, v);
}

/// Reads alternative `I` if the value is of its kind. False if it is not.
template <std::size_t I, class Variant>
bool read_if_alternative(json_input& in, json_value const& from, Variant& to, bool& read) {
    using type = std::variant_alternative_t<I, Variant>;
    if (!json_kinds_of<type>.holds(from.kind)) return false;
    read = read_json_value<type>(in, from, &to.template emplace<I>());
    return true;
}

template <class... Types> bool read_json_variant(json_input& in, json_value const& from, std::variant<Types...>& to) {
    bool read = false;
    bool const found = [&]<std::size_t... I>(std::index_sequence<I...>) {
        return (read_if_alternative<I>(in, from, to, read) || ...);
    }
    (std::index_sequence_for<Types...>{});
    return found ? read : fail_kind(in, from, json_kinds_of<std::variant<Types...>>);
}

}  // namespace tablemap::detail
