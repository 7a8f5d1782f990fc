// SPDX-License-Identifier: Apache-2.0
#include "rest/transport_settings.hpp"

#include "base/ascii.hpp"
#include "base/text_bytes.hpp"
#include "rest/url.hpp"
#include "tablemap/base/bytes.hpp"
#include "tablemap/base/error.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <string_view>

namespace tablemap::inline v0_1::detail {
namespace {

/// RFC 1035, 3.1, as text.
constexpr std::size_t longest_host = 253;

bool is_host_text(std::string_view text) noexcept {
    return !text.empty() && text.size() <= longest_host && std::none_of(text.begin(), text.end(), [](char c) {
        return c <= ' ' || c >= 0x7F || std::string_view{"/?#@[]%\"\\"}.find(c) != std::string_view::npos;
    });
}

bool is_port_text(std::string_view text) noexcept {
    return !text.empty() && text.size() <= 5 && std::all_of(text.begin(), text.end(), is_digit) &&
           std::stoul(std::string{text}) - 1 < 65535;
}

/// Splits "host:port" or "[address]:port". False if it is neither.
bool read_proxy_authority(std::string_view text, http_proxy& to) {
    auto const colon = text.rfind(':');
    if (colon == std::string_view::npos || !is_port_text(text.substr(colon + 1))) return false;
    to.port = text.substr(colon + 1);
    auto host = text.substr(0, colon);
    bool const in_brackets = host.size() > 2 && host.front() == '[' && host.back() == ']';
    if (in_brackets) host = host.substr(1, host.size() - 2);
    to.host = host;
    return is_host_text(host) && (in_brackets || host.find(':') == std::string_view::npos);
}

/// True if each '%' begins an escape such as %40.
bool has_whole_escapes(std::string_view text) noexcept {
    auto const is_digit_at = [&](std::size_t i) { return i < text.size() && is_hex(text[i]); };
    for (auto at = text.find('%'); at != std::string_view::npos; at = text.find('%', at + 1))
        if (!is_digit_at(at + 1) || !is_digit_at(at + 2)) return false;
    return true;
}

bool is_ipv6_address(std::string const& text) noexcept {
    in6_addr address;
    return ::inet_pton(AF_INET6, text.c_str(), &address) == 1;
}

}  // namespace

void check_origin(http_origin const& o) {
    char const* wrong = nullptr;
    if (o.scheme != "http" && o.scheme != "https")
        wrong = "an endpoint's scheme must be http or https";
    else if (!is_host_text(o.host) || (o.host.find(':') != std::string::npos && !is_ipv6_address(o.host)))
        wrong = "an endpoint's host must be a name of at most 253 bytes or an address, without brackets";
    else if (!is_port_text(o.port))
        wrong = "an endpoint's port must be a number from 1 to 65535";
    if (wrong) throw error{library_errc::invalid_connection_string, {.reason = wrong}};
}

void check_options(transport_options const& o) {
    using std::chrono::milliseconds;
    auto const require = [](bool holds, char const* member, char const* reason) {
        if (!holds) throw error{library_errc::value_out_of_range, {.reason = reason, .member = member}};
    };
    require(o.connections > 0, "connections", "a transport needs at least one connection");
    require(o.largest_response > 0, "largest_response", "it must be at least one byte");
    require(o.longest_request > milliseconds::zero(), "longest_request", "it must be longer than zero");
    require(o.connect_timeout > milliseconds::zero(), "connect_timeout", "it must be longer than zero");
    require(o.idle_limit >= milliseconds::zero(), "idle_limit", "it must not be negative");
}

transport_options bounded(transport_options o) {
    constexpr std::chrono::milliseconds a_year = std::chrono::hours{24 * 365};
    check_options(o);
    for (auto* const d : {&o.longest_request, &o.connect_timeout, &o.idle_limit}) *d = std::min(*d, a_year);
    return o;
}

std::string http_proxy::authorization() const {
    if (user.empty()) return {};
    auto const secret = user + ':' + password;
    std::string out = "Basic ";
    append_base64(out, as_bytes(secret));
    return out;
}

std::optional<http_proxy> proxy_in(std::string const& url) {
    if (url.empty()) return std::nullopt;
    constexpr std::string_view scheme = "http://";
    std::string_view rest = url;
    bool good = rest.starts_with(scheme);
    rest.remove_prefix(good ? scheme.size() : 0);
    if (rest.ends_with('/')) rest.remove_suffix(1);

    http_proxy p;
    if (auto const at = rest.rfind('@'); at != std::string_view::npos) {
        auto const secret = rest.substr(0, at);
        auto const colon = secret.find(':');
        good = good && colon != std::string_view::npos && has_whole_escapes(secret);
        if (good) {
            p.user = percent_decoded(secret.substr(0, colon));
            p.password = percent_decoded(secret.substr(colon + 1));
        }
        // A colon in the name would shift the border to the password.
        good = good && !p.user.empty() && p.user.find(':') == std::string::npos;
        rest.remove_prefix(at + 1);
    }
    if (!good || !read_proxy_authority(rest, p))
        throw error{library_errc::invalid_connection_string,
                    {.reason = "transport_options::proxy must be http://host:port or http://user:password@host:port, "
                               "reserved characters of user and password as %40"}};
    return p;
}

std::string proxy_refusal(int status) {
    if (status == proxy_authentication_required)
        return "the proxy asks for other credentials (407): check user and password of transport_options::proxy";
    return "the proxy did not connect to the endpoint: it answered with status " + std::to_string(status);
}

std::string bracketed(std::string const& host) { return host.find(':') == std::string::npos ? host : '[' + host + ']'; }

}  // namespace tablemap::detail
