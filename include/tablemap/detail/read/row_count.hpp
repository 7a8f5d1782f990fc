// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/read/query_call.hpp"

#include <cstddef>
#include <memory>

namespace tablemap::inline v0_1::detail {

/// Counts the rows of a query by reading their keys. The query is borrowed, and its select list replaced. Errors: those
/// of the store; `library_errc::unsupported` for a query with a cursor.
task<result<std::size_t>> row_count(query_description& query);

query_call<std::size_t> count_call(std::shared_ptr<query_state> const& query);

/// The same on this thread.
result<std::size_t> count_rows(std::shared_ptr<query_state> const& query);

}  // namespace tablemap::detail
