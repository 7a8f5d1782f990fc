// SPDX-License-Identifier: Apache-2.0
#include "tablemap/rest/connection_string.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace tablemap::inline v0_1 {
namespace {

using detail::equal_ignoring_case;
using detail::is_digit;
using detail::is_hex;
using detail::is_letter;
using detail::is_letter_or_digit;
using detail::is_lower;
using detail::lower_case;
using detail::trimmed;

constexpr std::string_view emulator_account = "devstoreaccount1";
constexpr std::string_view emulator_key =
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
constexpr std::string_view emulator_port = "10002";
constexpr std::string_view emulator_queue_port = "10001";
constexpr std::string_view emulator_blob_port = "10000";

enum name : std::size_t {
    use_development_storage,
    development_storage_proxy,
    protocol,
    account_name,
    account_key_text,
    account_key_name,
    endpoint_suffix,
    table_primary,
    table_secondary,
    blob_primary,
    blob_secondary,
    queue_primary,
    queue_secondary,
    file_primary,
    file_secondary,
    shared_access_signature,
    transport_name,
    read_location,
    authentication,
    name_count
};

constexpr std::array<std::string_view, name_count> setting_names{"UseDevelopmentStorage",
                                                                 "DevelopmentStorageProxyUri",
                                                                 "DefaultEndpointsProtocol",
                                                                 "AccountName",
                                                                 "AccountKey",
                                                                 "AccountKeyName",
                                                                 "EndpointSuffix",
                                                                 "TableEndpoint",
                                                                 "TableSecondaryEndpoint",
                                                                 "BlobEndpoint",
                                                                 "BlobSecondaryEndpoint",
                                                                 "QueueEndpoint",
                                                                 "QueueSecondaryEndpoint",
                                                                 "FileEndpoint",
                                                                 "FileSecondaryEndpoint",
                                                                 "SharedAccessSignature",
                                                                 "transport",
                                                                 "read_from",
                                                                 "authentication"};

failure bad_text(std::string reason) {
    return fail(library_errc::invalid_connection_string, {.reason = std::move(reason)});
}

/// The member of `transport_options` of this name, or null.
char const* transport_option(std::string_view text) noexcept {
    for (auto const* name :
         {"connections", "largest_response", "longest_request", "connect_timeout", "idle_limit", "proxy", "ca_file"})
        if (equal_ignoring_case(name, text)) return name;
    return nullptr;
}

/// A name that is not known may be the key itself, pasted without its name: only what looks like a word is repeated.
std::string unknown_name(std::string_view text, std::size_t position) {
    if (auto const* const option = transport_option(text))
        return std::string{"options of the transport are no part of a connection string: set "
                           "open_options::transport."} +
               option;
    bool const is_word = text.size() <= 32 && std::all_of(text.begin(), text.end(), is_letter);
    return is_word && !text.empty() ? "'" + std::string{text} + "' is no name of a connection string"
                                    : "pair " + std::to_string(position) + " does not begin with a known name";
}

class settings {
public:
    static result<settings> read(std::string_view text) {
        settings s;
        std::size_t position = 0;
        while (!text.empty()) {
            auto const end = std::min(text.find(';'), text.size());
            auto const pair = trimmed(text.substr(0, end));
            text.remove_prefix(std::min(end + 1, text.size()));
            if (pair.empty()) continue;
            if (auto const r = s.add(pair, ++position); !r) return failure{r.error()};
        }
        if (position == 0) return bad_text("it is empty");
        return s;
    }

    bool has(name n) const noexcept { return values_[n].has_value(); }
    std::string_view operator[](name n) const noexcept { return values_[n].value_or(std::string_view{}); }

private:
    result<void> add(std::string_view pair, std::size_t position) {
        auto const equals = pair.find('=');
        if (equals == std::string_view::npos)
            return bad_text("pair " + std::to_string(position) + " has no '=': expected name=value");
        auto const key = trimmed(pair.substr(0, equals));
        auto const at = std::find_if(setting_names.begin(), setting_names.end(),
                                     [&](auto n) { return equal_ignoring_case(n, key); });
        if (at == setting_names.end()) return bad_text(unknown_name(key, position));
        auto& value = values_[static_cast<std::size_t>(at - setting_names.begin())];
        if (value) return bad_text(std::string{*at} + " is given twice");
        value = trimmed(pair.substr(equals + 1));
        if (value->empty()) return bad_text(std::string{*at} + " has no value");
        return {};
    }

    std::array<std::optional<std::string_view>, name_count> values_{};
};

// --- endpoints -------------------------------------------------------------------------------------------------------

bool is_host(std::string_view text) noexcept {
    return !text.empty() && text.size() <= 253 && std::all_of(text.begin(), text.end(), [](char c) {
        return is_letter_or_digit(c) || c == '-' || c == '.' || c == '_';
    });
}

bool is_ipv6(std::string_view text) noexcept {
    return text.find(':') != std::string_view::npos &&
           std::all_of(text.begin(), text.end(), [](char c) { return is_hex(c) || c == ':' || c == '.'; });
}

bool is_path(std::string_view text) noexcept {
    return std::all_of(text.begin(), text.end(), [](char c) {
        return is_letter_or_digit(c) || std::string_view{"/-._~%"}.find(c) != std::string_view::npos;
    });
}

bool is_port(std::string_view text) noexcept {
    unsigned n = 0;
    auto const* const last = text.data() + text.size();
    auto const [end, e] = std::from_chars(text.data(), last, n);
    return e == std::errc{} && end == last && n >= 1 && n <= 65535;
}

/// Reads host and port, which stays as it is if there is none. Returns the fault of them, or nothing.
std::string_view read_authority(std::string_view text, http_origin& to) {
    constexpr std::string_view bad_host = "its host is neither a name nor an address";
    if (text.find('@') != std::string_view::npos) return "it names a user";
    auto host = text.substr(0, text.find(':'));
    bool const in_brackets = text.starts_with('[');
    if (in_brackets) {
        auto const end = text.find(']');
        if (end == std::string_view::npos) return bad_host;
        host = text.substr(1, end - 1);
        text.remove_prefix(end + 1);
    } else {
        text.remove_prefix(host.size());
    }
    if (in_brackets ? !is_ipv6(host) : !is_host(host)) return bad_host;
    to.host = lower_case(host);
    if (text.empty()) return {};
    if (text.front() != ':' || !is_port(text.substr(1))) return "its port is no number from 1 to 65535";
    to.port = text.substr(1);
    return {};
}

/// Reads a URL. Without `port` it is that of the scheme if the URL names none. Returns its fault, or
/// nothing.
std::string_view read_endpoint(std::string_view url, service_endpoint& to, std::string_view port = {}) {
    auto const colon = url.find("://");
    if (colon == std::string_view::npos) return "it has no scheme";
    to.origin.scheme = lower_case(url.substr(0, colon));
    if (to.origin.scheme != "http" && to.origin.scheme != "https") return "its scheme is neither http nor https";
    url.remove_prefix(colon + 3);
    if (url.find_first_of("?#") != std::string_view::npos)
        return "it has a query; a signature goes into SharedAccessSignature";

    auto const slash = std::min(url.find('/'), url.size());
    auto path = url.substr(slash);
    while (path.ends_with('/')) path.remove_suffix(1);
    if (!is_path(path)) return "its path holds a character that has to be percent-encoded";
    to.path = path;
    auto const own_port = to.origin.scheme == "https" ? std::string_view{"443"} : std::string_view{"80"};
    to.origin.port = port.empty() ? own_port : port;
    return read_authority(url.substr(0, slash), to.origin);
}

result<service_endpoint> endpoint_of(settings const& s, name n) {
    service_endpoint e;
    bool const is_proxy = n == development_storage_proxy;
    auto const fault = read_endpoint(s[n], e, is_proxy ? emulator_port : std::string_view{});
    if (fault.empty()) return e;
    auto const* const example = is_proxy             ? "http://build-host"
                                : n == queue_primary ? "https://account.queue.core.windows.net"
                                : n == blob_primary  ? "https://account.blob.core.windows.net"
                                                     : "https://account.table.core.windows.net";
    return bad_text(std::string{setting_names[n]} + " must be a URL such as " + example + ": " + std::string{fault});
}

/// The endpoints of queues and blobs that the text names.
result<void> add_named_endpoints(storage_account& a, settings const& s) {
    for (auto const n : {queue_primary, blob_primary}) {
        if (!s.has(n)) continue;
        auto e = endpoint_of(s, n);
        if (!e) return failure{e.error()};
        (n == queue_primary ? a.queues : a.blobs) = *std::move(e);
    }
    return {};
}

result<void> add_endpoints(storage_account& a, settings const& s) {
    if (s.has(table_secondary) && !s.has(table_primary))
        return bad_text("TableSecondaryEndpoint needs TableEndpoint beside it");
    for (auto const n : {table_primary, table_secondary}) {
        if (!s.has(n)) continue;
        auto e = endpoint_of(s, n);
        if (!e) return failure{e.error()};
        if (n == table_primary)
            a.endpoint = *std::move(e);
        else
            a.secondary = *std::move(e);
    }
    if (auto others = add_named_endpoints(a, s); !others) return others;
    if (s.has(table_primary)) return {};

    std::string scheme = "https";
    if (s.has(protocol)) {
        if (!equal_ignoring_case(s[protocol], "http") && !equal_ignoring_case(s[protocol], "https"))
            return bad_text("DefaultEndpointsProtocol must be 'http' or 'https'");
        scheme = equal_ignoring_case(s[protocol], "http") ? "http" : "https";
    }
    auto const suffix = s.has(endpoint_suffix) ? s[endpoint_suffix] : std::string_view{"core.windows.net"};
    if (!is_host(suffix)) return bad_text("EndpointSuffix must be a host name such as core.windows.net");
    auto at = [&](std::string_view account_part, std::string_view service = ".table.") {
        std::string host{account_part};
        host += service;
        host += lower_case(suffix);
        return service_endpoint{{scheme, std::move(host), scheme == "https" ? "443" : "80"}, {}};
    };
    a.endpoint = at(a.name);
    a.secondary = at(a.name + "-secondary");
    if (a.endpoint.is_cosmos()) return {};
    if (!a.queues) a.queues = at(a.name, ".queue.");
    if (!a.blobs) a.blobs = at(a.name, ".blob.");
    return {};
}

// --- accounts --------------------------------------------------------------------------------------------------------

/// The form is checked before.
credential signing_with(account_key key, settings const& s) {
    if (s.has(authentication) && equal_ignoring_case(s[authentication], "SharedKeyLite"))
        return shared_key_lite_credential{std::move(key)};
    return shared_key_credential{std::move(key)};
}

result<storage_account> emulator(settings const& s) {
    if (s[use_development_storage] != "true") return bad_text("UseDevelopmentStorage can only be 'true'");
    for (std::size_t n = 0; n < name_count; ++n)
        if (s.has(static_cast<name>(n)) && n != use_development_storage && n != development_storage_proxy &&
            n != queue_primary && n != blob_primary && n != transport_name && n != read_location && n != authentication)
            return bad_text(std::string{setting_names[n]} +
                            " cannot stand beside UseDevelopmentStorage=true: leave one of them out");
    storage_account a;
    a.name = emulator_account;
    a.credential = signing_with(account_key{emulator_key}, s);
    a.endpoint.origin = {"http", "127.0.0.1", std::string{emulator_port}};
    if (s.has(development_storage_proxy)) {
        auto const proxy = endpoint_of(s, development_storage_proxy);
        if (!proxy) return failure{proxy.error()};
        if (!proxy->path.empty()) return bad_text("DevelopmentStorageProxyUri names a host and a port, and no path");
        a.endpoint.origin = proxy->origin;
    }
    a.secondary = a.endpoint;
    a.endpoint.path = "/" + a.name;
    a.secondary->path = "/" + a.name + "-secondary";
    // A port of one's own is that of tables: those of the other two services are not known then.
    if (a.endpoint.origin.port == emulator_port) {
        a.queues = a.endpoint;
        a.queues->origin.port = emulator_queue_port;
        a.blobs = a.endpoint;
        a.blobs->origin.port = emulator_blob_port;
    }
    if (auto const others = add_named_endpoints(a, s); !others) return failure{others.error()};
    return a;
}

bool is_ip_address(std::string_view host) noexcept {
    return host.find_first_not_of("0123456789.") == std::string_view::npos ||
           host.find(':') != std::string_view::npos || host.find('.') == std::string_view::npos;
}

/// The account that an endpoint's URL names, in its host or, as emulators have it, in its path.
std::string name_in(service_endpoint const& e) {
    if (!is_ip_address(e.origin.host)) return e.origin.host.substr(0, e.origin.host.find('.'));
    return e.path.empty() ? std::string{} : e.path.substr(1, e.path.find('/', 1) - 1);
}

result<credential> credential_in(settings const& s) {
    if (s.has(shared_access_signature)) {
        if (s.has(account_key_text)) return bad_text("give either AccountKey or SharedAccessSignature, not both");
        if (s.has(authentication)) return bad_text("authentication= says how AccountKey signs, but there is none");
        return sas_credential{std::string{s[shared_access_signature]}};
    }
    if (!s.has(account_key_text))
        return bad_text(
            "a credential is missing: give AccountKey or SharedAccessSignature, or a credential in the options");
    account_key key{s[account_key_text]};
    if (!key.valid()) return bad_text("AccountKey must be base64, as the account shows it");
    return signing_with(std::move(key), s);
}

result<storage_account> named_account(settings const& s, bool needs_credential) {
    if (s.has(development_storage_proxy))
        return bad_text("DevelopmentStorageProxyUri needs UseDevelopmentStorage=true");
    storage_account a;
    a.name = s[account_name];
    if (!s.has(account_name) && (s.has(account_key_text) || !s.has(table_primary)))
        return bad_text(s.has(account_key_text) ? "AccountName is missing" : "AccountName or TableEndpoint is missing");
    if (s.has(account_name) &&
        (a.name.size() < 3 || a.name.size() > 24 ||
         !std::all_of(a.name.begin(), a.name.end(), [](char c) { return is_lower(c) || is_digit(c); })))
        return bad_text("AccountName must be 3 to 24 lower-case letters and digits");
    if (needs_credential) {
        auto c = credential_in(s);
        if (!c) return failure{c.error()};
        a.credential = *std::move(c);
    }
    if (auto const r = add_endpoints(a, s); !r) return failure{r.error()};
    if (a.name.empty()) a.name = name_in(a.endpoint);
    return a;
}

result<void> add_read_location(storage_account& a, settings const& s) {
    if (!s.has(read_location)) return {};
    constexpr std::array<std::pair<std::string_view, read_from>, 3> places{
        {{"primary", read_from::primary},
         {"primary_then_secondary", read_from::primary_then_secondary},
         {"secondary", read_from::secondary}}};
    auto const at = std::find_if(places.begin(), places.end(),
                                 [&](auto const& place) { return equal_ignoring_case(place.first, s[read_location]); });
    if (at == places.end()) return bad_text("read_from must be primary, primary_then_secondary or secondary");
    a.read_from = at->second;
    if (a.read_from != read_from::primary && !a.secondary)
        return bad_text("read_from names a secondary endpoint, but there is none: give TableSecondaryEndpoint beside "
                        "TableEndpoint");
    return {};
}

}  // namespace

std::string service_endpoint::url() const {
    bool const is_ipv6_host = origin.host.find(':') != std::string::npos;
    auto const own_port = origin.scheme == "https" ? std::string_view{"443"} : std::string_view{"80"};
    std::string text = origin.scheme + "://" + (is_ipv6_host ? "[" + origin.host + "]" : origin.host);
    if (origin.port != own_port) text += ":" + origin.port;
    return text + path;
}

bool service_endpoint::is_cosmos() const noexcept {
    return origin.host.find(".table.cosmosdb.") != std::string::npos ||
           origin.host.find(".table.cosmos.") != std::string::npos;
}

result<storage_account> parse_storage_account(std::string_view text, std::optional<credential> instead) {
    auto const s = settings::read(text);
    if (!s) return failure{s.error()};
    if (s->has(authentication) && !equal_ignoring_case((*s)[authentication], "SharedKey") &&
        !equal_ignoring_case((*s)[authentication], "SharedKeyLite"))
        return bad_text("authentication must be SharedKey or SharedKeyLite");
    auto a = s->has(use_development_storage) ? emulator(*s) : named_account(*s, !instead);
    if (!a) return a;
    if (instead) a->credential = std::move(instead);
    if (auto const r = detail::check_credential(*a->credential, a->endpoint.origin.scheme); !r)
        return failure{r.error()};
    a->transport = (*s)[transport_name];
    if (auto const r = add_read_location(*a, *s); !r) return failure{r.error()};
    return a;
}

}  // namespace tablemap
