// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/key_bounds.hpp"
#include "tablemap/filter/expression.hpp"

#include <string_view>

namespace tablemap::filter {

/// Bounds of a key outside which no entity matches, so that a store need not look there. They are the closest that one range
/// can be: `a or b` gives the range that holds both. Where no entity can match they may be upside down.
/// `key` is `PartitionKey` or `RowKey`. The bounds borrow the expression's text.
key_bounds narrowing(expression const& e, std::string_view key);

}  // namespace tablemap::filter
