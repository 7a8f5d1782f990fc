// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/rest/connection_string.hpp"
#include "tablemap/rest/credential.hpp"
#include "tablemap/rest/transport.hpp"

#include <string>
#include <string_view>

/// Signs requests. Shared Key for the table service differs from that of blobs and queues;
/// source: the service's "Authorize with Shared Key", the sections on each of them.
namespace tablemap::inline v0_1::detail {

enum class shared_key_form : bool { full, lite };

/// The signed text: verb, Content-MD5, Content-Type, x-ms-date and the resource, whose path is taken byte for byte from
/// the request; in the lite form the last two. Of the query only `comp` counts. For an emulator the account comes
/// twice: its path begins with it, too.
std::string string_to_sign(http_request const& r, std::string_view account, shared_key_form form = {});

/// The text that is signed for queues and blobs: verb, standard headers, headers of the service, and the resource with
/// every parameter of the query, decoded and in order. The lite form leaves out most of it.
std::string string_to_sign_for_blobs(http_request const& r, std::string_view account, shared_key_form form = {});

/// The service that a request is signed for.
enum class signed_service : bool { tables, queues_and_blobs };

/// Appends the Authorization header, or the given signature to the query of the request itself; operations inside a
/// group transaction carry neither. Appends nothing for a token credential, whose transport does that. To be called
/// last: the request must not change afterwards.
/// Preconditions: `r` has a header x-ms-date; `check_credential`.
void authorize(http_request& r, storage_account const& account, signed_service service = {});

}  // namespace tablemap::detail
