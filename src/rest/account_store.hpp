// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/store/store.hpp"

#include <functional>

namespace tablemap::inline v0_1::detail {

/// Opens the store of one service. Empty: the account does not have that service.
using store_opener = std::function<result<store_ptr>()>;

/// The services of an account as one store: requests of queues and blobs go to stores of theirs, all others to that of
/// tables. Those two are opened by the first request to them, so that a program without queues and blobs pays nothing
/// for them; a failure to open is the response, and the next request tries again.
///
/// Capabilities and context are those of tables.
store_ptr make_account_store(store_ptr tables, store_opener queues, store_opener blobs);

}  // namespace tablemap::detail
