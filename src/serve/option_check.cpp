// SPDX-License-Identifier: Apache-2.0
#include "serve/option_check.hpp"

#include "base/ascii.hpp"
#include "tablemap/rest/connection_string.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace tablemap::inline v0_1::detail::serve {
namespace {

constexpr std::string_view emulator = "devstoreaccount1";
constexpr std::size_t most_threads = 1024;
constexpr std::size_t most_connections = 65'536;
constexpr std::chrono::milliseconds longest_limit = std::chrono::hours{24};

[[noreturn]] void refuse(char const* member, char const* reason) {
    throw error{library_errc::value_out_of_range, {.reason = reason, .action = "serve", .member = member}};
}

bool is_account_name(std::string_view name) {
    return name.size() >= 3 && name.size() <= 24 &&
           std::all_of(name.begin(), name.end(), [](char c) { return is_lower(c) || is_digit(c); });
}

/// The emulator's key, which everybody knows.
account_key public_key() {
    auto const account = value_or_throw(parse_storage_account("UseDevelopmentStorage=true"));
    return std::get<shared_key_credential>(*account.credential).key;
}

void check_account(serve_options& o) {
    if (!is_account_name(o.account)) refuse("account", "a name has 3 to 24 letters and digits, in lower case");
    if (o.account == emulator && !o.key.valid()) o.key = public_key();
    if (!o.key.valid()) refuse("key", "give the base64 text of a key, such as 64 random bytes");
    if (!is_local(o) && o.key.sign({}) == public_key().sign({}))
        throw error{library_errc::invalid_connection_string,
                    {.reason = "everybody knows the key of devstoreaccount1, and other machines reach this address: "
                               "give a key of your own",
                     .action = "serve",
                     .member = "key"}};
}

void check_limits(serve_options const& o) {
    if (o.threads < 1 || o.threads > most_threads) refuse("threads", "it must be 1 to 1,024");
    if (o.connections < 1 || o.connections > most_connections) refuse("connections", "it must be 1 to 65,536");
    for (auto const& [limit, member] :
         {std::pair{o.idle_limit, "idle_limit"}, std::pair{o.longest_request, "longest_request"},
          std::pair{o.stop_limit, "stop_limit"}})
        if (limit <= std::chrono::milliseconds{0} || limit > longest_limit)
            refuse(member, "it must be more than nothing and at most a day");
}

}  // namespace

bool is_local(serve_options const& o) noexcept { return o.address.starts_with("127.") || o.address == "::1"; }

serve_options checked(serve_options o) {
    check_account(o);
    check_limits(o);
    if (o.pages && !is_local(o))
        refuse("pages", "pages need no signature, so they are served on an address of this machine alone, such as "
                        "127.0.0.1");
    if (o.certificate_file.empty() != o.private_key_file.empty())
        refuse("private_key_file", "TLS needs both certificate_file and private_key_file");
    if (!o.now) o.now = [] { return ticks::now(); };
    return o;
}

}  // namespace tablemap::detail::serve
