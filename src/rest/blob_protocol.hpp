// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/rest/transport.hpp"
#include "tablemap/store/blob_request.hpp"
#include "tablemap/store/response.hpp"

/// The REST protocol of blobs.
namespace tablemap::inline v0_1::detail {

struct message_frame;

/// The request as it goes over the wire, unsigned. Precondition: `check_blob_request(r)`.
result<http_request> build_blob_request(blob_request const& r, message_frame const& frame);

/// True if the status says that the request was carried out.
bool is_success_of_blob(blob_request const& r, int status) noexcept;

/// The response to a request that was carried out.
response read_blob_response(blob_request const& r, http_response&& answer);

}  // namespace tablemap::detail
