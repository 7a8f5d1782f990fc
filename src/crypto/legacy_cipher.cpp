// SPDX-License-Identifier: Apache-2.0
#include "crypto/legacy_cipher.hpp"

#include "tablemap/detail/base/utf.hpp"
#include "tablemap/detail/crypto/hmac.hpp"
#include "base/text_bytes.hpp"
#include "crypto/primitives.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

void append(bytes& out, std::string_view text) {
    auto const b = as_bytes(text);
    out.insert(out.end(), b.begin(), b.end());
}

}  // namespace

failure unreadable_legacy_row() {
    return fail(library_errc::unreadable_legacy_row,
                {.reason = "it cannot be decrypted: the key that it names is another one, or the row was altered"});
}

result<legacy_cipher> legacy_cipher::make(legacy_keys const& keys, legacy_metadata const& m,
                                          std::string_view partition_key, std::string_view row_key) {
    legacy_cipher c;
    auto content_key = keys.unwrap(m.key_id, m.algorithm, m.wrapped_key);
    if (!content_key && content_key.error().code() != library_errc::unreadable_legacy_row)
        return failure{content_key.error()};
    if (content_key && content_key->size() == c.key_.size())
        std::copy(content_key->begin(), content_key->end(), c.key_.begin());
    else
        fill_random(c.key_);  // no padding oracle for RSA, either: the next steps fail, and as slowly
    if (content_key) wipe(*content_key);

    bool const java = m.layout == legacy_layout::java;
    c.iv_before_ = m.iv;
    append(c.iv_before_, java ? partition_key : row_key);
    append(c.iv_before_, java ? row_key : partition_key);
    return c;
}

legacy_cipher::legacy_cipher(legacy_cipher&& other) noexcept
    : key_(other.key_), iv_before_(std::move(other.iv_before_)) {}

legacy_cipher::~legacy_cipher() { wipe(key_); }

result<std::string> legacy_cipher::decrypt(std::string_view property, std::span<std::byte const> data) const {
    auto named = iv_before_;
    append(named, property);
    auto const hash = sha256(named);
    auto plain = aes_256_cbc_decrypt(key_, std::span{hash}.first(16), data);
    if (!plain) return unreadable_legacy_row();
    std::string text{reinterpret_cast<char const*>(plain->data()), plain->size()};
    wipe(*plain);
    if (!utf16_length(text)) return unreadable_legacy_row();
    return text;
}

}  // namespace tablemap::detail
