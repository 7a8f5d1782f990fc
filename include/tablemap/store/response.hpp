// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/error.hpp"
#include "tablemap/edm/etag.hpp"
#include "tablemap/store/request.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tablemap::inline v0_1 {

struct service_response;

/// Details of one request to a remote store, beside its response.
struct round_trip {
    int status = 0;  ///< the status of HTTP; 0: no response came
    std::string client_request_id{};
    std::string request_id{};        ///< the server's id of the request
    std::size_t bytes_sent = 0;      ///< bytes of the request's body
    std::size_t bytes_received = 0;  ///< bytes of the response's body
    bool secondary = false;          ///< the readable copy was asked
};

/// The response of a store to one request.
struct response {
    /// Empty if the request was carried out. The failure of a missing entity is `service_errc::resource_not_found`. In
    /// a failed write its `outcome()` tells whether the change may have been stored nevertheless.
    std::optional<error> failure{};

    /// The response's entities. get_entity: the encoded entity with `odata.etag` and Timestamp. query_page:
    /// `{"value":[…]}` of such entities. get_blob: the bytes.
    ///
    /// An embedded store answers a request with `packed` by packed rows, a form of its own, which only the library
    /// reads and which may change. `etag` is not set then. A store in front of it that looks into responses clears that
    /// flag.
    std::string body{};

    tablemap::etag etag{};                ///< get_entity, if not packed, and every write of an entity or blob that
                                          ///< leaves one
    std::vector<tablemap::etag> etags{};  ///< transact: one for each operation, empty for erase
    std::optional<continuation> next{};   ///< query_page: set while there may be more

    /// Answers to rare requests, kept apart so that point reads stay small: list_tables, every request for access
    /// policies, properties and statistics, and those of queues and blobs that return something. Set if the request was
    /// carried out.
    std::shared_ptr<service_response const> service{};

    /// The wait before the next try that the store asks for.
    std::optional<std::chrono::milliseconds> retry_after{};

    std::shared_ptr<round_trip const> trip{};  ///< set by a remote store if it was asked

    bool ok() const noexcept { return !failure; }

    /// The effect of a write.
    tablemap::outcome outcome() const noexcept { return failure ? failure->outcome() : tablemap::outcome::applied; }

    static response failed(error const& e);
};

}  // namespace tablemap
