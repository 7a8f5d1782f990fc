// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/ticks.hpp"
#include "tablemap/rest/connection_string.hpp"
#include "tablemap/rest/transport.hpp"

#include <string>
#include <string_view>

/// Parts that the tests of the REST layer share: the emulator's account, and messages as text.
namespace tablemap::test {

inline storage_account emulator_account() { return *parse_storage_account("UseDevelopmentStorage=true"); }

inline ticks a_date() { return *ticks::parse("2026-11-20T00:00:00Z"); }

/// A message as it is sent, with LF for CRLF: request line, headers in order, a blank line, body.
inline std::string text_of(http_request const& r) {
    auto text = r.method + " " + r.target + "\n";
    for (auto const& [name, value] : r.headers) text += name + ": " + value + "\n";
    return text + "\n" + r.body;
}

inline std::string header_of(http_request const& r, std::string_view name) {
    for (auto const& h : r.headers)
        if (h.first == name) return h.second;
    return "(absent)";
}

/// A body whose lines end in CRLF.
inline std::string with_crlf(std::string_view lines) {
    std::string text;
    for (char const c : lines) text += c == '\n' ? std::string{"\r\n"} : std::string(1, c);
    return text;
}

}  // namespace tablemap::test
