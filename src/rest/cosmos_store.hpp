// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/ticks.hpp"
#include "tablemap/store/store.hpp"

#include <functional>

namespace tablemap::detail {

/// A store over one that speaks to Cosmos DB, which says of a missing table what it says of a missing entity. Where a request needs
/// no entity, that is `service_errc::table_not_found`. Elsewhere the table is asked for by a query that finds nothing; a table
/// that was there is not asked for again within a minute.
store_ptr make_cosmos_store(store_ptr inner, std::function<ticks()> now);

}  // namespace tablemap::detail
