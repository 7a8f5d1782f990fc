// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/error.hpp"
#include "tablemap/rest/transport.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tablemap::inline v0_1::detail {

struct head_fault {
    transport_errc code;
    char const* reason;
};

/// The most bytes of all headers together.
constexpr std::uint32_t largest_head = 32 * 1024;

/// The fault of a head that a library has parsed. `largest_body` is none if no body can follow.
std::optional<head_fault> fault_of_head(http_response const& head, std::optional<std::size_t> largest_body);

/// True unless the response has several entity tags, or one that is none, so that the right one is unknown.
bool has_one_etag_at_most(http_response const& head) noexcept;

}  // namespace tablemap::detail
