// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/write/write_encoder.hpp"
#include "tablemap/mapping/dynamic.hpp"

#include <string>
#include <string_view>

namespace tablemap::inline v0_1::detail {

/// A write of a row that a pattern keeps for itself.
inline encoded_write encode_row(write_kind kind, dynamic_entity const& row, std::string_view if_match) {
    encoded_write w{.kind = kind, .if_match = std::string{if_match}};
    w.fault = fault_of(encode(row, w.entity));
    return w;
}

}  // namespace tablemap::detail
