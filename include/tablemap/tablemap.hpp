// SPDX-License-Identifier: Apache-2.0
#pragma once

// Everything that a program needs that maps structs to tables and calls them blocking.

#include "tablemap/base/error.hpp"
#include "tablemap/base/result.hpp"
#include "tablemap/edm/dynamic_entity.hpp"
#include "tablemap/edm/limits.hpp"
#include "tablemap/edm/names.hpp"
#include "tablemap/keys/key.hpp"
#include "tablemap/mapping/converter.hpp"
#include "tablemap/mapping/converters/decimal.hpp"
#include "tablemap/mapping/converters/duration.hpp"
#include "tablemap/mapping/converters/json_document.hpp"
#include "tablemap/mapping/converters/url.hpp"
#include "tablemap/mapping/entity.hpp"
#include "tablemap/mapping/mapping.hpp"
#include "tablemap/open.hpp"
#include "tablemap/query/key_ranges.hpp"
#include "tablemap/repository/bulk_writer.hpp"
#include "tablemap/repository/cached_table.hpp"
#include "tablemap/repository/join.hpp"
#include "tablemap/repository/retry_on_conflict.hpp"
#include "tablemap/repository/service.hpp"
#include "tablemap/repository/table.hpp"
#include "tablemap/repository/transaction.hpp"
#include "tablemap/store/store.hpp"
