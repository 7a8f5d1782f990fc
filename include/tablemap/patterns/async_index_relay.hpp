// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/index_relay_core.hpp"
#include "tablemap/detail/store/async_start.hpp"
#include "tablemap/detail/table/table_internals.hpp"
#include "tablemap/patterns/index_relay_options.hpp"
#include "tablemap/table/async_table.hpp"

#include <concepts>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

namespace tablemap::inline v0_1 {

/// The operations of `index_relay` for callers that do not block. Each takes a Boost.Asio completion token last, which
/// may be preceded by `call_options`. Values and errors are those of `index_relay`; signatures and handlers of tokens
/// are those of `async_table`.
///
///     tablemap::async_index_relay relay{employees};
///     co_await relay.create_if_not_exists(asio::use_awaitable);
///     relay.run({.stop = stop.get_token()}, asio::detached);
///
/// \par Thread safety
/// Full.
/// \par Lifetime
/// May be destroyed while operations are under way.
template <class T> class async_index_relay {
public:
    /// \throws error as the constructor of `index_relay`
    explicit async_index_relay(async_table<T> const& of, index_relay_options options = {})
        : calls_(detail::make_index_relay<T>(
              detail::table_internals::shared_state(detail::async_table_access::blocking(of)), std::move(options))) {}

    template <class... Last> auto create_if_not_exists(Last&&... last) const {
        return start(calls_.create_if_not_exists(), std::forward<Last>(last)...);
    }

    std::set<std::string> tables() const { return calls_.tables(); }

    template <class... Values, class... Last>
    auto run_once(partition_values<Values...> const& p, Last&&... last) const {
        return start(calls_.run_once(detail::relayed_partitions<T>(p)), std::forward<Last>(last)...);
    }
    template <class... Last> auto sweep(Last&&... last) const {
        return start(calls_.sweep(), std::forward<Last>(last)...);
    }

    template <class... Values, class... Last>
    auto announce(partition_values<Values...> const& p, Last&&... last) const {
        return start(calls_.announce(detail::relayed_partitions<T>(p)), std::forward<Last>(last)...);
    }

    template <class... Last> auto put_back(Last&&... last) const {
        return start(calls_.put_back(), std::forward<Last>(last)...);
    }

    /// Ends at the deadline or the stop of the options.
    template <class... Last> auto run(call_options const& o, Last&&... last) const {
        return start(calls_.run(), o, std::forward<Last>(last)...);
    }

    /// `verify(token)`, `verify(options, token)`, each with `call_options` before the token or not. So has `rebuild`.
    template <class... Last> auto verify(Last&&... last) const {
        return start(calls_.verify({}), std::forward<Last>(last)...);
    }
    template <class Options, class... Last>
    requires std::same_as<std::remove_cvref_t<Options>, index_audit_options>
    auto verify(Options&& options, Last&&... last) const {
        detail::refuse_unsafe_temporary<Options>();
        return start(calls_.verify(index_audit_options(options)), std::forward<Last>(last)...);
    }
    template <class... Last> auto rebuild(Last&&... last) const {
        return start(calls_.rebuild({}), std::forward<Last>(last)...);
    }
    template <class Options, class... Last>
    requires std::same_as<std::remove_cvref_t<Options>, index_audit_options>
    auto rebuild(Options&& options, Last&&... last) const {
        detail::refuse_unsafe_temporary<Options>();
        return start(calls_.rebuild(index_audit_options(options)), std::forward<Last>(last)...);
    }

private:
    template <class V, class... Last> static auto start(detail::index_relay_call<V> call, Last&&... last) {
        auto where = call.store();
        return detail::start_with(std::move(where), std::move(call), std::forward<Last>(last)...);
    }

    detail::index_relay_calls calls_;
};

}  // namespace tablemap
