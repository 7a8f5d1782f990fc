// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/filter/expression.hpp"

#include <string>
#include <string_view>

/// Filters as the service reads them in `$filter`.
///
/// \par Source
/// The service's "Querying tables and entities".
namespace tablemap::inline v0_1::filter {

/// Checks names and values that no store can compare with.
///
/// \return nothing, or an error with the property: `library_errc::invalid_property_name` for a name that is no
/// identifier, `invalid_text` for a string that is not UTF-8, `value_out_of_range` for a time outside the years 1 to
/// 9999
result<void> check(expression const& e);

/// Appends a filter's text, not yet percent-encoded. Every operand of `and`, `or` and `not` is in parentheses, since
/// servers disagree on how tightly `not` binds. Doubles are plain decimals: an exponent matches nothing on some
/// servers.
///
/// \return nothing, or an error with the property: as `check`, and `library_errc::unsupported` for NaN and the
/// infinities, for which the service has no literal
result<void> append_odata(std::string& out, expression const& e);

/// Appends `name op 'text'`.
///
/// \pre the text is UTF-8
void append_odata_comparison(std::string& out, std::string_view name, comparison_operator op, std::string_view text);

}  // namespace tablemap::filter
