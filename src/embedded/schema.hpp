// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "embedded/sqlite.hpp"

#include "tablemap/embedded/store.hpp"

#include <cstdint>

/// The file format. These values reach storage: never renumber, never give a stored byte a second meaning.
///
///     header    application_id 0x746D6170 ("tmap"), user_version = the format version
///     tables    id (never used twice), folded (the name in lower case), name (as it was created)
///     entities  table_id, partition_key and row_key as in key_codec.hpp, stamp (ticks of timestamp and etag),
///               body as in fragment.hpp
///     clock     one row: the last stamp that was given out, or is kept for a connection
///     policies  since format 2: access policies of tables; start and expiry in ticks or 0, permissions as "raud"
///     settings  since format 2: the service's properties, one row for each value of them; see service.cpp
///     queues, messages                         since format 3: queues; see queues.cpp
///     containers, blobs, blocks, staged_blocks  since format 3: blobs; see blob_rows.hpp
///
/// A file keeps its format, and stays open to programs that know no later one, until something is first stored in it
/// that needs a later one: policies or settings, a queue or a container.
namespace tablemap::inline v0_1::detail::embedded {

inline constexpr std::int64_t application_id = 0x746D6170;
inline constexpr std::int64_t format_version = 3;

/// Sets what SQLite forgets when a connection closes.
void configure(database& db, embedded_options const& options);

/// True for a database that is no store yet: nothing was created in it.
bool is_empty(database const& db);

/// Creates what is missing in an empty database and checks what is there.
/// Errors (thrown): `store_errc::foreign_database`, `newer_format`, and those of the file.
void prepare_schema(database& db, embedded_options const& options);

/// True if the file has the tables of format 2.
bool has_service_tables(database const& db);

/// Makes a file of format 1 one of format 2. Precondition: inside a write transaction.
void add_service_tables(database const& db);

/// True if the file has the tables of format 3.
bool has_queue_tables(database const& db);

/// Makes a file of an earlier format one of format 3. Precondition: inside a write transaction.
void add_queue_tables(database const& db);

}  // namespace tablemap::detail::embedded
