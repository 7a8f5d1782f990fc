// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/blob/async_blob_calls.hpp"

#include "blob/blob_calls.hpp"

#include <span>
#include <string_view>
#include <tuple>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

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

}  // namespace

async_blob_calls::async_blob_calls(store_ptr s, std::string name) : store_(std::move(s)), name_(std::move(name)) {
    blob_calls::check_name(name_);
}

// ---- the container --------------------------------------------------------------------------------------------------

service_call<void> async_blob_calls::create() const {
    return carry_out_later(store_, &blob_calls::create, std::tuple{name_});
}

service_call<own_doing> async_blob_calls::create_if_not_exists() const {
    return carry_out_later(store_, &blob_calls::create_if_not_exists, std::tuple{name_});
}

service_call<void> async_blob_calls::delete_container() const {
    return carry_out_later(store_, &blob_calls::delete_container, std::tuple{name_});
}

service_call<own_doing> async_blob_calls::delete_if_exists() const {
    return carry_out_later(store_, &blob_calls::delete_if_exists, std::tuple{name_});
}

service_call<bool> async_blob_calls::exists() const {
    return carry_out_later(store_, &blob_calls::exists, std::tuple{name_});
}

// ---- whole blobs ----------------------------------------------------------------------------------------------------

service_call<etag> async_blob_calls::put(std::string blob, std::string content, blob_state when,
                                         std::string content_type) const {
    return carry_out_later(
        store_, &blob_calls::put,
        std::tuple{name_, std::move(blob), std::move(content), std::move(when), std::move(content_type)});
}

service_call<stored_blob> async_blob_calls::get(std::string blob, blob_part part) const {
    return carry_out_later(store_, &blob_calls::get, std::tuple{name_, std::move(blob), std::move(part)});
}

service_call<std::optional<stored_blob>> async_blob_calls::find(std::string blob, blob_part part) const {
    return carry_out_later(store_, &blob_calls::find, std::tuple{name_, std::move(blob), std::move(part)});
}

service_call<blob_properties> async_blob_calls::properties(std::string blob) const {
    return carry_out_later(store_, &blob_calls::properties, std::tuple{name_, std::move(blob)});
}

service_call<std::optional<blob_properties>> async_blob_calls::find_properties(std::string blob) const {
    return carry_out_later(store_, &blob_calls::find_properties, std::tuple{name_, std::move(blob)});
}

service_call<void> async_blob_calls::erase(std::string blob, etag e) const {
    return carry_out_later(store_, &blob_calls::erase, std::tuple{name_, std::move(blob), std::move(e)});
}

service_call<bool> async_blob_calls::erase_any(std::string blob) const {
    return carry_out_later(store_, &blob_calls::erase_any, std::tuple{name_, std::move(blob)});
}

service_call<blob_page> async_blob_calls::page(blob_selection which) const {
    return carry_out_later(store_, &blob_calls::page, std::tuple{name_, std::move(which)});
}

service_call<std::vector<blob_properties>> async_blob_calls::list(std::string prefix) const {
    return {store_, "list blobs of container", name_, blob_calls::list(name_, std::move(prefix))};
}

// ---- append blobs and blocks ----------------------------------------------------------------------------------------

service_call<etag> async_blob_calls::create_append(std::string blob, blob_state when, std::string content_type) const {
    return carry_out_later(store_, &blob_calls::create_append,
                           std::tuple{name_, std::move(blob), std::move(when), std::move(content_type)});
}

service_call<appended_bytes> async_blob_calls::append(std::string blob, std::string content,
                                                      std::uint64_t position) const {
    return carry_out_later(store_, &blob_calls::append,
                           std::tuple{name_, std::move(blob), std::move(content), position});
}

service_call<appended_bytes> async_blob_calls::append_anywhere(std::string blob, std::string content) const {
    return carry_out_later(store_, &blob_calls::append_anywhere,
                           std::tuple{name_, std::move(blob), std::move(content)});
}

service_call<void> async_blob_calls::stage(std::string blob, std::string block, std::string content) const {
    return carry_out_later(store_, &blob_calls::stage,
                           std::tuple{name_, std::move(blob), std::move(block), std::move(content)});
}

service_call<etag> async_blob_calls::commit(std::string blob, std::vector<std::string> blocks, blob_state when,
                                            std::string content_type) const {
    return carry_out_later(
        store_, &blob_calls::commit,
        std::tuple{name_, std::move(blob), kept_blocks{std::move(blocks)}, std::move(when), std::move(content_type)});
}

}  // namespace tablemap::detail
