// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/error.hpp"
#include "tablemap/base/ticks.hpp"
#include "tablemap/rest/transport.hpp"
#include "tablemap/store/request.hpp"

#include <chrono>
#include <optional>
#include <string_view>

/// Reads responses whose status is no success.
namespace tablemap::inline v0_1::detail {

/// The error of a response, alone or inside a batch, with its outcome for this request. `header_code` is the value of
/// x-ms-error-code or empty.
error read_refusal(request const& r, int status, std::string_view header_code, std::string_view body);

/// The longest of what Retry-After (seconds or a date), retry-after-ms and x-ms-retry-after-ms ask for, at most a day.
std::optional<std::chrono::milliseconds> read_retry_after(http_response const& answer, ticks now);

}  // namespace tablemap::detail
