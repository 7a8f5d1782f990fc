// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/account_rules.hpp"
#include "serve/gatekeeper.hpp"
#include "serve/incoming.hpp"
#include "tablemap/base/ticks.hpp"
#include "tablemap/store/store.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace tablemap::inline v0_1::detail::serve {

struct service_settings {
    std::string account{};
    account_key key{};
    std::function<ticks()> now{};
    std::function<http_response(http_request const&)> pages{};
    std::chrono::milliseconds longest_request{30'000};
    bool local = false;  ///< only this machine reaches the server: web pages in its browsers are kept out
};

/// The table service's protocol over any store: a request in, a response out, without any I/O but the store's.
///
/// \par Source
/// The table service's REST reference.
/// \par Thread safety
/// All functions may be called from any number of threads.
class table_service {
public:
    table_service(store_ptr s, service_settings settings);

    /// Carries out a request. A failure, a lack of memory too, is a response.
    http_response handle(incoming const& in) const;

    /// The refusal of a request whose body has not come yet, if its head is enough to refuse it: a server need not take
    /// large bodies from strangers.
    std::optional<http_response> refuse_early(incoming const& in) const;

    /// True if the request waits for nothing: it is for one entity, of a store that has all at hand.
    bool is_immediate(incoming const& in) const noexcept;

    /// True if a page answers, which nobody has to sign for.
    bool is_of_pages(incoming const& in) const noexcept;

private:
    http_response page_for(incoming const& in) const;
    template <class Make> http_response answered(incoming const& in, Make make) const;
    http_response carry_out(incoming const& in, ticks now, account_rules::rules const& rules) const;
    void check_page(incoming const& in, account_rules::rules const& rules) const;
    account_rules::rules rules_for(incoming const& in) const noexcept;
    void append_cors(http_response& answer, incoming const& in, account_rules::rules const& rules) const;

    store_ptr store_;
    service_settings settings_;
    gatekeeper gate_;
    mutable account_rules rules_;
};

}  // namespace tablemap::detail::serve
