// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/ticks.hpp"
#include "tablemap/store/store.hpp"

#include <functional>

namespace tablemap::inline v0_1::detail {

/// A store over one that speaks to Cosmos DB, which gives a missing table and a missing entity the same error. If a
/// request needs no entity, that is `service_errc::table_not_found`. Otherwise a query that finds nothing checks the
/// table; a table that was there is not checked again within a minute.
store_ptr make_cosmos_store(store_ptr inner, std::function<ticks()> now);

}  // namespace tablemap::detail
