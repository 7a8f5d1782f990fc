// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/rest/credential.hpp"
#include "tablemap/rest/transport.hpp"
#include "tablemap/store/store.hpp"

#include <memory>
#include <string_view>

namespace tablemap::inline v0_1 {

/// Options of opening a store, beside its connection string.
struct open_options {
    transport_options transport{};                   ///< of a remote store
    std::shared_ptr<key_provider const> keys{};      ///< of encrypted members
    std::shared_ptr<tablemap::observer> observer{};  ///< of its requests and operations: see `store/observer.hpp`

    /// Of an account, instead of that in its connection string, which then needs only AccountName or TableEndpoint.
    optional_credential credential{};
};

/// Opens a store by its connection string.
///
///     embedded:hr.db                      one SQLite file, created if it is missing, durable
///     embedded::memory:                   a store of its own in memory
///     embedded:hr.db;synchronous=normal   with options, see `parse_embedded`
///     UseDevelopmentStorage=true          the storage emulator on this machine
///     AccountName=hrdata;AccountKey=…     an account, see `parse_storage_account`; nothing is sent yet
///     TableEndpoint=…;SharedAccessSignature=…     the same with another credential
///
/// \return the store, to be shared by tables and threads
/// \throws error `library_errc::invalid_connection_string`; `store_errc` for a fault of a file
store_ptr open(std::string_view connection_string, open_options options = {});
result<store_ptr> try_open(std::string_view connection_string, open_options options = {});

}  // namespace tablemap
