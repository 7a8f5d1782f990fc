// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/store.hpp"

#include <stdexcept>
#include <string>

namespace tablemap::inline v0_1::command {

/// A command line, or a file that it names, that cannot be carried out. The message says what to do.
struct usage_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The store of a subcommand.
struct store_options {
    std::string connection{};        ///< a connection string; empty: that of `file`
    std::string file{};              ///< a file that holds a connection string; empty: that of the environment variable
    char const* option = "--store";  ///< the option of `connection`; with "-file" behind it that of `file`
};

inline constexpr char const* store_variable = "TABLEMAP_STORE";

/// The connection string of `o`.
///
/// \throws usage_error if there is none, or two
std::string connection_string_of(store_options const& o);

/// Opens the store of `o`. Remote stores repeat what may pass, such as a busy server.
///
/// \throws usage_error as `connection_string_of`
/// \throws error as `tablemap::open`
store_ptr open_store(store_options const& o);

/// True if both are one embedded file that is there, or one account.
bool is_same_store(store_options const& a, store_options const& b);

}  // namespace tablemap::inline v0_1::command
