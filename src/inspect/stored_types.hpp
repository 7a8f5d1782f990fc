// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/types.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace tablemap::inline v0_1::inspect {

/// Numbers of rows by `edm_type`.
using rows_by_type = std::array<std::uint64_t, 8>;

/// True if a member of one type reads stored values of the other: one of Edm.Int64 or Edm.Double reads Edm.Int32, too.
constexpr bool is_read_as(edm_type stored, edm_type member) noexcept {
    return stored == member || (stored == edm_type::int32 && (member == edm_type::int64 || member == edm_type::real));
}

/// "1 row" or "12,345 rows".
std::string rows_text(std::uint64_t rows);

/// A list such as "Edm.String in 1 row, Edm.Int32 in 26 rows".
std::string text_of(rows_by_type const& rows);

}  // namespace tablemap::inspect
