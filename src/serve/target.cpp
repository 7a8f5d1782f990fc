// SPDX-License-Identifier: Apache-2.0
#include "serve/target.hpp"

#include "base/ascii.hpp"
#include "rest/url.hpp"
#include "serve/refused.hpp"

#include <algorithm>
#include <optional>

namespace tablemap::inline v0_1::detail::serve {
namespace {

constexpr std::size_t longest_host = 255 + 6;  // RFC 1035, section 2.3.4, and a port

[[noreturn]] void refuse_uri() {
    throw refused{400, "InvalidUri", "The requested URI does not represent any resource on the server."};
}

/// Takes a text off the front; false if the rest does not begin with it.
bool take(std::string_view& rest, std::string_view text) noexcept {
    if (!rest.starts_with(text)) return false;
    rest.remove_prefix(text.size());
    return true;
}

void skip_blanks(std::string_view& rest) noexcept {
    while (take(rest, " ")) continue;
}

/// A text between quotes, in which a quote is doubled.
std::string take_quoted(std::string_view& rest) {
    if (!take(rest, "'")) refuse_uri();
    std::string text;
    while (!rest.empty()) {
        if (take(rest, "''")) {
            text += '\'';
        } else if (take(rest, "'")) {
            return text;
        } else {
            text += rest.front();
            rest.remove_prefix(1);
        }
    }
    refuse_uri();
}

/// Reads `PartitionKey='…',RowKey='…'` in either order.
void take_keys(std::string_view& rest, target& t) {
    std::optional<std::string> partition, row;
    do {
        skip_blanks(rest);
        auto& key = take(rest, "PartitionKey=") ? partition : take(rest, "RowKey=") ? row : (refuse_uri(), row);
        if (key) refuse_uri();
        key = take_quoted(rest);
        skip_blanks(rest);
    } while (take(rest, ","));
    if (!partition || !row) refuse_uri();
    t.partition_key = *std::move(partition);
    t.row_key = *std::move(row);
}

/// Reads what is between the parentheses behind a name, and the end.
void take_arguments(std::string_view rest, target& t) {
    bool const lists_tables = t.what == resource::tables;
    skip_blanks(rest);
    if (rest.starts_with(')')) {
        // All of them.
    } else if (lists_tables) {
        t.table = take_quoted(rest);
        t.what = resource::table;
    } else {
        take_keys(rest, t);
        t.what = resource::row;
    }
    skip_blanks(rest);
    if (rest != ")") refuse_uri();
}

/// Reads the path behind the account.
void read_resource(std::string_view encoded, target& t) {
    auto const path = percent_decoded(encoded);
    std::string_view rest = path;
    if (rest.empty() || rest == "/") return;
    if (!take(rest, "/")) refuse_uri();
    if (rest == "$batch") {
        t.what = resource::batch;
        return;
    }
    auto const end = std::min(rest.find('('), rest.size());
    auto const name = rest.substr(0, end);
    if (name.empty() || name.find('/') != std::string_view::npos) refuse_uri();
    bool const lists_tables = equal_ignoring_case(name, "Tables");
    t.what = lists_tables ? resource::tables : resource::rows;
    if (!lists_tables) t.table = name;
    if (end < rest.size()) take_arguments(rest.substr(end + 1), t);
}

/// The host becomes a part of URLs in responses: it holds nothing that could end one.
std::string checked_host(incoming const& in) {
    auto const host = header_of(in.message, "Host").value_or(std::string_view{});
    bool const good = !host.empty() && host.size() <= longest_host && std::all_of(host.begin(), host.end(), [](char c) {
        return is_letter_or_digit(c) || std::string_view{".-_:[]"}.find(c) != std::string_view::npos;
    });
    if (!good) throw refused{400, "InvalidHeaderValue", "The header Host is missing or names no host."};
    return std::string{host};
}

enum class account_place { required, optional };

/// True if the name of an account stands for its readable copy; nothing for the name of another account.
std::optional<bool> is_of_copy(std::string_view name, std::string_view account) noexcept {
    constexpr std::string_view suffix = "-secondary";
    bool const copy = name.ends_with(suffix);
    if (copy) name.remove_suffix(suffix.size());
    return name == account ? std::optional{copy} : std::nullopt;
}

/// The same for the first label of a host. The numbers of an address are no labels.
std::optional<bool> is_host_of_copy(std::string_view host, std::string_view account) noexcept {
    auto const dot = host.find('.');
    if (dot == host.npos || host.find_first_not_of("0123456789.:") == host.npos) return std::nullopt;
    return is_of_copy(host.substr(0, dot), account);
}

/// Takes the account off a path. A host that names it may be the machine's own name: the path begins with it then, too,
/// since no resource has two slashes.
void take_account(std::string_view& path, std::string_view host, std::string_view account, account_place place,
                  target& t) {
    auto const end = std::min(path.find('/', std::min<std::size_t>(1, path.size())), path.size());
    auto const name = path.substr(0, end);
    auto const in_host = is_host_of_copy(host, account);
    auto const in_path =
        name.starts_with('/') && (!in_host || end < path.size()) ? is_of_copy(name.substr(1), account) : std::nullopt;
    t.secondary = in_host.value_or(false) || in_path.value_or(false);
    if (in_path) {
        t.base.append(name);
        path.remove_prefix(end);
    }
    if (in_host || in_path) return;
    if (place == account_place::required)
        refuse_authentication(
            "The URL names none of this server's accounts: it serves one, whose name comes first in the path.");
    t.base.append("/").append(account);
}

target read_path(std::string_view text, incoming const& in, std::string_view account,
                 account_place place = account_place::required) {
    auto const host = checked_host(in);
    auto const query_at = std::min(text.find('?'), text.size());
    auto path = text.substr(0, query_at);
    target t;
    t.base = (in.encrypted ? "https://" : "http://") + host;
    take_account(path, host, account, place, t);
    read_resource(path, t);
    t.query = parameters{text.substr(std::min(query_at + 1, text.size()))};
    return t;
}

}  // namespace

target read_target(incoming const& in, std::string_view account) {
    if (!in.message.target.starts_with('/')) refuse_uri();
    return read_path(in.message.target, in, account);
}

target read_inner_target(std::string_view url, incoming const& outer, std::string_view account) {
    // The client for Python sends paths such as "/People", for accounts that are named in the host.
    auto place = account_place::optional;
    for (auto const* scheme : {"http://", "https://"})
        if (take(url, scheme)) {
            url.remove_prefix(std::min(url.find('/'), url.size()));
            place = account_place::required;
            break;
        }
    if (!url.starts_with('/')) refuse_uri();
    return read_path(url, outer, account, place);
}

}  // namespace tablemap::detail::serve
