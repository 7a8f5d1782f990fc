// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/store.hpp"

namespace tablemap::inline v0_1 {

/// A store and its readable copy as one store. `open` makes one of an account with a secondary endpoint.
///
/// Writes go to the primary, and so do reads that have to be current: those of access policies, of service properties,
/// and of operations that write the rows that they read. Other reads go to the place of `call_options::read_from`, or
/// else of `from`. Under `primary_then_secondary` a read that fails at the primary in a way that may pass is sent to
/// the copy at once; if the copy fails, too, the primary's failure is reported, and the retry policy goes on with it:
/// an entity that the copy lacks may not have arrived yet. The pages of a query all come from the place of its first
/// page, through cursors and in other processes, too. Statistics are requested from the copy.
///
/// Capabilities are the primary's. Thread safety: that of both stores. Precondition: neither is null.
store_ptr make_replicated(store_ptr primary, store_ptr secondary, read_from from);

}  // namespace tablemap
