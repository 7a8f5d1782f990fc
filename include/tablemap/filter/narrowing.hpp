// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/key_bounds.hpp"
#include "tablemap/filter/expression.hpp"

#include <string_view>

namespace tablemap::inline v0_1::filter {

/// Bounds of a key outside which no entity matches, so that a store need not look there. They are the closest bounds of
/// one range: `a or b` gives the range that holds both. Where no entity can match, the lower bound may be above the
/// upper one.
///
/// \pre `key` is `PartitionKey` or `RowKey`
/// \par Lifetime
/// The bounds borrow the expression's text.
key_bounds narrowing(expression const& e, std::string_view key);

}  // namespace tablemap::filter
