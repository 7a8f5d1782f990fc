// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/query.hpp"

#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/table/table.hpp"

namespace tablemap::inline v0_1::command {

/// The query of these rows, which has read nothing yet.
///
/// \throws error `library_errc::invalid_table_name`
query_range<dynamic_entity> chosen_rows(table<dynamic_entity> const& t, row_choice const& rows);

/// Refuses a store that does not answer in the order of keys.
///
/// \throws error `library_errc::unsupported`; its reason names what cannot be done for that
void require_key_order(table<dynamic_entity> const& t, std::string const& what);

}  // namespace tablemap::inline v0_1::command
