// SPDX-License-Identifier: Apache-2.0
#include "tablemap/crypto/key_ring.hpp"

#include "crypto/key_material.hpp"

#include <map>
#include <mutex>
#include <optional>
#include <shared_mutex>

namespace tablemap::inline v0_1 {
namespace {

failure unknown(std::string_view id) {
    std::string reason = "the key ring has no key ";
    if (detail::is_key_id(id))
        reason.append("'").append(id).append("'");
    else
        reason += "of this id";
    return fail(library_errc::unknown_encryption_key, {.reason = reason + ": add it"});
}

}  // namespace

struct key_ring::keys {
    std::shared_mutex mutex;
    std::map<std::string, encryption_key, std::less<>> by_id;
    std::optional<encryption_key> current;

    /// Under the lock.
    result<void> add(encryption_key const& key) {
        auto const [at, is_new] = by_id.try_emplace(key.id(), key);
        if (is_new || detail::same_bytes(at->second, key)) return {};
        return fail(library_errc::invalid_encryption_key,
                    {.reason = "the key ring has another key of the id '" + key.id() + "': a new key needs a new id"});
    }
};

key_ring::key_ring() : keys_(std::make_shared<keys>()) {}
key_ring::~key_ring() = default;

void key_ring::add(std::string_view id, std::span<std::byte const> secret) { value_or_throw(try_add(id, secret)); }
void key_ring::add(encryption_key const& key) { value_or_throw(try_add(key)); }
void key_ring::add_current(std::string_view id, std::span<std::byte const> secret) {
    value_or_throw(try_add_current(id, secret));
}
void key_ring::add_current(encryption_key const& key) { value_or_throw(try_add_current(key)); }
void key_ring::use(std::string_view id) { value_or_throw(try_use(id)); }
bool key_ring::erase(std::string_view id) { return value_or_throw(try_erase(id)); }

result<void> key_ring::try_add(std::string_view id, std::span<std::byte const> secret) {
    auto const key = encryption_key::try_make(id, secret);
    if (!key) return failure{key.error()};
    return try_add(*key);
}

result<void> key_ring::try_add(encryption_key const& key) {
    std::lock_guard const lock{keys_->mutex};
    return keys_->add(key);
}

result<void> key_ring::try_add_current(std::string_view id, std::span<std::byte const> secret) {
    auto const key = encryption_key::try_make(id, secret);
    if (!key) return failure{key.error()};
    return try_add_current(*key);
}

result<void> key_ring::try_add_current(encryption_key const& key) {
    std::lock_guard const lock{keys_->mutex};
    if (auto added = keys_->add(key); !added) return added;
    keys_->current = key;
    return {};
}

result<void> key_ring::try_use(std::string_view id) {
    std::lock_guard const lock{keys_->mutex};
    auto const at = keys_->by_id.find(id);
    if (at == keys_->by_id.end()) return unknown(id);
    keys_->current = at->second;
    return {};
}

result<bool> key_ring::try_erase(std::string_view id) {
    std::lock_guard const lock{keys_->mutex};
    if (keys_->current && keys_->current->id() == id)
        return fail(library_errc::invalid_encryption_key,
                    {.reason = "the current key of a ring stays: `use` another one first"});
    auto const at = keys_->by_id.find(id);
    if (at == keys_->by_id.end()) return false;
    keys_->by_id.erase(at);
    return true;
}

result<encryption_key> key_ring::current() const {
    std::shared_lock const lock{keys_->mutex};
    if (!keys_->current)
        return fail(library_errc::no_encryption_key,
                    {.reason = "the key ring has no current key: call its `add_current` or `use`"});
    return *keys_->current;
}

result<encryption_key> key_ring::find(std::string_view id) const {
    std::shared_lock const lock{keys_->mutex};
    auto const at = keys_->by_id.find(id);
    if (at == keys_->by_id.end()) return unknown(id);
    return at->second;
}

result<std::vector<encryption_key>> key_ring::all() const {
    std::shared_lock const lock{keys_->mutex};
    std::vector<encryption_key> found;
    found.reserve(keys_->by_id.size());
    if (keys_->current) found.push_back(*keys_->current);
    for (auto const& [id, key] : keys_->by_id)
        if (!keys_->current || id != keys_->current->id()) found.push_back(key);
    return found;
}

}  // namespace tablemap
