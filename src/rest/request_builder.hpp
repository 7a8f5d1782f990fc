// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/guid.hpp"
#include "tablemap/base/result.hpp"
#include "tablemap/base/ticks.hpp"
#include "tablemap/rest/connection_string.hpp"
#include "tablemap/rest/transport.hpp"
#include "tablemap/store/request.hpp"

#include <cstddef>
#include <string_view>

namespace tablemap::inline v0_1::detail {

inline constexpr std::string_view usual_version = "2019-02-02";        ///< x-ms-version
inline constexpr std::string_view version_with_tokens = "2020-12-06";  ///< the oldest that takes access tokens

inline constexpr std::string_view blob_version = "2020-10-02";  ///< of requests of queues and blobs, if it is later

/// The data that a message needs beside the request. Borrows.
struct message_frame {
    service_endpoint const& endpoint;
    std::string_view client_request_id;  ///< at most 1 KiB of visible ASCII
    ticks date;
    guid batch{};  ///< names the boundaries of a group transaction, as does the next
    guid changeset{};
    std::string_view service_version = usual_version;
};

/// The most bytes that the body of a group transaction may have, frames and all.
std::size_t transaction_bytes_at(service_endpoint const& endpoint) noexcept;

/// The most bytes of it that the lines around one operation take: `capabilities::transaction_overhead`.
std::size_t transaction_overhead_at(service_endpoint const& endpoint);

/// The request as it goes over the wire, unsigned: minimal metadata asked for, no entity asked back from a write.
///
/// An entity is merged by PATCH, or at Cosmos by POST with X-HTTP-Method. A group transaction is one change set whose
/// operations have absolute URLs. Precondition: `check_request(r)`.
///
/// Errors: those of `filter::append_odata`; `service_errc::request_body_too_large` for a group transaction that exceeds
/// `transaction_bytes_at` with its frames.
result<http_request> build_request(request const& r, message_frame const& frame);

inline void add_header(http_request& m, std::string_view name, std::string_view value) {
    m.headers.emplace_back(name, value);
}

/// A request of queues or blobs without what it is about: the target is the path of the endpoint, and the headers are
/// those that all requests have.
http_request blob_message(std::string_view method, message_frame const& f);

}  // namespace tablemap::detail
