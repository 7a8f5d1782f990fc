// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/ticks.hpp"
#include "tablemap/rest/transport.hpp"
#include "tablemap/store/request.hpp"
#include "tablemap/store/response.hpp"

/// Interprets HTTP responses of the service.
namespace tablemap::inline v0_1::detail {

enum class table_service_kind { azure, cosmos };

/// Reads the response to a request. The body of a page or entity is passed on as it came; only its frame is looked at,
/// the decoder finds the rest.
///
/// An error's code comes from the body, else from the header x-ms-error-code, else from the status. The outcome of a
/// failed write is `not_applied` for 4xx and for a 503 or 429 that the service signed with its code; `in_doubt` for
/// 408 and every other 5xx, and for a success that does not tell what happened. A write that succeeded but whose
/// response lacks what the caller needs is `library_errc::malformed_response` with the outcome `applied`.
///
/// A group transaction that failed names its operation where the service does: by the number before its message, by the
/// Content-ID in the failing part, or by neither, which Azure does for the first operation.
///
/// `now` is needed for a Retry-After that is a date, `from` for what the services mean differently.
response read_response(request const& r, http_response&& answer, ticks now, table_service_kind from = {});

}  // namespace tablemap::detail
