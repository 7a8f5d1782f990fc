// SPDX-License-Identifier: Apache-2.0
#include "command/open_store.hpp"

#include "open_account.hpp"
#include "tablemap/embedded/store.hpp"
#include "tablemap/open.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace tablemap::inline v0_1::command {
namespace {

/// Longer than any connection string: a file that was named by mistake is not read whole.
constexpr std::size_t longest_connection_string = 64 * 1024;

std::string connection_string_in(std::string const& file) {
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
    std::string const option = o.option;
    if (!o.connection.empty() && !o.file.empty())
        throw usage_error{"give " + option + " or " + option + "-file, not both"};
    if (!o.connection.empty()) return o.connection;
    if (!o.file.empty()) return connection_string_in(o.file);
    if (char const* const text = std::getenv(store_variable); text && *text) return text;
    throw usage_error{"no store; give " + option + ", " + option + "-file or the environment variable " +
                      store_variable};
}

bool is_same_store(store_options const& a, store_options const& b) {
    auto const x = connection_string_of(a), y = connection_string_of(b);
    auto const file = parse_embedded(x), other_file = parse_embedded(y);
    if (!file || !other_file) return detail::is_same_account(x, y);
    std::error_code e;  // of a store in memory, which is no other's
    return std::filesystem::equivalent(file->path, other_file->path, e);
}

store_ptr open_store(store_options const& o) { return open(connection_string_of(o)); }

}  // namespace tablemap::inline v0_1::command
