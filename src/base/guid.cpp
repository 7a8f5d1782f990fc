// SPDX-License-Identifier: Apache-2.0
#include "tablemap/base/guid.hpp"

#include "base/ascii.hpp"

#include <ostream>

namespace tablemap::inline v0_1 {
namespace {

constexpr std::string_view hex = "0123456789abcdef";

constexpr bool hyphen_before(unsigned byte) noexcept { return byte == 4 || byte == 6 || byte == 8 || byte == 10; }

}  // namespace

bool detail::parse_guid(std::string_view text, guid& out) noexcept {
    if (text.size() != 36) return false;
    std::array<std::uint8_t, 16> bytes{};
    std::size_t at = 0;
    for (unsigned i = 0; i < 16; ++i) {
        if (hyphen_before(i) && text[at++] != '-') return false;
        int const high = hex_value(text[at]);
        int const low = hex_value(text[at + 1]);
        if (high < 0 || low < 0) return false;
        bytes[i] = static_cast<std::uint8_t>(high * 16 + low);
        at += 2;
    }
    out = guid{bytes};
    return true;
}

void detail::append_guid(std::string& out, guid const& g) {
    char text[36];
    char* to = text;
    for (unsigned i = 0; i < 16; ++i) {
        if (hyphen_before(i)) *to++ = '-';
        *to++ = hex[g.bytes()[i] >> 4];
        *to++ = hex[g.bytes()[i] & 15];
    }
    out.append(text, sizeof text);
}

result<guid> guid::parse(std::string_view text) {
    guid g;
    if (detail::parse_guid(text, g)) return g;
    return fail(library_errc::type_mismatch,
                {.reason = "expected a guid such as c9da6455-213d-42c9-9a79-3e9149a57833"});
}

std::ostream& operator<<(std::ostream& out, guid const& g) { return out << g.text(); }

std::string guid::text() const {
    std::string out;
    detail::append_guid(out, *this);
    return out;
}

}  // namespace tablemap
