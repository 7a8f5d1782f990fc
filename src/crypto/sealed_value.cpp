// SPDX-License-Identifier: Apache-2.0
#include "crypto/sealed_value.hpp"

#include "base/text_bytes.hpp"
#include "crypto/key_material.hpp"
#include "crypto/random_stock.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::size_t check_size = 16;
constexpr auto nonce_size = aes_256_gcm::nonce_size;
constexpr auto tag_size = aes_256_gcm::tag_size;

std::string_view as_text(std::span<std::byte const> b) noexcept {
    return {reinterpret_cast<char const*>(b.data()), b.size()};
}

void append_table(std::string& out, std::string_view table) {
    auto const at = out.size() + 4;
    append_field(out, table);
    for (auto i = at; i < out.size(); ++i)
        if (out[i] >= 'A' && out[i] <= 'Z') out[i] = static_cast<char>(out[i] - 'A' + 'a');
}

/// The associated data of a value: its front, and its place, of which its keys are made.
std::string with_place(std::string_view front, sealed_place const& where, std::uint8_t type) {
    std::string text;
    text.reserve(front.size() + 32 + where.table.size() + where.partition_key.size() + where.row_key.size() +
                 where.property.size());
    text += front;
    append_field(text, "value");
    append_table(text, where.table);
    append_field(text, where.partition_key);
    append_field(text, where.row_key);
    append_field(text, where.property);
    text += static_cast<char>(type);
    return text;
}

/// The keys of one value. Wiped.
class value_keys {
public:
    value_keys(key_material const& key, std::string_view place) { hkdf_expand(key.prk, as_bytes(place), okm_); }
    ~value_keys() { wipe(okm_); }
    value_keys(value_keys const&) = delete;
    value_keys& operator=(value_keys const&) = delete;

    aes_256_gcm::key cipher() const noexcept { return std::span{okm_}.first<key_size>(); }
    std::span<std::byte const, check_size> check() const noexcept { return std::span{okm_}.last<check_size>(); }

private:
    std::array<std::byte, key_size + check_size> okm_{};
};

/// The parts of a sealed value.
struct layout {
    std::string_view id;
    std::uint8_t type{};
    std::span<std::byte const> front;  ///< all in front of the ciphertext
    std::span<std::byte const> nonce;
    std::span<std::byte const> check;
    std::span<std::byte const> ciphertext;
    std::span<std::byte const> tag;
};

std::optional<layout> read_layout(std::span<std::byte const> sealed) noexcept {
    constexpr auto id_at = sealed_prefix.size() + 1;
    if (sealed.size() < sealed_size(0, 1) || !as_text(sealed).starts_with(sealed_prefix)) return std::nullopt;
    auto const n = std::to_integer<std::size_t>(sealed[id_at - 1]);
    if (sealed.size() < sealed_size(0, n)) return std::nullopt;
    auto const front = sealed.first(id_at + n + 1 + nonce_size + check_size);
    layout const l{as_text(sealed.subspan(id_at, n)),
                   std::to_integer<std::uint8_t>(sealed[id_at + n]),
                   front,
                   front.subspan(id_at + n + 1, nonce_size),
                   front.last(check_size),
                   sealed.subspan(front.size(), sealed.size() - front.size() - tag_size),
                   sealed.last(tag_size)};
    if (!is_key_id(l.id)) return std::nullopt;
    return l;
}

failure malformed(std::span<std::byte const> sealed) {
    bool const newer = sealed.size() > sealed_name.size() && as_text(sealed).starts_with(sealed_name) &&
                       !as_text(sealed).starts_with(sealed_prefix);
    return fail(library_errc::malformed_ciphertext,
                {.reason = newer ? "it is in a version of the format that this library does not know"
                                 : "it is not in the format of an encrypted value, or cut short"});
}

result<opened_value> open_with(encryption_key const& key, sealed_place const& where, layout const& l) {
    auto const authenticated = with_place(as_text(l.front), where, l.type);
    value_keys const keys{key.material(), std::string_view{authenticated}.substr(l.front.size())};
    if (!equal_in_constant_time(keys.check(), l.check))
        return fail(
            library_errc::misplaced_ciphertext,
            {.reason = "it was written for another table, row, property or type, or the program has another key "
                       "of the id '" +
                       key.id() + "'"});
    opened_value opened{l.type, bytes(l.ciphertext.size())};
    if (!key.material().cipher.open(keys.cipher(), l.nonce.first<nonce_size>(), as_bytes(authenticated), l.ciphertext,
                                    l.tag.first<tag_size>(), opened.plain))
        return fail(library_errc::altered_ciphertext, {.reason = "it was changed after it had been written"});
    return opened;
}

}  // namespace

result<bytes> seal(encryption_key const& key, sealed_place const& where, std::uint8_t type,
                   std::span<std::byte const> plain) try {
    auto const& id = key.id();
    bytes sealed(sealed_size(plain.size(), id.size()));
    auto const all = std::span{sealed};
    auto const front = all.first(sealed.size() - plain.size() - tag_size);
    auto at = std::copy_n(as_bytes(sealed_prefix).begin(), sealed_prefix.size(), sealed.begin());
    *at++ = static_cast<std::byte>(id.size());
    at = std::copy_n(as_bytes(id).begin(), id.size(), at);
    *at = static_cast<std::byte>(type);
    auto const nonce = front.last(nonce_size + check_size).first<nonce_size>();
    thread_local random_stock<nonce_size> nonces;
    std::ranges::copy(nonces.take(), nonce.begin());

    auto authenticated = with_place(as_text(front), where, type);
    value_keys const keys{key.material(), std::string_view{authenticated}.substr(front.size())};
    std::ranges::copy(keys.check(), front.last(check_size).begin());
    as_text(keys.check()).copy(authenticated.data() + front.size() - check_size, check_size);
    key.material().cipher.seal(keys.cipher(), nonce, as_bytes(authenticated), plain,
                               all.subspan(front.size(), plain.size()), all.last<tag_size>());
    return sealed;
} catch (error const& e) {
    return failure{e};
}

result<opened_value> open_sealed(key_provider const& keys, sealed_place const& where,
                                 std::span<std::byte const> sealed) try {
    auto const l = read_layout(sealed);
    if (!l) return malformed(sealed);
    auto const key = keys.find(l->id);
    if (!key) return failure{key.error()};
    return open_with(*key, where, *l);
} catch (error const& e) {
    return failure{e};
}

std::string_view key_id_of(std::span<std::byte const> sealed) noexcept {
    auto const l = read_layout(sealed);
    return l ? l->id : std::string_view{};
}

result<bytes> blind_hash(encryption_key const& key, std::string_view table, std::string_view property,
                         std::uint8_t type, std::span<std::byte const> plain) try {
    constexpr std::size_t size = 16;
    std::string text;
    text.reserve(16 + table.size() + property.size() + plain.size());
    append_table(text, table);
    append_field(text, property);
    text += static_cast<char>(type);
    text += as_text(plain);
    auto const hash = key.material().blind_index.sign(as_bytes(text));
    return bytes(hash.begin(), hash.begin() + size);
} catch (error const& e) {
    return failure{e};
}

}  // namespace tablemap::detail
