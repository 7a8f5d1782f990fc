// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/filter/expression.hpp"

#include <string>
#include <string_view>

/// Filters as the service reads them in `$filter`. Source: the service's "Querying tables and entities".
namespace tablemap::filter {

/// Checks what no store can compare with, wherever it is evaluated.
/// Errors, each with the property: `library_errc::invalid_property_name` for a name that is no identifier;
/// `library_errc::invalid_text` for a string that is not UTF-8; `library_errc::value_out_of_range` for a time outside the
/// years 1 to 9999.
result<void> check(expression const& e);

/// Appends a filter's text, not yet percent-encoded. Every operand of `and`, `or` and `not` stands in parentheses,
/// since servers disagree on how tightly `not` binds. Doubles are plain decimals: an exponent matches nothing on some
/// servers.
///
/// Errors: as `check`; `library_errc::unsupported` with the property for NaN and the infinities, for which the service has
/// no literal.
result<void> append_odata(std::string& out, expression const& e);

/// Appends `name op 'text'`. Precondition: the text is UTF-8.
void append_odata_comparison(std::string& out, std::string_view name, comparison_operator op, std::string_view text);

}  // namespace tablemap::filter
