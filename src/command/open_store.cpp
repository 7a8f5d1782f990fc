// SPDX-License-Identifier: Apache-2.0
#include "command/open_store.hpp"

#include "tablemap/open.hpp"

#include <cstdlib>
#include <fstream>

namespace tablemap::inline v0_1::command {
namespace {

/// Longer than any connection string: a file that was named by mistake is not read whole.
constexpr std::size_t longest_connection_string = 64 * 1024;

std::string first_line_of(std::string const& file) {
    std::ifstream in{file, std::ios::binary};
    std::string text(longest_connection_string, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (in.bad() || (!in.eof() && in.fail())) throw usage_error{"cannot read the connection string from " + file};
    text.resize(static_cast<std::size_t>(in.gcount()));
    text.resize(std::min(text.size(), text.find_first_of("\r\n")));
    if (text.empty()) throw usage_error{"the first line of " + file + " is empty; write the connection string there"};
    return text;
}

}  // namespace

std::string connection_string_of(store_options const& o) {
    if (!o.connection.empty() && !o.file.empty()) throw usage_error{"give --store or --store-file, not both"};
    if (!o.connection.empty()) return o.connection;
    if (!o.file.empty()) return first_line_of(o.file);
    if (char const* const text = std::getenv(store_variable); text && *text) return text;
    throw usage_error{std::string{"no store; give --store, --store-file or the environment variable "} +
                      store_variable};
}

store_ptr open_store(store_options const& o) { return open(connection_string_of(o)); }

}  // namespace tablemap::inline v0_1::command
