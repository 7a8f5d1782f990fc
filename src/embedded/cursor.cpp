// SPDX-License-Identifier: Apache-2.0
#include "embedded/cursor.hpp"

#include "base/text_bytes.hpp"
#include "embedded/refusal.hpp"

#include "tablemap/base/bytes.hpp"
#include "tablemap/detail/base/utf.hpp"

namespace tablemap::inline v0_1::detail::embedded {
namespace {
constexpr std::string_view version = "1!";
}

std::string seal_cursor(std::string_view text) {
    std::string sealed{version};
    append_base64(sealed, as_bytes(text));
    return sealed;
}

std::string open_cursor(std::string_view sealed) {
    bytes data;
    std::string text;
    bool good = sealed.starts_with(version) && parse_base64(sealed.substr(version.size()), data);
    if (good) {
        text.assign(reinterpret_cast<char const*>(data.data()), data.size());
        good = utf16_length(text).has_value();
    }
    if (!good) refuse(library_errc::invalid_cursor, "pass back what the page before gave, unchanged");
    return text;
}

}  // namespace tablemap::detail::embedded
