// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/detail/base/static_list.hpp"
#include "tablemap/detail/keys/part_layout.hpp"

#include <string_view>

/// Keys that are a text as it stands, as most are. To read them as lists of parts takes 5 % of reading a short row.
namespace tablemap::inline v0_1::detail {

inline bool is_one_text(static_list<part_layout> parts) noexcept {
    return parts.size() == 1 && parts.front().kind == part_kind::text && parts.front().form == part_form::plain;
}

/// Reads such a key into its member. Errors: as `read_key_text`.
result<void> read_one_text(std::string_view text, part_layout const& p, void* member);

}  // namespace tablemap::detail
