// SPDX-License-Identifier: Apache-2.0
#pragma once

/// One function for each file of cases. They do nothing: a program links from a static library only the files of which
/// it uses a symbol, and nothing refers to a case.
namespace tablemap::inline v0_1::testing::contract {

void link_async();
void link_blobs();
void link_concurrency();
void link_filters();
void link_keys();
void link_limits();
void link_pages();
void link_queues();
void link_service();
void link_tables();
void link_transactions();
void link_values();
void link_writes();

}  // namespace tablemap::testing::contract
