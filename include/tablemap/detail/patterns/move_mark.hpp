// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/guid.hpp"
#include "tablemap/detail/mapping/entity_type.hpp"
#include "tablemap/mapping/mapping.hpp"

#include <optional>
#include <type_traits>
#include <variant>

/// The member of a type that holds the id of a move that is not done.
namespace tablemap::inline v0_1::detail {

template <class T> constexpr bool has_move_mark() {
    if constexpr (requires { mapping<T>::move_mark; })
        return std::is_same_v<std::remove_cvref_t<decltype(mapping<T>::move_mark)>, std::optional<guid> T::*>;
    else
        return false;
}

/// The mark of a value, of whichever kind it is; nothing if its type has none.
template <class T> std::optional<guid> mark_of(T const& value) {
    if constexpr (is_variant<T>)
        return std::visit([](auto const& kind) { return mark_of(kind); }, value);
    else if constexpr (has_move_mark<T>())
        return value.*mapping<T>::move_mark;
    else
        return std::nullopt;
}

}  // namespace tablemap::detail
