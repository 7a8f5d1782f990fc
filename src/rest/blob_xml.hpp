// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/store/blob_properties.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The XML of requests and responses of blobs.
namespace tablemap::inline v0_1::detail {

/// The list of these blocks, whether they are staged or the blob's already.
std::string write_block_list(std::span<std::string_view const> blocks);

struct blob_list {
    std::vector<blob_properties> blobs{};
    std::string next{};  ///< empty on the last page
};

/// Errors: `library_errc::malformed_response`.
result<blob_list> read_blob_list(std::string_view xml);

/// The kind that the service's text names: "BlockBlob".
blob_kind blob_kind_of(std::string_view text) noexcept;

}  // namespace tablemap::detail
