// SPDX-License-Identifier: Apache-2.0
#include "embedded/key_codec.hpp"

#include "edm/key_characters.hpp"
#include "embedded/refusal.hpp"

#include "tablemap/detail/base/utf.hpp"
#include "tablemap/edm/limits.hpp"

#include <algorithm>

namespace tablemap::inline v0_1::detail::embedded {
namespace {

constexpr bool moves(char c) noexcept { return c == '\xEE' || c == '\xEF'; }
constexpr bool was_moved(char c) noexcept { return c == '\xF5' || c == '\xF6'; }

}  // namespace

stored_key::stored_key(std::string_view text) : bytes_(text) {
    if (is_ascii(text) || std::none_of(text.begin(), text.end(), moves)) return;
    changed_ = to_stored_key(text);
    bytes_ = changed_;
}

std::string to_stored_key(std::string_view text) {
    std::string out{text};
    for (char& c : out) c = static_cast<char>(utf16_ordered_lead(static_cast<unsigned char>(c)));
    return out;
}

std::string_view from_stored_key(std::string_view bytes, std::string& buffer) {
    if (is_ascii(bytes) || std::none_of(bytes.begin(), bytes.end(), was_moved)) return bytes;
    buffer = bytes;
    for (char& c : buffer) c = static_cast<char>(utf16_unordered_lead(static_cast<unsigned char>(c)));
    return buffer;
}

std::size_t checked_key_units(std::string_view key, std::string_view name) {
    auto const [units, forbidden] = look_at_key(key);
    if (!units) refuse(service_errc::invalid_input, "keys must be valid UTF-8", name);
    if (forbidden) refuse(service_errc::invalid_input, "keys may not hold / \\ # ? or control characters", name);
    if (*units > limits::key_units)
        refuse(service_errc::key_value_too_large, "keys have at most 512 UTF-16 code units", name);
    return *units;
}

}  // namespace tablemap::detail::embedded
