// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/service_properties.hpp"
#include "tablemap/store/store.hpp"

#include <chrono>
#include <cstddef>
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

    /// Nothing if the store has not given any so far. A failure later on changes no rules.
    rules get();

    /// Reads them anew for the next request.
    void forget();

private:
    using steady = std::chrono::steady_clock;

    bool are_fresh();
    rules known();
    rules read() const;
    void read_anew();

    store_ptr store_;
    std::mutex reading_;  // while they are read, before the other one
    std::mutex mutex_;
    rules known_{};  // none: the store gave none
    steady::time_point until_{};
    std::size_t changes_ = 0;
};

}  // namespace tablemap::detail::serve
