// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/rolling_names.hpp"
#include "tablemap/store/store.hpp"

namespace tablemap::inline v0_1::detail {

/// The same store, on which the tables of a `rolling_table` need not be there: it answers for a missing one as for an
/// empty one. An insert or an upsert, and a transaction of such operations, is sent again after its table was created:
/// the refusal shows that nothing of it was stored.
///
/// An error of the creation becomes that of the write, `not_applied`. After a lost response of the creation the write
/// is sent, which shows whether the table is there.
///
/// \pre `inner` is not null
store_ptr make_rolling_store(store_ptr inner, rolling_names names, rolling_options const& o);

}  // namespace tablemap::detail
