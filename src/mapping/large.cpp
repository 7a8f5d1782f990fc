// SPDX-License-Identifier: Apache-2.0
#include "tablemap/mapping/large.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <variant>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr char inline_mark = '=';
constexpr char reference_mark = '@';
constexpr std::size_t digits_of_checksum = 64;
constexpr std::size_t most_id = 64;

bool is_lower_hex(char c) noexcept { return is_digit(c) || (c >= 'a' && c <= 'f'); }
bool is_visible(char c) noexcept { return c > ' ' && c < '\x7F'; }

bool all(std::string_view text, bool (*is)(char)) { return std::all_of(text.begin(), text.end(), is); }

/// The text up to the next blank, which is removed with it.
std::string_view next_word(std::string_view& text) noexcept {
    auto const word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    return word;
}

bool read_size(std::string_view text, std::uint64_t& size) {
    auto const [end, code] = std::from_chars(text.data(), text.data() + text.size(), size);
    return code == std::errc{} && end == text.data() + text.size() && size <= most_large_bytes;
}

failure not_large() {
    return fail(library_errc::type_mismatch,
                {.reason = "the property is no large member, which begins with = or names a blob; give the member the "
                           "type that wrote it"});
}

}  // namespace

bool is_random_text(std::string_view text) { return text.size() == random_digits && all(text, is_lower_hex); }

bool is_large_name(std::string_view text) {
    return text.size() == random_digits + 4 && is_random_text(text.substr(0, random_digits)) &&
           text[random_digits] == '-' && all(text.substr(random_digits + 1), is_digit);
}

std::string large_reference::text() const {
    auto t = reference_mark + name + ' ' + std::to_string(size) + ' ' + checksum;
    if (!key_id.empty()) t += ' ' + key_id;
    return t;
}

result<large_reference> read_reference(std::string_view text) {
    if (!text.starts_with(reference_mark)) return not_large();
    text.remove_prefix(1);
    large_reference r;
    r.name = next_word(text);
    bool const has_size = read_size(next_word(text), r.size);
    r.checksum = next_word(text);
    r.key_id = text;
    bool const good = has_size && is_large_name(r.name) && r.checksum.size() == digits_of_checksum &&
                      all(r.checksum, is_lower_hex) && r.key_id.size() <= most_id && all(r.key_id, is_visible);
    if (!good) return not_large();
    return r;
}

std::optional<large_reference> reference_under_other_key(property_value const& p, std::string_view id) {
    auto const* const text = std::get_if<std::string>(&p);
    if (!text || !text->starts_with(reference_mark)) return std::nullopt;
    auto reference = read_reference(*text);
    if (!reference || reference->key_id.empty() || reference->key_id == id) return std::nullopt;
    return *std::move(reference);
}

std::string inline_property(std::string_view content, bool is_text) {
    std::string p{inline_mark};
    if (is_text)
        p += content;
    else
        append_base64(p, std::as_bytes(std::span{content}));
    return p;
}

result<std::string> large_cell::property() const {
    if (planned.text()) return *planned.text();
    if (!loaded)
        return fail(library_errc::unsupported,
                    {.reason = "the value is in a blob and was not read, so it cannot be written; merge other members, "
                               "or read the entity by a large_table"});
    if (is_encrypted())
        return fail(library_errc::unsupported,
                    {.reason = "an encrypted large member is written by a large_table alone"});
    return inline_property(content(), is_text());
}

result<void> large_cell::take_property(std::string const& text) {
    if (!text.starts_with(inline_mark)) {
        auto reference = read_reference(text);
        if (!reference) return failure{std::move(reference).error()};
        if (reference->key_id.empty() == is_encrypted()) return not_large();
        in_blob = *std::move(reference);
        loaded = false;
        return {};
    }
    if (is_encrypted())
        return fail(library_errc::unencrypted_value,
                    {.reason = "the member is encrypted, and the property holds a value that is not"});
    auto value = text.substr(1);
    bytes octets;
    if (!is_text() && !parse_base64(value, octets)) return not_large();
    if (!is_text()) value.assign(reinterpret_cast<char const*>(octets.data()), octets.size());
    take(std::move(value));
    return {};
}

void large_cell::forget_blob() {
    edited = true;
    in_blob.reset();
    origin.clear();
}

void large_cell::check_loaded() const {
    if (loaded) return;
    throw error{library_errc::unsupported,
                {.reason = "the value of this large member is in a blob and was not read; call load() of a "
                           "large_table, or read the entity by its find()"}};
}

}  // namespace tablemap::detail
