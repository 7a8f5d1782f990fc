// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/base/ticks.hpp"
#include "tablemap/rest/connection_string.hpp"
#include "tablemap/rest/transport.hpp"
#include "tablemap/store/store.hpp"

#include <cstdint>
#include <functional>
#include <memory>

/// The store that is the service: Azure Table Storage, the Cosmos DB Table API, or an emulator, over HTTP.
namespace tablemap::inline v0_1 {

/// The service of an account that a store speaks to.
enum class storage_service : std::uint8_t { tables, queues, blobs };

struct rest_options {
    storage_account account{};                         ///< as `parse_storage_account` gives it
    std::shared_ptr<tablemap::transport> transport{};  ///< to the account's endpoint
    std::function<ticks()> now{};                      ///< the time that requests are signed with; empty: the system's

    /// The account's endpoint is that of its readable copy. Only that one responses statistics; it refuses writes.
    bool is_secondary = false;

    /// The service at the account's `endpoint`. Requests of another one are refused.
    storage_service service = storage_service::tables;
};

/// Opens a store over a transport. Nothing is sent.
///
/// The store itself sends a request once; the drivers repeat it by the store's default policy, four tries with rising
/// waits. A request that the service would refuse for its form is refused before it is sent. An error carries the
/// service's text as `server_text()`, without secrets; `details().request_id` is the service's id of the request,
/// `details().client_request_id` the one it was sent with: `call_options::request_id` or a random one.
///
/// \throws error `library_errc::invalid_connection_string` if the account's credential, endpoint or transport is
/// missing, or its name although a key signs, or if the credential can never work there: see `detail::check_credential`
/// \par Thread safety
/// The store is thread-safe if the transport is.
result<store_ptr> open_rest(rest_options options);

}  // namespace tablemap
