// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/blob/blob_container.hpp"
#include "tablemap/detail/store/service_call.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// The operations of an `async_blob_container`, as calls whose tasks own what their requests borrow.
class async_blob_calls {
public:
    /// \throws error as the constructor of `blob_container`
    async_blob_calls(store_ptr s, std::string name);

    std::string const& name() const noexcept { return name_; }

    service_call<void> create() const;
    service_call<own_doing> create_if_not_exists() const;
    service_call<void> delete_container() const;
    service_call<own_doing> delete_if_exists() const;
    service_call<bool> exists() const;

    service_call<etag> put(std::string blob, std::string content, blob_state when, std::string content_type) const;
    service_call<stored_blob> get(std::string blob, blob_part part) const;
    service_call<std::optional<stored_blob>> find(std::string blob, blob_part part) const;
    service_call<blob_properties> properties(std::string blob) const;
    service_call<std::optional<blob_properties>> find_properties(std::string blob) const;
    service_call<void> erase(std::string blob, etag e) const;
    service_call<bool> erase_any(std::string blob) const;
    service_call<blob_page> page(blob_selection which) const;
    service_call<std::vector<blob_properties>> list(std::string prefix) const;

    service_call<etag> create_append(std::string blob, blob_state when, std::string content_type) const;
    service_call<appended_bytes> append(std::string blob, std::string content, std::uint64_t position) const;
    service_call<appended_bytes> append_anywhere(std::string blob, std::string content) const;

    service_call<void> stage(std::string blob, std::string block, std::string content) const;
    service_call<etag> commit(std::string blob, std::vector<std::string> blocks, blob_state when,
                              std::string content_type) const;

private:
    store_ptr store_;
    std::string name_;
};

}  // namespace tablemap::detail
