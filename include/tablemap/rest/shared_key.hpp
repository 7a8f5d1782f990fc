// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/rest/connection_string.hpp"
#include "tablemap/rest/transport.hpp"

#include <string>
#include <string_view>

/// Shared Key for the table service, which differs from that of blobs and queues. Source: the service's "Authorize with
/// Shared Key", the section on the Table service.
namespace tablemap::detail {

/// What is signed: verb, Content-MD5, Content-Type, x-ms-date and the resource, whose path is taken byte for byte
/// from the request. Of the query only `comp` counts. For an emulator the account comes twice: its path begins with
/// it, too.
std::string string_to_sign(http_request const& r, std::string_view account);

/// Appends the Authorization header. To be called last: the request must not change afterwards.
/// Precondition: `r` has a header x-ms-date.
void sign_shared_key(http_request& r, storage_account const& account);

}  // namespace tablemap::detail
