// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/incoming.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace tablemap::inline v0_1::detail::serve {

/// The kind of thing that a URL names.
enum class resource : std::uint8_t {
    service,  ///< the account's table service
    tables,   ///< the list of tables
    table,    ///< one table of the list
    rows,     ///< the entities of a table
    row,      ///< one entity
    batch,    ///< a group transaction
};

/// A resource as a URL names it, its texts decoded but not checked.
struct target {
    resource what{};
    std::string table{};
    std::string partition_key{};
    std::string row_key{};
    bool secondary = false;  ///< the readable copy is asked
    std::string base{};      ///< "http://127.0.0.1:10002/devstoreaccount1", in front of every resource
    parameters query{""};
};

/// Reads the target of a request: `/account/…`, or `/…` at a host whose first label is the account. A key is read as
/// clients write it, its quotes doubled and then percent-encoded.
///
/// Refuses URLs that name nothing that the service has, and those of other accounts.
target read_target(incoming const& in, std::string_view account);

/// The same for the URL of an operation in a group transaction: absolute, or a path that need not name the account.
target read_inner_target(std::string_view url, incoming const& outer, std::string_view account);

}  // namespace tablemap::detail::serve
