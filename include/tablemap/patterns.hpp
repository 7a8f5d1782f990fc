// SPDX-License-Identifier: Apache-2.0
#pragma once

// The patterns of Microsoft's table design guide that keep several rows consistent: copies of members in other rows,
// relations, entities split into two rows, the newest rows of a log, changes with effects in other partitions, moves,
// indexes in other partitions, lists of the entities that have a value, values that are unique over a table, structs
// that are stored in several rows, members whose values are in blobs, tables of their own for each day, entities that
// expire, and logs in append blobs; and a lint of keys that make partitions hot.

#include "tablemap/mapping/copies.hpp"
#include "tablemap/patterns/expiry_sweeper.hpp"
#include "tablemap/patterns/hot_partitions.hpp"
#include "tablemap/patterns/index_elsewhere.hpp"
#include "tablemap/patterns/index_relay.hpp"
#include "tablemap/patterns/large_collector.hpp"
#include "tablemap/patterns/large_table.hpp"
#include "tablemap/patterns/latest.hpp"
#include "tablemap/patterns/log_reader.hpp"
#include "tablemap/patterns/log_writer.hpp"
#include "tablemap/patterns/moves.hpp"
#include "tablemap/patterns/one_to_one.hpp"
#include "tablemap/patterns/outbox.hpp"
#include "tablemap/patterns/relation.hpp"
#include "tablemap/patterns/relay.hpp"
#include "tablemap/patterns/rolling_table.hpp"
#include "tablemap/patterns/table_with_copies.hpp"
#include "tablemap/patterns/table_with_index_entities.hpp"
#include "tablemap/patterns/table_with_unique_values.hpp"
#include "tablemap/patterns/unexpired_table.hpp"
#include "tablemap/patterns/wide_table.hpp"
