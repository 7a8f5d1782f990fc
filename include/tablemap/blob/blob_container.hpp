// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/blob/blob_state.hpp"
#include "tablemap/store/blob_properties.hpp"
#include "tablemap/store/own_doing.hpp"
#include "tablemap/store/store.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap::inline v0_1 {

/// A blob that was read, or a part of one.
struct stored_blob {
    blob_properties properties{};  ///< of the whole blob
    std::string bytes{};
};

/// The part of a blob that is to be read.
struct blob_part {
    std::optional<blob_range> range{};  ///< none: all of it, which may be 64 MiB at most
    tablemap::etag etag{};              ///< the blob must still have it; empty: any state
};

/// The blobs that a list is about.
struct blob_selection {
    std::string prefix{};              ///< of their names
    std::string from{};                ///< empty, or `blob_page::next` of the page before
    std::optional<std::size_t> top{};  ///< at most this many, 1 to 5,000
};

struct blob_page {
    std::vector<blob_properties> blobs{};  ///< in the order of their names
    std::optional<std::string> next{};     ///< set while there may be more; may be kept, and used by another process
};

/// The state of an append blob behind the bytes that were appended.
struct appended_bytes {
    tablemap::etag etag{};
    std::uint64_t size = 0;  ///< the position of the next append
};

/// The blobs of one container.
///
/// Functions throw `error`; those with `try_` return it. An error names the container in `table()`. After a lost
/// response the request is sent again as the call's `retry_policy` allows. A write that could then be carried out twice
/// is not: it fails with an error whose `outcome()` is `in_doubt`. So does one whose second try meets a conflict, which
/// may be the effect of the first; `properties()` tells what is stored. `async_blob_container` has the same operations
/// for callers that do not block.
///
/// \par Round trips
/// One, unless it says otherwise.
/// \par Thread safety
/// All functions may be called from any number of threads.
class blob_container {
public:
    /// \throws error `service_errc::invalid_resource_name`
    blob_container(store_ptr s, std::string name);

    std::string const& name() const& noexcept { return name_; }
    std::string name() const&& { return name_; }

    /// Creates the container.
    ///
    /// \throws error `service_errc::container_already_exists`, `container_being_deleted`
    void create(call_options const& o = {}) const;
    result<void> try_create(call_options const& o = {}) const;

    /// Creates the container unless it exists.
    ///
    /// \return true if this call created it; see `own_doing` for a lost response
    own_doing create_if_not_exists(call_options const& o = {}) const;
    result<own_doing> try_create_if_not_exists(call_options const& o = {}) const;

    /// Deletes the container with all its blobs.
    ///
    /// \throws error `service_errc::container_not_found`
    void delete_container(call_options const& o = {}) const;
    result<void> try_delete_container(call_options const& o = {}) const;

    /// Deletes the container if it exists.
    ///
    /// \return true if this call deleted it; see `own_doing` for a lost response
    own_doing delete_if_exists(call_options const& o = {}) const;
    result<own_doing> try_delete_if_exists(call_options const& o = {}) const;

    /// True if there is such a container and it is not being deleted.
    bool exists(call_options const& o = {}) const;
    result<bool> try_exists(call_options const& o = {}) const;

    /// Stores a whole blob of at most 64 MiB, in place of one that is there if `when` allows it:
    /// `put("report", text, blob_state::absent())`, `put("report", text, read.properties.etag)`.
    ///
    /// \return the etag of what was stored
    /// \throws error `service_errc::blob_already_exists`, `update_condition_not_satisfied`, `container_not_found`
    etag put(std::string_view blob, std::string_view content, blob_state const& when,
             std::string_view content_type = {}, call_options const& o = {}) const;
    result<etag> try_put(std::string_view blob, std::string_view content, blob_state const& when,
                         std::string_view content_type = {}, call_options const& o = {}) const;

    /// Reads a blob or a part of it. A part ends with the blob if that is shorter.
    ///
    /// \throws error `service_errc::blob_not_found`, `container_not_found`, `update_condition_not_satisfied`;
    /// `invalid_range` for a range that begins behind the end; `transport_errc::response_too_large` for over 64 MiB
    stored_blob get(std::string_view blob, blob_part const& part = {}, call_options const& o = {}) const;
    result<stored_blob> try_get(std::string_view blob, blob_part const& part = {}, call_options const& o = {}) const;

    /// The same for a blob that may not be there.
    ///
    /// \return nothing if there is no such blob
    /// \throws error as `get`, without `blob_not_found`
    std::optional<stored_blob> find(std::string_view blob, blob_part const& part = {},
                                    call_options const& o = {}) const;
    result<std::optional<stored_blob>> try_find(std::string_view blob, blob_part const& part = {},
                                                call_options const& o = {}) const;

    /// Reads all about a blob but its bytes.
    ///
    /// \throws error `service_errc::blob_not_found`, `container_not_found`
    blob_properties properties(std::string_view blob, call_options const& o = {}) const;
    result<blob_properties> try_properties(std::string_view blob, call_options const& o = {}) const;

    /// The same for a blob that may not be there.
    ///
    /// \return nothing if there is no such blob
    std::optional<blob_properties> find_properties(std::string_view blob, call_options const& o = {}) const;
    result<std::optional<blob_properties>> try_find_properties(std::string_view blob, call_options const& o = {}) const;

    /// Erases the blob if it still has this etag.
    ///
    /// \throws error `service_errc::blob_not_found`, `update_condition_not_satisfied`; `library_errc::missing_etag`
    void erase(std::string_view blob, etag const& e, call_options const& o = {}) const;
    result<void> try_erase(std::string_view blob, etag const& e, call_options const& o = {}) const;

    /// Erases any state of a blob.
    ///
    /// \return false if there is no such blob
    bool erase_any(std::string_view blob, call_options const& o = {}) const;
    result<bool> try_erase_any(std::string_view blob, call_options const& o = {}) const;

    /// Lists a page of blobs, in the order of their names.
    ///
    /// \throws error `service_errc::container_not_found`; `library_errc::invalid_cursor`
    blob_page page(blob_selection const& which = {}, call_options const& o = {}) const;
    result<blob_page> try_page(blob_selection const& which = {}, call_options const& o = {}) const;

    /// Lists all blobs whose names begin with a text. Holds all of them in memory: read large containers by `page`.
    ///
    /// \par Round trips
    /// One for each 5,000 blobs.
    std::vector<blob_properties> list(std::string_view prefix = {}, call_options const& o = {}) const;
    result<std::vector<blob_properties>> try_list(std::string_view prefix = {}, call_options const& o = {}) const;

    /// Stores an empty blob that can be appended to, in place of one that is there if `when` allows it.
    ///
    /// \throws error as `put`
    etag create_append(std::string_view blob, blob_state const& when, std::string_view content_type = {},
                       call_options const& o = {}) const;
    result<etag> try_create_append(std::string_view blob, blob_state const& when, std::string_view content_type = {},
                                   call_options const& o = {}) const;

    /// Appends 1 byte to 4 MiB to a blob that has this size.
    ///
    /// \throws error `service_errc::append_position_condition_not_met`, `blob_not_found`;
    /// `block_count_exceeds_limit` after 50,000 appends; `invalid_blob_type` for a blob of another kind
    appended_bytes append(std::string_view blob, std::string_view content, std::uint64_t position,
                          call_options const& o = {}) const;
    result<appended_bytes> try_append(std::string_view blob, std::string_view content, std::uint64_t position,
                                      call_options const& o = {}) const;

    /// Appends behind whatever others have appended. After a lost response it is in doubt, and not tried again unless
    /// `retry_policy::repeat_in_doubt` allows that the bytes come twice.
    ///
    /// \throws error as `append`, without the condition
    appended_bytes append_anywhere(std::string_view blob, std::string_view content, call_options const& o = {}) const;
    result<appended_bytes> try_append_anywhere(std::string_view blob, std::string_view content,
                                               call_options const& o = {}) const;

    /// Stores a block of 1 byte to 64 MiB, which nobody sees until it is committed, for a week at least. An id has 1 to
    /// 64 bytes, and all ids of a blob have the same length. A block of the same id is replaced.
    ///
    /// \throws error `service_errc::container_not_found`; `invalid_blob_or_block` for an id of another length
    void stage(std::string_view blob, std::string_view block, std::string_view content,
               call_options const& o = {}) const;
    result<void> try_stage(std::string_view blob, std::string_view block, std::string_view content,
                           call_options const& o = {}) const;

    /// Makes the blob of these blocks, in this order: staged ones, else its own. All others are dropped.
    ///
    /// \throws error as `put`; `service_errc::invalid_block_list` for a block that is not there
    etag commit(std::string_view blob, std::span<std::string_view const> blocks, blob_state const& when,
                std::string_view content_type = {}, call_options const& o = {}) const;
    result<etag> try_commit(std::string_view blob, std::span<std::string_view const> blocks, blob_state const& when,
                            std::string_view content_type = {}, call_options const& o = {}) const;

private:
    store_ptr store_;
    std::string name_;
};

}  // namespace tablemap
