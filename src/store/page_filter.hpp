// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/store/request.hpp"

#include <string>

namespace tablemap::inline v0_1::detail {

/// A page's `$filter` as the service reads it, bounds of keys and filter in one, not yet percent-encoded; empty for all
/// rows. Errors: as `filter::append_odata`.
result<std::string> odata_filter_of(query_page const& q);

/// A query that finds nothing in any table: it shows that the table exists, at the least cost of a request.
query_page query_of_nothing(std::string_view table);
bool is_query_of_nothing(query_page const& q) noexcept;

}  // namespace tablemap::detail
