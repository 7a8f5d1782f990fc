// SPDX-License-Identifier: Apache-2.0
#include "support/served_store.hpp"

#include "tablemap/open.hpp"
#include "tablemap/rest/transport.hpp"
#include "tablemap/testing/store_contract.hpp"

#include <string>

/// The contract through a server of this project: a client of the service over HTTP, and an embedded store behind it.
namespace tablemap::test {
namespace {

using testing::deviation;

server& shared_server() {
    static server s{store_in_memory(), served_options()};
    return s;
}

store_ptr on_server(std::string const& transport) {
    return open(connection_string_of(shared_server()), {.transport = {.name = transport}});
}

[[maybe_unused]] bool const registered = [] {
    for (auto const transport : transport_names()) {
        std::string const name{transport};
        testing::register_store_contract({.name = "served_" + name,
                                          .make = [name] { return on_server(name); },
                                          .deviations = {
                                              // The protocol has no place for the property at fault.
                                              deviation::omits_property_of_error,
                                              // It is refused as any other malformed input: the protocol has one code.
                                              deviation::accepts_any_continuation,
                                              // An insert has its keys in its body alone.
                                              deviation::accepts_any_body_key,
                                              // This endpoint is one of tables.
                                              deviation::no_queues,
                                              deviation::no_blobs,
                                          }});
    }
    return true;
}();

}  // namespace
}  // namespace tablemap::test
