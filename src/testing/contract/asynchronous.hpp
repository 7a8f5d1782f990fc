// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/store.hpp"

namespace tablemap::inline v0_1::testing::contract {

/// The same store with every request sent by `async_execute`, so that the same cases hold there. Null for null.
store_ptr asynchronous(store_ptr inner);

}  // namespace tablemap::testing::contract
