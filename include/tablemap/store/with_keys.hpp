// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/store.hpp"

namespace tablemap::inline v0_1 {

/// The same store with keys for tables with encrypted members, for a store that `open` does not open; `open` takes
/// `open_options::keys`. Its `store_context::keys` are these, and exceptions of the provider become errors. The store
/// itself does not receive the keys.
///
/// \pre `inner` and `keys` are not null
store_ptr with_keys(store_ptr inner, std::shared_ptr<key_provider const> keys);

}  // namespace tablemap
