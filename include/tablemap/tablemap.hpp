// SPDX-License-Identifier: Apache-2.0
#pragma once

// Stores, mappings, tables, queries and group transactions, blocking: as much as most programs need. The rest costs
// time to compile, and is included by name: `tablemap/patterns.hpp`, `tablemap/async.hpp`,
// `tablemap/table/{bulk_writer,cached_table,join,service}.hpp`, `tablemap/crypto/{cached_keys,legacy_keys}.hpp`,
// `tablemap/mapping/converters/*.hpp`.

#include "tablemap/base/error.hpp"
#include "tablemap/base/redaction.hpp"
#include "tablemap/base/result.hpp"
#include "tablemap/crypto/key_file.hpp"
#include "tablemap/crypto/key_ring.hpp"
#include "tablemap/edm/converter.hpp"
#include "tablemap/edm/dynamic_entity.hpp"
#include "tablemap/edm/limits.hpp"
#include "tablemap/edm/names.hpp"
#include "tablemap/keys/key.hpp"
#include "tablemap/mapping/encrypted.hpp"
#include "tablemap/mapping/entity.hpp"
#include "tablemap/mapping/expiry_in.hpp"
#include "tablemap/mapping/mapping.hpp"
#include "tablemap/open.hpp"
#include "tablemap/query/key_ranges.hpp"
#include "tablemap/store/log_observer.hpp"
#include "tablemap/store/observer.hpp"
#include "tablemap/store/rate_limit.hpp"
#include "tablemap/store/store.hpp"
#include "tablemap/table/table.hpp"
#include "tablemap/version.hpp"
#include "tablemap/write/retry_on_conflict.hpp"
#include "tablemap/write/transaction.hpp"
