// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/service_properties.hpp"
#include "tablemap/store/store.hpp"

#include <chrono>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::detail::serve {

/// The CORS rules that a store has. Everybody can send requests that need them, so they are read once in a while, by
/// one thread at a time, and within a short time.
///
/// \par Thread safety
/// All functions may be called from any number of threads.
class account_rules {
public:
    using rules = std::shared_ptr<std::vector<cors_rule> const>;

    explicit account_rules(store_ptr s) : store_(std::move(s)) {}

    /// Refuses the request if the store does not give the rules.
    rules get();

    /// Reads them anew for the next request.
    void forget();

private:
    rules read() const;

    store_ptr store_;
    std::mutex mutex_;  // also while they are read
    rules known_{};     // none: the store gave none
    std::chrono::steady_clock::time_point until_{};
};

}  // namespace tablemap::detail::serve
