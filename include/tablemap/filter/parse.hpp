// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/filter/expression.hpp"

#include "tablemap/base/result.hpp"

#include <cstddef>
#include <span>
#include <string_view>

/// Parsing of filters in the form that the service takes in `$filter`.
///
/// \par Source
/// The service's "Querying tables and entities".
namespace tablemap::inline v0_1::filter {

inline constexpr std::size_t longest_text = 256 * 1024;  ///< bytes of a filter's text
inline constexpr std::size_t deepest_nesting = 64;       ///< parentheses and `not` within each other
inline constexpr std::size_t most_comparisons = 1000;    ///< comparisons in one filter

/// Parses a filter: comparisons `Property op literal` or `literal op Property`, boolean properties alone, the constants
/// `true` and `false` in any case, `not`, `and`, `or` from tight to loose, and parentheses. `not` applies to the
/// comparison behind it. Text that `append_odata` wrote is read back; chains of one operator become left-associative.
///
/// \return the filter, or error `library_errc::invalid_filter`; its reason has the offset in bytes and the expected
/// syntax, never the text
result<expression> parse(std::string_view text);

/// The same with values: each `{}` in the place of a literal stands for the next value, which never becomes text.
///
/// \return the filter, or an error as above, also if there are more or fewer values than `{}`
result<expression> parse(std::string_view text, std::span<property_value const> values);

}  // namespace tablemap::filter
