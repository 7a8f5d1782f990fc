// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/ticks.hpp"
#include "tablemap/edm/etag.hpp"

#include <cstdint>
#include <string>

namespace tablemap::inline v0_1 {

enum class blob_kind : std::uint8_t {
    block,   ///< stored as a whole or of blocks
    append,  ///< can be appended to
    other,   ///< such as a page blob, which tablemap does not write
};

/// All about a blob but its bytes.
struct blob_properties {
    std::string name{};
    tablemap::etag etag{};
    ticks modified{};  ///< whole seconds
    std::uint64_t size = 0;
    std::string content_type{};
    blob_kind kind = blob_kind::block;
    std::uint32_t appended_blocks = 0;  ///< of an append blob; not in lists

    friend bool operator==(blob_properties const&, blob_properties const&) = default;
};

}  // namespace tablemap
