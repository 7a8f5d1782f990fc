// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/filter/expression.hpp"

#include "tablemap/base/result.hpp"

#include <cstddef>
#include <span>
#include <string_view>

/// Reading filters as the service writes them in `$filter`. Source: the service's "Querying tables and entities".
namespace tablemap::filter {

inline constexpr std::size_t longest_text = 256 * 1024;  ///< bytes of a filter that is read
inline constexpr std::size_t deepest_nesting = 64;       ///< parentheses and `not` within each other
inline constexpr std::size_t most_comparisons = 1000;    ///< of a filter that is read

/// Reads a filter: comparisons `Property op literal` or `literal op Property`, boolean properties alone, the constants `true`
/// and `false` in any case, `not`, `and`, `or` from tight to loose, and parentheses. `not` applies to the comparison behind it. What `append_odata` writes is read back,
/// its chains of one operator leaning to the left.
///
/// Errors: `library_errc::invalid_filter`, with the offset in bytes and what is expected there, never the text.
result<expression> parse(std::string_view text);

/// The same with values: each `{}` in the place of a literal stands for the next one, which never becomes text.
/// Errors: as above, and where there are more or fewer values than `{}`.
result<expression> parse(std::string_view text, std::span<property_value const> values);

}  // namespace tablemap::filter
