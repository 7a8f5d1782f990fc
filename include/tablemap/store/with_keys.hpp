// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/store.hpp"

namespace tablemap {

/// The same store for tables with encrypted members: its `capabilities::keys` ask these, and throw nothing. Nothing passes the keys on to the store
/// itself. Preconditions: neither is null.
store_ptr with_keys(store_ptr inner, std::shared_ptr<key_provider const> keys);

}  // namespace tablemap
