// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/blob/blob_container.hpp"
#include "tablemap/detail/store/task_run.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// The ids of the blocks that a task commits.
class kept_blocks {
public:
    explicit kept_blocks(std::vector<std::string> ids) : ids_(std::move(ids)), views_(ids_.begin(), ids_.end()) {}
    kept_blocks(kept_blocks&&) noexcept = default;
    kept_blocks& operator=(kept_blocks&&) noexcept = default;
    kept_blocks(kept_blocks const&) = delete;
    kept_blocks& operator=(kept_blocks const&) = delete;
    ~kept_blocks() = default;

    operator std::span<std::string_view const>() const noexcept { return views_; }

private:
    std::vector<std::string> ids_;
    std::vector<std::string_view> views_;  ///< of `ids_`, whose elements stay where they are
};

/// A list of all blobs, under the name of its container.
class blob_listing : public plain_call<std::vector<blob_properties>> {
public:
    blob_listing(std::string container, task<result<std::vector<blob_properties>>> first);

    operation_label label() const noexcept { return {"list blobs of container", container_}; }
    result<std::vector<blob_properties>> take();

private:
    std::string container_;
};

/// The operations of an `async_blob_container`, as tasks that own what their requests borrow.
class blob_tasks {
public:
    /// \throws error as the constructor of `blob_container`
    blob_tasks(store_ptr s, std::string name);

    store_ptr const& store() const noexcept { return store_; }
    std::string const& name() const noexcept { return name_; }

    task<result<void>> create() const;
    task<result<own_doing>> create_if_not_exists() const;
    task<result<void>> delete_container() const;
    task<result<own_doing>> delete_if_exists() const;
    task<result<bool>> exists() const;

    task<result<etag>> put(std::string blob, std::string content, blob_state when, std::string content_type) const;
    task<result<stored_blob>> get(std::string blob, blob_part part) const;
    task<result<std::optional<stored_blob>>> find(std::string blob, blob_part part) const;
    task<result<blob_properties>> properties(std::string blob) const;
    task<result<std::optional<blob_properties>>> find_properties(std::string blob) const;
    task<result<void>> erase(std::string blob, etag e) const;
    task<result<bool>> erase_any(std::string blob) const;
    task<result<blob_page>> page(blob_selection which) const;
    blob_listing list(std::string prefix) const;

    task<result<etag>> create_append(std::string blob, blob_state when, std::string content_type) const;
    task<result<appended_bytes>> append(std::string blob, std::string content, std::uint64_t position) const;
    task<result<appended_bytes>> append_anywhere(std::string blob, std::string content) const;

    task<result<void>> stage(std::string blob, std::string block, std::string content) const;
    task<result<etag>> commit(std::string blob, std::vector<std::string> blocks, blob_state when,
                              std::string content_type) const;

private:
    store_ptr store_;
    std::string name_;
};

}  // namespace tablemap::detail
