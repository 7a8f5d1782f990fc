// SPDX-License-Identifier: Apache-2.0
#include "tablemap/open.hpp"

#include "tablemap/embedded/store.hpp"

namespace tablemap {

result<store_ptr> try_open(std::string_view connection_string) {
    if (!connection_string.starts_with("embedded:"))
        return fail(library_errc::invalid_connection_string,
                    {.reason = "it must begin with \"embedded:\", as in \"embedded:hr.db\" or \"embedded::memory:\"",
                     .action = "open"});
    auto options = parse_embedded(connection_string);
    if (!options) return failure{options.error().in("open", {})};
    return open_embedded(std::move(*options));
}

store_ptr open(std::string_view connection_string) { return value_or_throw(try_open(connection_string)); }

}  // namespace tablemap
