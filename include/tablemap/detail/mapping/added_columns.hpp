// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/slots.hpp"
#include "tablemap/detail/mapping/value_codec.hpp"
#include "tablemap/mapping/mapping.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

/// Columns that the mapping adds: their values come from the object itself, slot 0.
namespace tablemap::inline v0_1::detail {

template <class T, std::size_t I> bool write_computed(std::string& out, void const* from, value_fault& fault) {
    auto const v = std::get<I>(mapping<T>::members.rules).function(*static_cast<T const*>(from));
    return value_ops_of<std::remove_const_t<decltype(v)>>.write(out, &v, fault);
}

template <class T, std::size_t I, class Rule>
inline constexpr value_ops computed_ops_of{
    value_ops_of<std::remove_cvref_t<std::invoke_result_t<decltype(Rule::function) const&, T const&>>>.type,
    &write_computed<T, I>, nullptr, [](void const* from) {
        auto const v = std::get<I>(mapping<T>::members.rules).function(*static_cast<T const*>(from));
        constexpr auto const& ops = value_ops_of<std::remove_const_t<decltype(v)>>;
        return ops.is_empty && ops.is_empty(&v);
    }};

template <class T>
concept has_discriminator = requires {
    mapping<T>::discriminator;
};
template <class T>
concept has_versions = requires {
    mapping<T>::versions;
};

template <class T> constexpr discriminator_t discriminator_of() {
    if constexpr (has_discriminator<T>)
        return mapping<T>::discriminator;
    else
        return {};
}

template <class T> constexpr int version_of() {
    if constexpr (has_versions<T>)
        return mapping<T>::versions.current;
    else
        return 1;
}

/// Appends a discriminator's text, `employee` or `employee_v2`, quoted.
void append_type_tag(std::string& out, std::string_view type, int version);

template <class T>
inline constexpr value_ops type_tag_ops_of{edm_type::string,
                                           [](std::string& out, void const*, value_fault&) {
                                               append_type_tag(out, discriminator_of<T>().type, version_of<T>());
                                               return true;
                                           },
                                           nullptr, nullptr};

template <class Rules> inline constexpr bool holds_computed_rule = false;
template <class... Rules>
inline constexpr bool holds_computed_rule<member_rules<Rules...>> = (is_computed_rule<Rules> || ...);

template <class T> constexpr bool find_computed_columns() {
    if constexpr (has_member_rules<T>)
        return holds_computed_rule<std::remove_cvref_t<decltype(mapping<T>::members)>>;
    else
        return false;
}
template <class T> inline constexpr bool has_computed_columns = find_computed_columns<T>();

}  // namespace tablemap::detail
