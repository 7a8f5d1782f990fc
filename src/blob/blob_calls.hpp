// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store/single_call.hpp"
#include "tablemap/blob/blob_container.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The operations of containers: their requests, which borrow the arguments, and the meaning of the responses.
namespace tablemap::inline v0_1::detail::blob_calls {

/// \throws error `service_errc::invalid_resource_name`
void check_name(std::string const& container);

single_call<void> create(std::string_view container);
single_call<own_doing> create_if_not_exists(std::string_view container);
single_call<void> delete_container(std::string_view container);
single_call<own_doing> delete_if_exists(std::string_view container);
single_call<bool> exists(std::string_view container);

single_call<etag> put(std::string_view container, std::string_view blob, std::string_view content,
                      blob_state const& when, std::string_view content_type);
single_call<stored_blob> get(std::string_view container, std::string_view blob, blob_part const& part);
single_call<std::optional<stored_blob>> find(std::string_view container, std::string_view blob, blob_part const& part);
single_call<blob_properties> properties(std::string_view container, std::string_view blob);
single_call<std::optional<blob_properties>> find_properties(std::string_view container, std::string_view blob);
single_call<void> erase(std::string_view container, std::string_view blob, etag const& e);
single_call<bool> erase_any(std::string_view container, std::string_view blob);
single_call<blob_page> page(std::string_view container, blob_selection const& which);

single_call<etag> create_append(std::string_view container, std::string_view blob, blob_state const& when,
                                std::string_view content_type);
single_call<appended_bytes> append(std::string_view container, std::string_view blob, std::string_view content,
                                   std::uint64_t position);
single_call<appended_bytes> append_anywhere(std::string_view container, std::string_view blob,
                                            std::string_view content);

single_call<void> stage(std::string_view container, std::string_view blob, std::string_view block,
                        std::string_view content);
single_call<etag> commit(std::string_view container, std::string_view blob, std::span<std::string_view const> blocks,
                         blob_state const& when, std::string_view content_type);

/// All blobs whose names begin with a text, page by page. The errors name no container.
task<result<std::vector<blob_properties>>> list(std::string container, std::string prefix);

}  // namespace tablemap::detail::blob_calls
