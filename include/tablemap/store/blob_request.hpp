// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

/// The requests of blobs. Like those of tables they borrow: every view must outlive the response.
namespace tablemap::inline v0_1 {

struct create_container {
    std::string_view container;
};

/// Deletes a container with its blobs.
struct delete_container {
    std::string_view container;
};

/// The state that a blob must have for a request to be carried out.
struct blob_condition {
    std::string_view if_match{};  ///< an etag; empty: any state
    bool if_absent = false;       ///< there must be no blob of this name; without `if_match`
};

/// Stores a whole blob, in place of one that is there.
struct put_blob {
    std::string_view container;
    std::string_view blob;
    std::string_view body;
    std::string_view content_type{};  ///< empty: "application/octet-stream"
    blob_condition when{};
};

/// A part of a blob. It ends with the blob if that is shorter.
struct blob_range {
    std::uint64_t first = 0;
    std::optional<std::uint64_t> length{};  ///< at least 1; none: to the end
};

struct get_blob {
    std::string_view container;
    std::string_view blob;
    std::optional<blob_range> range{};  ///< none: all of it
    blob_condition when{};
};

/// The properties of a blob.
struct head_blob {
    std::string_view container;
    std::string_view blob;
};

struct delete_blob {
    std::string_view container;
    std::string_view blob;
    blob_condition when{};  ///< `if_match` only
};

/// Blobs in the order of their names.
struct list_blobs {
    std::string_view container;
    std::string_view prefix{};
    std::string_view from{};           ///< empty, or `service_response::next_blob` of the page before
    std::optional<std::size_t> top{};  ///< at most this many, 1 to 5,000
};

/// Stores an empty blob that can be appended to, in place of one that is there.
struct create_append_blob {
    std::string_view container;
    std::string_view blob;
    std::string_view content_type{};
    blob_condition when{};
};

/// Appends to an append blob. At most 50,000 times a blob.
struct append_block {
    std::string_view container;
    std::string_view blob;
    std::string_view body;                    ///< 1 byte to 4 MiB
    std::optional<std::uint64_t> position{};  ///< the size that the blob must have; none: any
    std::string_view if_match{};
};

/// Stores a block of a blob, which nobody sees until it is committed. It is kept for a week at least.
struct stage_block {
    std::string_view container;
    std::string_view blob;
    std::string_view block;  ///< its id: 1 to 64 bytes, for all blocks of a blob equally many
    std::string_view body;   ///< 1 byte to `limits::block_bytes`
};

/// Makes a blob of blocks that were staged, or belong to the blob already, in this order. Other blocks are dropped.
struct commit_blocks {
    std::string_view container;
    std::string_view blob;
    std::span<std::string_view const> blocks;  ///< at most 50,000
    std::string_view content_type{};
    blob_condition when{};
};

using blob_request = std::variant<create_container, delete_container, put_blob, get_blob, head_blob, delete_blob,
                                  list_blobs, create_append_blob, append_block, stage_block, commit_blocks>;

/// The container of a request.
std::string_view container_of(blob_request const& r) noexcept;

}  // namespace tablemap
