// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/request.hpp"
#include "tablemap/store/response.hpp"

#include <string_view>
#include <system_error>

/// Responses that stand in for those of a store.
namespace tablemap::inline v0_1::detail {

/// The response to a request that was not sent because the call has to end; `not_applied`.
response not_sent(request const& r, std::error_code why);

/// The response in place of one of a store, or a wrapper of it, that threw; `in_doubt` for a write.
response response_of_throwing(request const& r, std::string_view who = "the store") noexcept;

}  // namespace tablemap::detail
