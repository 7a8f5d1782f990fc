// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "embedded/call_limits.hpp"
#include "embedded/connection.hpp"

#include "tablemap/store/blob_request.hpp"
#include "tablemap/store/response.hpp"

#include <functional>

/// The operations behind the requests of blobs, on a connection that the caller holds. All throw `error`.
namespace tablemap::inline v0_1::detail::embedded {

/// Precondition: a request that is no write, and `check_blob_request`.
response read_blobs(connection& c, blob_request const& r, call_limits const& limits);

/// The surroundings of a write.
struct blob_call {
    std::function<ticks()> const& now;
    call_limits const& limits;
};

/// Precondition: a write, and `check_blob_request`.
response change_blobs(connection& c, blob_request const& r, blob_call const& call);

}  // namespace tablemap::detail::embedded
