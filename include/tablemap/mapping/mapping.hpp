// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/keys/key.hpp"
#include "tablemap/mapping/discriminator.hpp"
#include "tablemap/mapping/members.hpp"

namespace tablemap {

/// How a struct is stored. Specialise it, at namespace scope of `tablemap`, with two constants:
///
///     template <> struct tablemap::mapping<employee> {
///         static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
///         static constexpr auto row_key = tablemap::key("empid_", tablemap::part<&employee::id>.width(6));
///     };
///
/// Members in a key are stored in the key alone and read back from it. Every other member is a property of its own name.
/// A member whose property is absent in the store keeps its default initialiser; `std::optional` tells the two apart.
///
/// It may have more constants: `members` (see `members.hpp`), `discriminator` and `versions` (see `discriminator.hpp`), and
/// `unknown_columns`. The mapping of a struct that is only nested in others has no keys.
template <class T> struct mapping;

/// A struct with a mapping.
template <class T>
concept mapped = requires {
    mapping<T>::partition_key;
    mapping<T>::row_key;
};

/// Chosen members for a merge: `only<&employee::age, &employee::email>`.
template <auto... Members> struct only_t {};
template <auto... Members> inline constexpr only_t<Members...> only{};

}  // namespace tablemap
