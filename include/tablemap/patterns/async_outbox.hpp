// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/async_task.hpp"
#include "tablemap/detail/store/async_arguments.hpp"
#include "tablemap/patterns/outbox.hpp"
#include "tablemap/table/async_table.hpp"

#include <concepts>
#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1 {
namespace detail {

struct async_outbox_access;

/// The effects, the options and the token among the arguments of `async_outbox::commit`.
template <class... Arguments> struct commit_arguments {
    static constexpr std::size_t count = sizeof...(Arguments);
    template <std::size_t I> using at = std::tuple_element_t<I, std::tuple<Arguments...>>;

    static constexpr bool have_options() {
        if constexpr (count >= 2)
            return std::same_as<std::remove_cvref_t<at<count - 2>>, call_options>;
        else
            return false;
    }
    static constexpr std::size_t effects = count - 1 - (have_options() ? 1 : 0);
};

/// An effect that is a struct of the program's own is an aggregate.
template <class Effect> constexpr void refuse_unsafe_effect() {
    using plain = std::remove_cvref_t<Effect>;
    if constexpr (std::is_aggregate_v<plain> && !std::is_trivially_destructible_v<plain>)
        refuse_unsafe_temporary<Effect>();
}

}  // namespace detail

/// The operations of `outbox` for callers that do not block. Each takes a Boost.Asio completion token last, which may
/// be preceded by `call_options`. Conditions, values and errors are those of `outbox`; signatures, handlers and the
/// rules for temporaries on g++ 12 are those of `async_table`.
///
///     archive_employee const archive{"Sales", 212};
///     co_await outbox.commit(leave, archive, close_account{212}, asio::use_awaitable);
///
/// \par Thread safety
/// Full. Neither a transaction nor an entity in it may be touched until the handler runs.
/// \par Lifetime
/// May be destroyed while operations are under way, as may a transaction; its entities may not.
template <class T, class... Effects> class async_outbox {
public:
    /// Names the outbox of a table; nothing is sent.
    ///
    /// \throws error as the constructor of `outbox`
    explicit async_outbox(async_table<T> const& of, outbox_options options = {})
        : blocking_(detail::async_table_access::blocking(of), std::move(options)) {}

    /// The asynchronous form of an outbox.
    explicit async_outbox(outbox<T, Effects...> of) : blocking_(std::move(of)) {}

    std::string const& queue() const& noexcept { return blocking_.queue(); }
    std::string queue() const&& { return blocking_.queue(); }

    /// `commit(transaction, effects…, [options,] token)`. The effects are encoded before the call returns.
    template <class... Arguments> auto commit(transaction& what, Arguments&&... arguments) const {
        constexpr bool has_token = ends_with_token<Arguments...>();
        static_assert(has_token, "tablemap[P4]: commit takes a completion token last, after the effects and any "
                                 "call_options: asio::use_awaitable, asio::use_future, or a function");
        if constexpr (has_token) {
            constexpr auto effects = detail::commit_arguments<Arguments...>::effects;
            return commit_these(what, std::make_index_sequence<effects>{},
                                std::forward_as_tuple(std::forward<Arguments>(arguments)...));
        }
    }

    template <class... Values, class... Last> auto status(partition_values<Values...> const& p, Last&&... last) const {
        return run(internals::status_call(blocking_, detail::partitions_of<T>(p)), std::forward<Last>(last)...);
    }
    template <class First, class... Last>
    requires(!detail::is_partition<std::remove_cvref_t<First>>) auto status(First&& first, Last&&... last) const {
        return run(internals::status_call(blocking_, std::vector<std::string>{}), std::forward<First>(first),
                   std::forward<Last>(last)...);
    }

private:
    friend detail::async_outbox_access;
    using internals = detail::outbox_internals;

    template <class... Arguments> static constexpr bool ends_with_token() {
        if constexpr (sizeof...(Arguments) == 0) {
            return false;
        } else {
            using taken = detail::commit_arguments<Arguments...>;
            using last = std::remove_cvref_t<typename taken::template at<taken::count - 1>>;
            using effect = typename detail::effect_of_argument<last>::type;
            return !std::same_as<last, call_options> && !detail::is_one_of<effect, Effects...>;
        }
    }

    template <std::size_t... Effect, class... Arguments>
    auto commit_these(transaction& what, std::index_sequence<Effect...>, std::tuple<Arguments...> all) const {
        using taken = detail::commit_arguments<Arguments...>;
        (detail::refuse_unsafe_effect<std::tuple_element_t<Effect, std::tuple<Arguments...>>>(), ...);
        auto call = internals::commit_call(blocking_, what, std::get<Effect>(all)...);
        auto& token = std::get<taken::count - 1>(all);
        if constexpr (taken::have_options())
            return run(std::move(call), std::get<taken::count - 2>(all), std::forward<decltype(token)>(token));
        else
            return run(std::move(call), std::forward<decltype(token)>(token));
    }

    template <class Call, class Token> static auto run(Call call, Token&& token) {
        return run(std::move(call), call_options{}, std::forward<Token>(token));
    }
    template <class Call, class Token> static auto run(Call call, call_options const& o, Token&& token) {
        auto where = call.store();
        return detail::start(std::move(where), std::move(call), o, std::forward<Token>(token));
    }

    outbox<T, Effects...> blocking_;
};

namespace detail {
struct async_outbox_access {
    template <class Outbox> static auto const& blocking(Outbox const& o) noexcept { return o.blocking_; }
};
}  // namespace detail

}  // namespace tablemap
