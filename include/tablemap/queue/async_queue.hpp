// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/queue/async_queue_calls.hpp"
#include "tablemap/detail/store/async_start.hpp"

#include <chrono>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tablemap::inline v0_1 {

/// The operations of `queue` for callers that do not block. Each takes a Boost.Asio completion token last, which
/// `call_options` may precede.
///
///     async_queue tasks{store, "tasks"};
///     co_await tasks.put("archive 4711", asio::use_awaitable);
///     auto const taken = co_await tasks.get(32, 1min, asio::use_awaitable);
///     for (auto const& m : taken) co_await tasks.erase(m, asio::use_awaitable);
///
/// Conditions, values and errors are those of `queue`; the signature is `void(std::exception_ptr, V)`, or
/// `void(std::exception_ptr)` where there is no value. Handlers run as `detail/store/async_task.hpp` says. Texts and
/// receipts are copied before the call returns.
///
/// \par Thread safety
/// As `queue`.
/// \par Lifetime
/// May be destroyed while operations are under way.
class async_queue {
public:
    /// Names a queue in a store; nothing is sent.
    ///
    /// \pre `s` is not null
    /// \throws error as the constructor of `queue`
    async_queue(store_ptr s, std::string name) : calls_(std::move(s), std::move(name)) {}

    std::string const& name() const& noexcept { return calls_.name(); }
    std::string name() const&& { return calls_.name(); }

    // ---- the queue itself -------------------------------------------------------------------------------------------

    template <class... Last> auto create(Last&&... last) const {
        return start(calls_.create(), std::forward<Last>(last)...);
    }
    template <class... Last> auto create_if_not_exists(Last&&... last) const {
        return start(calls_.create_if_not_exists(), std::forward<Last>(last)...);
    }
    template <class... Last> auto delete_queue(Last&&... last) const {
        return start(calls_.delete_queue(), std::forward<Last>(last)...);
    }
    template <class... Last> auto delete_if_exists(Last&&... last) const {
        return start(calls_.delete_if_exists(), std::forward<Last>(last)...);
    }
    template <class... Last> auto exists(Last&&... last) const {
        return start(calls_.exists(), std::forward<Last>(last)...);
    }

    // ---- messages ---------------------------------------------------------------------------------------------------

    template <detail::is_text Text, class... Last> auto put(Text&& text, Last&&... last) const {
        return put(std::forward<Text>(text), message_times{}, std::forward<Last>(last)...);
    }
    template <detail::is_text Text, class... Last> auto put(Text&& text, message_times times, Last&&... last) const {
        return start(calls_.put(detail::kept_text(std::forward<Text>(text)), times), std::forward<Last>(last)...);
    }

    /// `get(token)`, `get(most, token)`, `get(most, hidden_for, token)`, each with `call_options` before the token or
    /// not.
    template <class... Last> auto get(std::size_t most, std::chrono::seconds hidden_for, Last&&... last) const {
        return start(calls_.get(most, hidden_for), std::forward<Last>(last)...);
    }
    template <class... Last>
    requires(!std::convertible_to<detail::first_argument<Last...>, std::chrono::seconds>) auto get(
        std::size_t most, Last&&... last) const {
        return get(most, std::chrono::seconds{30}, std::forward<Last>(last)...);
    }
    template <class... Last>
    requires(!std::convertible_to<detail::first_argument<Last...>, std::size_t>) auto get(Last&&... last) const {
        return get(std::size_t{1}, std::forward<Last>(last)...);
    }

    /// `peek(token)`, `peek(most, token)`, each with `call_options` before the token or not.
    template <class... Last> auto peek(std::size_t most, Last&&... last) const {
        return start(calls_.peek(most), std::forward<Last>(last)...);
    }
    template <class... Last>
    requires(!std::convertible_to<detail::first_argument<Last...>, std::size_t>) auto peek(Last&&... last) const {
        return peek(std::size_t{1}, std::forward<Last>(last)...);
    }

    /// `update(message, hidden_for, token)`, `update(message, hidden_for, text, token)`, each with `call_options`
    /// before the token or not.
    template <detail::is_text Text, class... Last>
    auto update(message_receipt const& m, std::chrono::seconds hidden_for, Text&& text, Last&&... last) const {
        return start(calls_.update(m, hidden_for, detail::kept_text(std::forward<Text>(text))),
                     std::forward<Last>(last)...);
    }
    template <class... Last>
    requires(!detail::is_text<detail::first_argument<Last...>>) auto update(message_receipt const& m,
                                                                            std::chrono::seconds hidden_for,
                                                                            Last&&... last) const {
        return start(calls_.update(m, hidden_for, std::nullopt), std::forward<Last>(last)...);
    }

    template <class... Last> auto erase(message_receipt const& m, Last&&... last) const {
        return start(calls_.erase(m), std::forward<Last>(last)...);
    }
    template <class... Last> auto clear(Last&&... last) const {
        return start(calls_.clear(), std::forward<Last>(last)...);
    }
    template <class... Last> auto approximate_count(Last&&... last) const {
        return start(calls_.approximate_count(), std::forward<Last>(last)...);
    }

private:
    template <class V, class... Last> static auto start(detail::service_call<V> call, Last&&... last) {
        auto where = call.store();
        return detail::start_with(std::move(where), std::move(call), std::forward<Last>(last)...);
    }

    detail::async_queue_calls calls_;
};

}  // namespace tablemap
