// SPDX-License-Identifier: Apache-2.0
#include "patterns/large_names.hpp"

#include "crypto/primitives.hpp"
#include "tablemap/edm/limits.hpp"
#include "tablemap/edm/names.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

bool is_plain(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

void append_plain_or_escaped(std::string& to, std::string_view key) {
    for (char const c : key) {
        if (is_plain(c)) {
            to += c;
            continue;
        }
        auto const b = static_cast<unsigned char>(c);
        to += {'~', hex_digits[b >> 4], hex_digits[b & 15]};
    }
}

std::optional<std::string> unescaped(std::string_view text) {
    std::string key;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '~') {
            if (!is_plain(text[i])) return std::nullopt;
            key += text[i];
            continue;
        }
        if (text.size() - i < 3) return std::nullopt;
        auto const high = hex_digits.find(text[i + 1]), low = hex_digits.find(text[i + 2]);
        if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
        auto const c = static_cast<char>(high * 16 + low);
        if (is_plain(c)) return std::nullopt;  // each key has one name: this one is nobody's of ours
        key += c;
        i += 2;
    }
    return key;
}

/// The key in a part of a name with this letter before it.
std::optional<std::string> key_in(std::string_view part, char letter) {
    if (!part.starts_with(letter)) return std::nullopt;
    auto key = unescaped(part.substr(1));
    if (key && !check_key(*key)) return std::nullopt;
    return key;
}

}  // namespace

std::string folder_of(std::string_view table) {
    std::string folder{table};
    for (char& c : folder)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return folder + '/';
}

result<std::string> folder_of(std::string_view table, entity_key const& key) {
    auto folder = folder_of(table) + 'p';
    append_plain_or_escaped(folder, key.partition_key);
    folder += "/r";
    append_plain_or_escaped(folder, key.row_key);
    folder += '/';
    if (folder.size() + name_size > limits::blob_name_units)
        return fail(library_errc::key_too_large,
                    {.reason = "the keys of an entity with values in blobs are part of the blobs' names, which have at "
                               "most 1,024 characters; use shorter keys, of letters and digits"});
    return folder;
}

std::optional<large_owner> owner_of(std::string_view folder, std::string_view blob) {
    if (!blob.starts_with(folder)) return std::nullopt;
    blob.remove_prefix(folder.size());
    auto const first = blob.find('/'), last = blob.rfind('/');
    if (first == std::string_view::npos || first == last || !is_large_name(blob.substr(last + 1))) return std::nullopt;
    auto partition = key_in(blob.substr(0, first), 'p');
    auto row = key_in(blob.substr(first + 1, last - first - 1), 'r');
    if (!partition || !row) return std::nullopt;
    return large_owner{{*std::move(partition), *std::move(row)}, std::string{blob.substr(last + 1)}};
}

std::string hex_of(std::span<std::byte const> data) {
    std::string text;
    for (auto const b : data) {
        auto const n = std::to_integer<unsigned>(b);
        text += {hex_digits[n >> 4], hex_digits[n & 15]};
    }
    return text;
}

std::string random_text() {
    std::array<std::byte, random_digits / 2> random{};
    fill_random(random);
    return hex_of(random);
}

std::string name_of(std::string_view random, std::size_t number) {
    auto const digits_of_number = std::to_string(number);
    std::string name{random};
    name += '-';
    name.append(3 - digits_of_number.size(), '0');
    return name + digits_of_number;
}

std::string permit_key(std::string_view random) { return std::string{permit_prefix} + std::string{random}; }

bool is_permit_key(std::string_view row_key) {
    return row_key.starts_with(permit_prefix) && is_random_text(row_key.substr(permit_prefix.size()));
}

}  // namespace tablemap::detail
