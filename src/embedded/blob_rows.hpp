// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "embedded/connection.hpp"

#include "tablemap/base/ticks.hpp"
#include "tablemap/store/blob_properties.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// The rows of blobs in a file of format 3:
///
///     containers     id (never used twice), name
///     blobs          id (never used twice), container_id, name in UTF-8, kind (of `blob_kind`), stamp (ticks of etag
///                    and time), size in bytes, blocks (of an append blob), content_type
///     blocks         pieces of blocks: blob_id, place (the offset of the first byte in the blob), first (that of the
///                    block), name (the id of a block that was staged, or empty), body. They follow each other without
///                    a gap
///     staged_blocks  pieces of blocks that nobody has committed yet: container_id, blob_name, name (the id), place
///                    (the offset in the block), stamp (one for all pieces), body
///
/// A blob that is replaced gets a new id, so that its old blocks can be taken over while the new ones are written.
namespace tablemap::inline v0_1::detail::embedded {

/// Errors (thrown): `service_errc::container_not_found`, also for a file without the tables of blobs.
std::int64_t require_container(connection& c, std::string_view name);

struct blob_row {
    std::int64_t id = 0;
    std::int64_t blocks = 0;
    ticks stamp{};
    blob_properties properties{};
};

std::optional<blob_row> find_blob(connection& c, std::int64_t container, std::string_view name);

/// Errors (thrown): `service_errc::blob_not_found`.
blob_row require_blob(connection& c, std::int64_t container, std::string_view name);

/// Fills what the stamp, the kind and the size of a row say. Errors (thrown): `store_errc::corrupt`.
void fill_properties(blob_properties& p, std::int64_t kind, std::int64_t stamp, std::int64_t size);

/// The etag of a blob, which is a strong one.
etag blob_etag(ticks stamp);

/// Errors (thrown): `service_errc::update_condition_not_satisfied` if there is a condition and another etag.
void require_match(blob_row const& row, std::string_view if_match);

}  // namespace tablemap::detail::embedded
