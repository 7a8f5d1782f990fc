// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/crypto/encryption_key.hpp"

#include <chrono>
#include <functional>
#include <memory>

namespace tablemap::inline v0_1 {

/// The times for which responses of a provider are kept.
struct cached_keys_options {
    std::chrono::steady_clock::duration fresh_for =
        std::chrono::minutes{10};  ///< a fresh response is used without asking again
    std::chrono::steady_clock::duration stale_for =
        std::chrono::hours{1};  ///< after that it is used for this time while the provider fails
    std::chrono::steady_clock::duration failed_for =
        std::chrono::seconds{5};  ///< the wait before the next question after a failure
    std::function<std::chrono::steady_clock::time_point()> now{};  ///< empty: the system's clock
};

/// Keeps the responses of a slow provider, such as a program's class in front of a vault:
///
///     auto keys = std::make_shared<tmap::cached_keys>(std::make_shared<my_vault>());
///     auto store = tmap::open(text, {.keys = keys});
///
/// The provider is asked once for a thing at a time; other threads that need it wait for that response, or go on with
/// the one before. While it fails, its last responses are used until they are stale; if it says that a key is unknown,
/// or that there is no current one, that applies at once. Its failures are kept for `failed_for`, so that a page of
/// values under an unknown key asks once.
///
/// Calls of the provider block the thread that needs the key, also in asynchronous operations: `current`, `find` or
/// `all` called beforehand fill the cache.
///
/// \par Thread safety
/// All functions may run at the same time.
class cached_keys final : public key_provider {
public:
    /// Asks this provider.
    ///
    /// \pre `provider` is not null
    explicit cached_keys(std::shared_ptr<key_provider const> provider, cached_keys_options options = {});
    ~cached_keys() override;
    cached_keys(cached_keys const&) = delete;
    cached_keys& operator=(cached_keys const&) = delete;

    result<encryption_key> current() const override;
    result<encryption_key> find(std::string_view id) const override;
    result<std::vector<encryption_key>> all() const override;

private:
    struct answers;
    std::unique_ptr<answers> answers_;
};

}  // namespace tablemap
