// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/rest/credential.hpp"
#include "tablemap/rest/transport.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace tablemap::inline v0_1 {

/// The address of a service of an account.
struct service_endpoint {
    http_origin origin{};
    std::string path{};  ///< in front of every resource: empty, or the account of an emulator as "/devstoreaccount1"

    /// "http://127.0.0.1:10002/devstoreaccount1"; a scheme's own port is left out.
    std::string url() const;

    /// True for the Cosmos DB Table API, told by its host.
    bool is_cosmos() const noexcept;

    friend bool operator==(service_endpoint const&, service_endpoint const&) = default;
};

/// A storage account and its credential. No error and no log contains any part of the credential.
struct storage_account {
    std::string name{};  ///< as Shared Key signs it; may be empty for the other credentials
    std::optional<tablemap::credential> credential{};  ///< none: requests are refused
    service_endpoint endpoint{};                       ///< of tables
    std::optional<service_endpoint> secondary{};  ///< for reads only; the account's name in requests stays the same
    std::optional<service_endpoint> queues{};     ///< none: the account has no queues
    std::optional<service_endpoint> blobs{};      ///< none: the account has no blobs
    std::string transport{};                      ///< the name of the HTTP transport; empty: the default one
    tablemap::read_from read_from{};              ///< the endpoint that reads go to
};

/// Reads an Azure Storage connection string: `name=value` pairs between semicolons, names in any case, each once.
///
///     DefaultEndpointsProtocol=https;AccountName=hrdata;AccountKey=…;EndpointSuffix=core.windows.net
///     AccountName=hrdata;AccountKey=…;TableEndpoint=https://hrdata.table.cosmos.azure.com:443/
///     UseDevelopmentStorage=true                       the emulator on this machine, with its well-known account
///     UseDevelopmentStorage=true;DevelopmentStorageProxyUri=http://build-host:20002   another host; default port 10002
///     TableEndpoint=https://hrdata.table.core.windows.net;SharedAccessSignature=sv=…&sig=…
///
/// The endpoints of queues and blobs are `QueueEndpoint` and `BlobEndpoint`; without them they are made of
/// `AccountName` as that of tables is, unless the connection string names an endpoint of tables or Cosmos DB. Their
/// secondary endpoints, and those of files, are accepted and not used. The account's name, if it is not given beside an
/// endpoint, is the first label of the host's name, or the first part of the path after an address. Three options are
/// tablemap's own: `transport=beast` names the HTTP transport; `read_from=primary`, `primary_then_secondary` or
/// `secondary` selects the endpoint of reads; `authentication=SharedKeyLite` signs in that form.
///
/// `instead` is the credential to use whatever the text says; then `AccountName` or `TableEndpoint` are enough.
///
/// \throws error `library_errc::invalid_connection_string`, naming the pair and the expected form, never a value
result<storage_account> parse_storage_account(std::string_view connection_string,
                                              std::optional<credential> instead = {});

}  // namespace tablemap
