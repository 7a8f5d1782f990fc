// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/async_start.hpp"
#include "tablemap/patterns/async_outbox.hpp"
#include "tablemap/patterns/relay.hpp"

#include <type_traits>
#include <utility>

namespace tablemap::inline v0_1 {

/// The operations of `relay` for callers that do not block. Each takes a Boost.Asio completion token last, which may
/// be preceded by `call_options`. Conditions, values and errors are those of `relay`; signatures and handlers of tokens
/// are those of `async_table`.
///
///     tablemap::async_relay relay{outbox, tablemap::on<archive_employee>(archive)};
///     relay.run({.stop = stop.get_token()}, asio::detached);
///
/// A function that `on` was given runs on the thread that brings a response, and must not wait there for another
/// operation of the store: one that works with the store takes an `effect_end`. Moves by `on_move` wait for nothing.
///
/// \par Thread safety
/// Full. A call applies its effects one at a time; two calls of one relay call its handlers at once.
/// \par Lifetime
/// May be destroyed while operations are under way. What handlers refer to must live until those have ended.
template <class T, class... Effects> class async_relay {
public:
    /// \throws error as the constructor of `relay`
    template <class... Handlers>
    async_relay(async_outbox<T, Effects...> const& of, relay_options options, Handlers... handlers)
        : blocking_(detail::async_outbox_access::blocking(of), std::move(options), std::move(handlers)...) {}
    template <class... Handlers>
    requires(!std::is_same_v<std::remove_cvref_t<Handlers>, relay_options> &&
             ...) explicit async_relay(async_outbox<T, Effects...> const& of, Handlers... handlers)
        : async_relay(of, relay_options{}, std::move(handlers)...) {}

    template <class... Values, class... Last>
    auto run_once(partition_values<Values...> const& p, Last&&... last) const {
        return start(calls::run_once(blocking_, p), std::forward<Last>(last)...);
    }
    template <class... Last> auto sweep(Last&&... last) const {
        return start(calls::sweep(blocking_), std::forward<Last>(last)...);
    }

    /// Ends at the deadline or the stop of the options.
    template <class... Last> auto run(call_options const& o, Last&&... last) const {
        return start(calls::run(blocking_), o, std::forward<Last>(last)...);
    }

    template <class... Values, class... Last>
    auto put_back(partition_values<Values...> const& p, Last&&... last) const {
        return start(calls::put_back(blocking_, p), std::forward<Last>(last)...);
    }
    template <class... Last>
    requires(!detail::is_partition<std::remove_cvref_t<detail::first_argument<Last...>>>) auto put_back(
        Last&&... last) const {
        return start(calls::put_back(blocking_), std::forward<Last>(last)...);
    }

private:
    using calls = detail::relay_internals;

    template <class Call, class... Last> static auto start(Call call, Last&&... last) {
        auto where = call.store();
        return detail::start_with(std::move(where), std::move(call), std::forward<Last>(last)...);
    }

    relay<T, Effects...> blocking_;
};

}  // namespace tablemap
