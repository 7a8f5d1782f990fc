// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/open.hpp"

#include <string_view>
#include <utility>

namespace tablemap::test {

/// The same store, with all that is logged and said of its requests and operations appended to a file in the folder
/// that the environment variable TABLEMAP_RECORD_FOLDER names, for tests/secrets to look through. Without that, or for
/// null, `s` itself.
store_ptr recorded(store_ptr s);

inline store_ptr open_recorded(std::string_view connection_string, open_options options = {}) {
    return recorded(open(connection_string, std::move(options)));
}

}  // namespace tablemap::test
