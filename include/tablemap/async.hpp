// SPDX-License-Identifier: Apache-2.0
#pragma once

// The asynchronous interface, on Boost.Asio. `tablemap.hpp` does not pull it in.

#include "tablemap/blob/async_blob_container.hpp"
#include "tablemap/patterns/async_index_elsewhere.hpp"
#include "tablemap/patterns/async_index_relay.hpp"
#include "tablemap/patterns/async_latest.hpp"
#include "tablemap/patterns/async_moves.hpp"
#include "tablemap/patterns/async_one_to_one.hpp"
#include "tablemap/patterns/async_outbox.hpp"
#include "tablemap/patterns/async_relation.hpp"
#include "tablemap/patterns/async_relay.hpp"
#include "tablemap/patterns/async_rolling_table.hpp"
#include "tablemap/patterns/async_table_with_copies.hpp"
#include "tablemap/patterns/async_table_with_index_entities.hpp"
#include "tablemap/patterns/async_table_with_unique_values.hpp"
#include "tablemap/queue/async_queue.hpp"
#include "tablemap/table/async_cached_table.hpp"
#include "tablemap/table/async_join.hpp"
#include "tablemap/table/async_service.hpp"
#include "tablemap/table/async_table.hpp"
#include "tablemap/write/async_transaction.hpp"
