// SPDX-License-Identifier: Apache-2.0
#include "tablemap/crypto/encryption_key.hpp"

#include "base/text_bytes.hpp"
#include "crypto/key_material.hpp"

#include <algorithm>
#include <array>
#include <fstream>

#include <sys/stat.h>
#include <unistd.h>

namespace tablemap::inline v0_1 {
namespace detail {
namespace {

constexpr std::string_view salt = "tablemap property encryption v1";

/// A key for one purpose, whose label distinguishes it from those of values. Wiped.
class labelled_key {
public:
    labelled_key(hmac_key const& prk, std::string_view label) {
        std::string info;
        append_field(info, label);
        hkdf_expand(prk, as_bytes(info), bytes_);
    }
    ~labelled_key() { wipe(bytes_); }
    labelled_key(labelled_key const&) = delete;
    labelled_key& operator=(labelled_key const&) = delete;

    std::span<std::byte const> bytes() const noexcept { return bytes_; }

private:
    sha256_digest bytes_{};
};

hmac_key key_for(hmac_key const& prk, std::string_view label) { return hmac_key{labelled_key{prk, label}.bytes()}; }

/// The rule of ssh for the file of a private key: a file of another user is for its owner to protect.
bool is_open_to_others(std::string const& path) {
    struct stat file {};
    return ::stat(path.c_str(), &file) == 0 && S_ISREG(file.st_mode) && file.st_uid == ::geteuid() &&
           (file.st_mode & (S_IRWXG | S_IRWXO)) != 0;
}

}  // namespace

bool is_key_id(std::string_view id) noexcept {
    auto const visible = [](char c) { return c >= 0x21 && c <= 0x7E; };
    return !id.empty() && id.size() <= longest_key_id && std::all_of(id.begin(), id.end(), visible);
}

key_material::key_material(std::string_view name, std::span<std::byte const> secret)
    : id(name), prk(hkdf_extract(as_bytes(salt), secret)), blind_index(key_for(prk, "blind index")) {}

bool same_bytes(encryption_key const& a, encryption_key const& b) {
    labelled_key const first{a.material().prk, "comparison"};
    labelled_key const second{b.material().prk, "comparison"};
    return equal_in_constant_time(first.bytes(), second.bytes());
}

void append_field(std::string& out, std::string_view text) {
    for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(text.size() >> shift & 0xFF);
    out += text;
}

}  // namespace detail

encryption_key encryption_key::make(std::string_view id, std::span<std::byte const> secret) {
    return value_or_throw(try_make(id, secret));
}

result<encryption_key> encryption_key::try_make(std::string_view id, std::span<std::byte const> secret) try {
    constexpr auto refused = library_errc::invalid_encryption_key;
    if (!detail::is_key_id(id)) return fail(refused, {.reason = "the id of a key is 1 to 64 visible ASCII characters"});
    if (secret.size() != detail::key_size)
        return fail(refused, {.reason = "a key is 32 random bytes, that of the id '" + std::string{id} + "' has " +
                                        std::to_string(secret.size())});
    return encryption_key{std::make_shared<detail::key_material const>(id, secret)};
} catch (error const& e) {
    return failure{e};
}

encryption_key encryption_key::from_file(std::string_view id, std::string const& path) {
    return value_or_throw(try_from_file(id, path));
}

result<encryption_key> encryption_key::try_from_file(std::string_view id, std::string const& path) {
    std::array<char, detail::key_size + 1> read{};
    detail::wiped const guard{std::as_writable_bytes(std::span{read})};
    std::ifstream file;
    file.rdbuf()->pubsetbuf(nullptr, 0);  // a buffer would keep a copy
    file.open(path, std::ios::binary);
    if (!file)
        return fail(library_errc::invalid_encryption_key,
                    {.reason = "the file " + path + " cannot be opened; make_key_file makes one"});
    if (detail::is_open_to_others(path))
        return fail(library_errc::invalid_encryption_key,
                    {.reason = "the file " + path + " is open to other users: take their rights away with chmod 600"});
    file.read(read.data(), read.size());
    if (static_cast<std::size_t>(file.gcount()) != detail::key_size)
        return fail(
            library_errc::invalid_encryption_key,
            {.reason = "the file " + path + " does not hold 32 bytes, which is all that a file of a key holds"});
    return try_make(id, std::as_bytes(std::span{read}).first(detail::key_size));
}

std::string const& encryption_key::id() const& noexcept { return material_->id; }

result<std::vector<encryption_key>> key_provider::all() const {
    auto const key = current();
    if (!key) return failure{key.error()};
    return std::vector{*key};
}

}  // namespace tablemap
