// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap::inline v0_1 {

/// The C++ type of Edm.Binary.
using bytes = std::vector<std::byte>;

namespace detail {
/// Appends the standard padded base64 text (RFC 4648, section 4).
void append_base64(std::string& out, std::span<std::byte const> data);

/// Replaces `out` by the decoded bytes. False, with `out` unspecified, if the text is not standard padded base64.
bool parse_base64(std::string_view text, bytes& out);
}  // namespace detail

}  // namespace tablemap
