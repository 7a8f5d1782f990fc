// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/incoming.hpp"
#include "serve/rights.hpp"
#include "serve/target.hpp"
#include "tablemap/base/ticks.hpp"
#include "tablemap/rest/credential.hpp"
#include "tablemap/store/store.hpp"

#include <chrono>
#include <functional>
#include <string>

namespace tablemap::inline v0_1::detail::serve {

inline constexpr std::chrono::minutes greatest_skew{15};  ///< of a signed request's date, either way

/// Finds out what a request may do: by its signature with the account's key, in either form, or by a shared access
/// signature in its URL.
///
/// \par Thread safety
/// Immutable.
class gatekeeper {
public:
    /// `policies` is asked for the stored policies that signatures name, and has so long to answer.
    gatekeeper(std::string account, account_key key, std::function<ticks()> now, store_ptr policies,
               std::chrono::milliseconds longest_answer);

    /// Refuses a request that nobody signed, or whose signature is wrong, too early, too late or for other callers.
    rights admit(incoming const& in, target const& t) const;

private:
    rights by_key(incoming const& in, target const& t, std::string_view authorization) const;
    rights by_table_signature(incoming const& in, target const& t) const;
    rights by_account_signature(incoming const& in, target const& t) const;
    bool has_signed(std::string_view text, std::string_view signature) const;
    void check_date(std::string_view date) const;
    void check_terms(incoming const& in, parameters const& q, std::optional<ticks> start,
                     std::optional<ticks> expiry) const;
    access_policy policy_of(std::string_view table, std::string_view id) const;

    std::string account_;
    account_key key_;
    std::function<ticks()> now_;
    store_ptr policies_;
    std::chrono::milliseconds longest_answer_;
};

}  // namespace tablemap::detail::serve
