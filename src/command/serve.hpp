// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/console.hpp"
#include "command/open_store.hpp"

#include <cstdint>
#include <string>

namespace tablemap::inline v0_1::command {

struct served_store {
    store_options store{};
    std::string account{};   ///< the name that clients give
    std::string key_file{};  ///< holds the account's key in base64; empty: that of the environment, or the emulator's
    std::string address = "127.0.0.1";
    std::uint16_t port = 10002;
    std::string certificate_file{};
    std::string private_key_file{};
    bool page = false;     ///< serve the report and rows as pages, too
    std::string schema{};  ///< a file of tablemap-gen, with which the report compares the rows; empty: none
};

inline constexpr char const* key_variable = "TABLEMAP_SERVE_KEY";

/// Serves a store until SIGINT or SIGTERM comes. Blocks these signals in this thread, and in those that it starts.
int serve(served_store const& o, console& c);

}  // namespace tablemap::inline v0_1::command
