// SPDX-License-Identifier: Apache-2.0
#include "serve/sealed_token.hpp"

#include "base/text_bytes.hpp"
#include "crypto/primitives.hpp"
#include "serve/parameter_values.hpp"
#include "serve/refused.hpp"
#include "tablemap/base/bytes.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>

namespace tablemap::inline v0_1::detail::serve {
namespace {

constexpr std::size_t nonce_size = aes_256_gcm::nonce_size;
constexpr std::size_t tag_size = aes_256_gcm::tag_size;
constexpr std::size_t step = 64;
constexpr char end_of_text = '\x01';  // zeros follow

/// The key that a secret holds, which is an HMAC-SHA256 in base64.
std::array<std::byte, 32> key_of_secret(std::string_view secret) {
    bytes data;
    std::array<std::byte, 32> key{};
    if (!parse_base64(secret, data) || data.size() != key.size()) throw std::logic_error{"no secret of places"};
    std::copy(data.begin(), data.end(), key.begin());
    return key;
}

void append_end(std::string& out, std::optional<std::string> const& key) {
    out += key ? std::to_string(key->size()) + ":" + *key : "-";
    out += '\n';
}

std::string padded(std::string_view text) {
    std::string out{text};
    out += end_of_text;
    out.resize((out.size() + step - 1) / step * step, '\0');
    return out;
}

void remove_padding(std::string& text) {
    auto const end = text.find_last_not_of('\0');
    if (end == text.npos || text[end] != end_of_text) refuse_token();
    text.resize(end);
}

/// The alphabet for URLs without padding (RFC 4648, section 5): a client need not escape it.
std::string for_urls(std::string token) {
    token.resize(token.find_last_not_of('=') + 1);
    std::replace(token.begin(), token.end(), '+', '-');
    std::replace(token.begin(), token.end(), '/', '_');
    return token;
}

std::string from_url(std::string_view text) {
    if (text.find_first_of("+/=") != text.npos) refuse_token();
    std::string token{text};
    std::replace(token.begin(), token.end(), '-', '+');
    std::replace(token.begin(), token.end(), '_', '/');
    token.append((4 - token.size() % 4) % 4, '=');
    return token;
}

}  // namespace

// No text that is signed for a request begins with this line.
std::string secret_of_places(account_key const& key, std::string_view table, access_range const& range) {
    auto text = "tablemap continuations\n" + std::string{table} + "\n";
    for (auto const* end : {&range.first_partition, &range.first_row, &range.last_partition, &range.last_row})
        append_end(text, *end);
    return key.sign(text);
}

std::string use_for_partition() { return "P"; }
std::string use_for_row_in(std::string_view partition_key) { return "R" + std::string{partition_key}; }

std::string sealed_token(std::string_view key, std::string_view use, std::string_view secret) {
    auto const text = padded(key);
    std::string out(nonce_size + text.size() + tag_size, '\0');
    auto const all = std::as_writable_bytes(std::span{out.data(), out.size()});
    auto const nonce = all.first<nonce_size>();
    fill_random(nonce);
    aes_256_gcm{}.seal(key_of_secret(secret), nonce, {as_bytes(use)}, as_bytes(text),
                       all.subspan(nonce_size, text.size()), all.last<tag_size>());
    return for_urls(encoded_token(out));
}

std::string opened_token(std::string_view token, std::string_view use, std::string_view secret) {
    auto const sealed = decoded_token(from_url(token));
    auto const all = as_bytes(sealed);
    if (all.size() < nonce_size + tag_size) refuse_token();
    std::string text(all.size() - nonce_size - tag_size, '\0');
    bool const good = aes_256_gcm{}.open(key_of_secret(secret), all.first<nonce_size>(), {as_bytes(use)},
                                         all.subspan(nonce_size, text.size()), all.last<tag_size>(),
                                         std::as_writable_bytes(std::span{text.data(), text.size()}));
    if (!good) refuse_token();
    remove_padding(text);
    return text;
}

}  // namespace tablemap::detail::serve
