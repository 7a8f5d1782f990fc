// SPDX-License-Identifier: Apache-2.0
#include "tablemap/crypto/key_ring.hpp"

#include "crypto/key_material.hpp"

#include <mutex>

namespace tablemap {
namespace {

failure unknown(std::string_view id) {
    auto const name = detail::is_key_id(id) ? "'" + std::string{id} + "'" : std::string{"of this id"};
    return fail(library_errc::unknown_encryption_key, {.reason = "the key ring has no key " + name + ": add it"});
}

}  // namespace

result<void> key_ring::insert(encryption_key const& key) try {
    auto const [at, is_new] = keys_.try_emplace(key.id(), key);
    if (is_new || detail::same_bytes(at->second, key)) return {};
    return fail(library_errc::invalid_encryption_key,
                {.reason = "the key ring has another key of the id '" + key.id() + "': a new key needs a new id"});
} catch (error const& e) {
    return failure{e};
}

result<void> key_ring::try_add(std::string_view id, std::span<std::byte const> secret) {
    auto const key = encryption_key::make(id, secret);
    if (!key) return failure{key.error()};
    return try_add(*key);
}

result<void> key_ring::try_add(encryption_key const& key) {
    std::lock_guard const lock{mutex_};
    return insert(key);
}

result<void> key_ring::try_add_current(std::string_view id, std::span<std::byte const> secret) {
    auto const key = encryption_key::make(id, secret);
    if (!key) return failure{key.error()};
    return try_add_current(*key);
}

result<void> key_ring::try_add_current(encryption_key const& key) {
    std::lock_guard const lock{mutex_};
    if (auto const inserted = insert(key); !inserted) return inserted;
    current_ = key;
    return {};
}

result<void> key_ring::try_use(std::string_view id) {
    std::lock_guard const lock{mutex_};
    auto const at = keys_.find(id);
    if (at == keys_.end()) return unknown(id);
    current_ = at->second;
    return {};
}

result<bool> key_ring::try_erase(std::string_view id) {
    std::lock_guard const lock{mutex_};
    if (current_ && current_->id() == id)
        return fail(library_errc::invalid_encryption_key,
                    {.reason = "the current key of a ring stays: `use` another one first"});
    auto const at = keys_.find(id);
    if (at == keys_.end()) return false;
    keys_.erase(at);
    return true;
}

result<encryption_key> key_ring::current() const {
    std::shared_lock const lock{mutex_};
    if (!current_)
        return fail(library_errc::no_encryption_key,
                    {.reason = "the key ring has no current key: call its `add_current` or `use`"});
    return *current_;
}

result<encryption_key> key_ring::find(std::string_view id) const {
    std::shared_lock const lock{mutex_};
    auto const at = keys_.find(id);
    if (at == keys_.end()) return unknown(id);
    return at->second;
}

result<std::vector<encryption_key>> key_ring::all() const {
    std::shared_lock const lock{mutex_};
    std::vector<encryption_key> keys;
    keys.reserve(keys_.size());
    if (current_) keys.push_back(*current_);
    for (auto const& [id, key] : keys_)
        if (!current_ || id != current_->id()) keys.push_back(key);
    return keys;
}

}  // namespace tablemap
