// SPDX-License-Identifier: Apache-2.0
#include "rest/access_text.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <charconv>
#include <initializer_list>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::string_view version_with_scopes = "2020-12-06";

std::string joined(std::initializer_list<std::string_view> lines) {
    std::string text;
    for (auto const line : lines) text.append(line).append("\n");
    return text;
}

/// The number of an IPv4 address in four decimal parts.
std::optional<std::uint32_t> address_of(std::string_view text) noexcept {
    std::uint32_t number = 0;
    for (int part = 0; part < 4; ++part) {
        auto const end = part < 3 ? text.find('.') : text.size();
        if (end == std::string_view::npos || end == 0 || end > 3) return std::nullopt;
        unsigned value = 0;
        auto const [last, e] = std::from_chars(text.data(), text.data() + end, value);
        if (e != std::errc{} || last != text.data() + end || value > 255) return std::nullopt;
        number = number << 8 | value;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return text.empty() ? std::optional{number} : std::nullopt;
}

}  // namespace

std::string string_to_sign(std::string_view account, std::string_view table, table_access_text const& a) {
    auto const resource = "/table/" + std::string{account} + "/" + lower_case(table);
    auto text = joined({a.permissions, a.start, a.expiry, resource, a.policy, a.addresses, a.protocol, a.version,
                        a.first_partition, a.first_row, a.last_partition});
    return text.append(a.last_row);
}

std::string string_to_sign(std::string_view account, account_access_text const& a) {
    auto text = joined(
        {account, a.permissions, a.services, a.resources, a.start, a.expiry, a.addresses, a.protocol, a.version});
    if (a.version >= version_with_scopes) text.append(a.scope).append("\n");
    return text;
}

bool is_access_version(std::string_view text) noexcept {
    if (text.size() != oldest_access_version.size()) return false;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (oldest_access_version[i] == '-' ? text[i] != '-' : !is_digit(text[i])) return false;
    return text >= oldest_access_version;
}

std::optional<address_range> read_address_range(std::string_view text) noexcept {
    auto const dash = text.find('-');
    auto const first = address_of(text.substr(0, dash));
    auto const last = dash == std::string_view::npos ? first : address_of(text.substr(dash + 1));
    if (!first || !last || *first > *last) return std::nullopt;
    return address_range{*first, *last};
}

}  // namespace tablemap::detail
