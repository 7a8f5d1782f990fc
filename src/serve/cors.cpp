// SPDX-License-Identifier: Apache-2.0
#include "serve/cors.hpp"

#include "base/ascii.hpp"
#include "serve/refused.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap::inline v0_1::detail::serve {
namespace {

constexpr std::string_view any_origin = "*";
constexpr std::size_t most_header_names = 256;  // of a preflight request

/// True for the origin itself, for "*", and for a pattern with one "*" in place of a subdomain.
bool allows_origin(std::string_view allowed, std::string_view origin) {
    auto const star = allowed.find('*');
    if (star == std::string_view::npos) return allowed == origin;
    auto const before = allowed.substr(0, star), behind = allowed.substr(star + 1);
    return origin.size() >= before.size() + behind.size() && origin.starts_with(before) && origin.ends_with(behind);
}

/// True for the name itself, and for a pattern that ends with "*".
bool has_name(std::string_view pattern, std::string_view name) {
    if (!pattern.ends_with('*')) return equal_ignoring_case(pattern, name);
    return starts_with_ignoring_case(name, pattern.substr(0, pattern.size() - 1));
}

/// The names of a list with commas.
std::vector<std::string_view> header_names_in(std::string_view list) {
    std::vector<std::string_view> names;
    while (!list.empty()) {
        auto const end = std::min(list.find(','), list.size());
        if (auto const name = trimmed(list.substr(0, end)); !name.empty()) names.push_back(name);
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return names;
}

bool allows_method(cors_rule const& rule, std::string_view method) {
    return std::find(rule.allowed_methods.begin(), rule.allowed_methods.end(), method) != rule.allowed_methods.end();
}

bool allows_header(cors_rule const& rule, std::string_view name) {
    return std::any_of(rule.allowed_headers.begin(), rule.allowed_headers.end(),
                       [&](auto const& pattern) { return has_name(pattern, name); });
}

/// The one of the rule's origins that matches; nothing if none does.
std::string const* matched_origin(cors_rule const& rule, std::string_view origin) {
    for (auto const& allowed : rule.allowed_origins)
        if (allows_origin(allowed, origin)) return &allowed;
    return nullptr;
}

/// The first rule for a request from this origin; nothing if there is none.
cors_rule const* matched_rule(std::span<cors_rule const> rules, std::string_view origin, std::string_view method) {
    for (auto const& rule : rules)
        if (matched_origin(rule, origin) && allows_method(rule, method)) return &rule;
    return nullptr;
}

/// The names of headers that a page may read. Patterns are resolved, since a browser takes them for names where a
/// request has credentials.
std::string exposed_headers(cors_rule const& rule, http_response const& of) {
    std::string list;
    auto const add = [&](std::string_view name) { list.append(list.empty() ? "" : ",").append(name); };
    for (auto const& pattern : rule.exposed_headers) {
        if (!pattern.ends_with('*')) {
            add(pattern);
            continue;
        }
        for (auto const& [name, value] : of.headers)
            if (has_name(pattern, name)) add(name);
    }
    return list;
}

http_response allowed_by(cors_rule const& rule, std::string_view origin, std::string_view method,
                         std::optional<std::string_view> headers) {
    http_response r{.status = 200};
    r.headers.emplace_back("Access-Control-Allow-Origin", origin);
    r.headers.emplace_back("Access-Control-Allow-Methods", method);
    if (headers) r.headers.emplace_back("Access-Control-Allow-Headers", *headers);
    r.headers.emplace_back("Access-Control-Max-Age", std::to_string(rule.max_age.count()));
    r.headers.emplace_back("Access-Control-Allow-Credentials", "true");
    return r;
}

}  // namespace

http_response answer_preflight(std::span<cors_rule const> rules, http_request const& r) {
    auto const origin = header_of(r, "Origin"), method = header_of(r, "Access-Control-Request-Method");
    if (!origin || !method)
        throw refused{400, "InvalidHeaderValue",
                      "A required CORS header is not present: a preflight request has Origin and "
                      "Access-Control-Request-Method."};
    auto const headers = header_of(r, "Access-Control-Request-Headers");
    auto const names = header_names_in(headers.value_or(std::string_view{}));
    if (names.size() > most_header_names)
        throw refused{400, "InvalidHeaderValue", "Access-Control-Request-Headers has more names than a request needs."};
    for (auto const& rule : rules)
        if (matched_origin(rule, *origin) && allows_method(rule, *method) &&
            std::all_of(names.begin(), names.end(), [&](auto name) { return allows_header(rule, name); }))
            return allowed_by(rule, *origin, *method, headers);
    throw refused{403, "CorsPreflightFailure", "CORS not enabled or no matching rule found for this request."};
}

bool allows_page(std::span<cors_rule const> rules, http_request const& r) {
    auto const origin = header_of(r, "Origin");
    return origin && matched_rule(rules, *origin, r.method);
}

void append_cors_headers(http_response& to, std::span<cors_rule const> rules, http_request const& r) {
    auto const origin = header_of(r, "Origin");
    if (!origin || rules.empty()) return;
    if (auto const* const rule = matched_rule(rules, *origin, r.method)) {
        bool const is_for_all = *matched_origin(*rule, *origin) == any_origin;
        auto const exposed = exposed_headers(*rule, to);
        to.headers.emplace_back("Access-Control-Allow-Origin", is_for_all ? any_origin : *origin);
        if (!exposed.empty()) to.headers.emplace_back("Access-Control-Expose-Headers", exposed);
        if (is_for_all) return;
        to.headers.emplace_back("Access-Control-Allow-Credentials", "true");
    }
    to.headers.emplace_back("Vary", "Origin");
}

}  // namespace tablemap::detail::serve
