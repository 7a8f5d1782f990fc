// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testing/contract/table_client.hpp"

/// One table of a store, asked through the seam, as the cases of the contract do.
namespace tablemap::test {

using testing::contract::body;
using testing::contract::entity;
using testing::contract::erasure;
using testing::contract::operation;
using testing::contract::owned_operation;
using testing::contract::table_client;

}  // namespace tablemap::test
