// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/async_task.hpp"
#include "tablemap/detail/store/async_arguments.hpp"
#include "tablemap/patterns/table_with_copies.hpp"
#include "tablemap/table/async_table.hpp"

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>

namespace tablemap::inline v0_1 {

/// The operations of `table_with_copies` for callers that do not block. Each takes a Boost.Asio completion token last,
/// which may be preceded by `call_options`. Conditions, values and errors are those of `table_with_copies`; signatures,
/// handlers and the rules for temporaries on g++ 12 are those of `async_table`.
///
///     co_await company.modify<employee>({"Sales", 212}, [](employee& e) { e.name = "Don"; }, asio::use_awaitable);
///
/// \par Thread safety
/// Full.
/// \par Lifetime
/// The table may be destroyed while operations are under way. An `entity<T>&` of `replace` must live until the
/// operation ends.
template <class... Types> class async_table_with_copies {
public:
    /// \throws error as the constructor of `table_with_copies`
    async_table_with_copies(store_ptr s, std::string name, table_options options = {})
        : operations_(std::move(s), std::move(name), options) {}

    std::string const& name() const& noexcept { return operations_.state().name; }
    std::string name() const&& { return operations_.state().name; }

    /// The table of one of the types, to read it. Writes through it leave copies as they are.
    template <class T> async_table<T> of() const {
        if constexpr (detail::check_type_with_copies<T, Types...>()) {
            auto const& s = operations_.state();
            return {s.store, s.name, detail::options_used_by(s)};
        }
    }

    template <class Value, class... Last> auto insert(Value&& value, Last&&... last) const {
        using type = std::remove_cvref_t<Value>;
        detail::refuse_unsafe_temporary<Value>();
        if constexpr (detail::check_type_with_copies<type, Types...>())
            return run(operations_.insert(type(std::forward<Value>(value)), clock_of(last...)),
                       std::forward<Last>(last)...);
    }

    template <class T, class... Last> auto replace(entity<T>& e, Last&&... last) const {
        if constexpr (detail::check_type_with_copies<T, Types...>())
            return run(operations_.replace(e), std::forward<Last>(last)...);
    }

    /// `change` is kept in the operation and may run on any thread, which must not wait there for another operation of
    /// the store. An exception of it reaches the handler.
    template <class T, detail::change_of<T> Change, class... Last>
    auto modify(key_of<T> const& key, Change&& change, Last&&... last) const {
        return modify<T>(key, std::forward<Change>(change), modify_options{}, std::forward<Last>(last)...);
    }
    template <class T, detail::change_of<T> Change, class... Last>
    auto modify(key_of<T> const& key, Change&& change, modify_options m, Last&&... last) const {
        detail::refuse_unsafe_function<Change>();
        if constexpr (detail::check_type_with_copies<T, Types...>())
            return run(operations_.template modify<T>(key, detail::kept(std::forward<Change>(change)), m),
                       std::forward<Last>(last)...);
    }
    template <class T, class... Arguments>
    requires detail::key_in_values<key_of<T>, Arguments...>
    auto modify(Arguments&&... values) const {
        return detail::with_key<key_of<T>>(
            [&](auto const& key, auto&&... rest) -> decltype(auto) {
                return modify<T>(key, std::forward<decltype(rest)>(rest)...);
            },
            std::forward<Arguments>(values)...);
    }

    template <class T, class... Last> auto erase_unless_copied(entity<T> const& e, Last&&... last) const {
        if constexpr (detail::check_type_with_copies<T, Types...>())
            return run(operations_.template erase<detail::holders::counted>(e), std::forward<Last>(last)...);
    }

    template <class T, class... Last> auto erase_and_clear_copies(entity<T> const& e, Last&&... last) const {
        if constexpr (detail::check_type_with_copies<T, Types...>() && detail::check_unlinking<T, Types...>())
            return run(operations_.template erase<detail::holders::cleared>(e), std::forward<Last>(last)...);
    }

    template <class... Values, class... Last>
    auto verify_copies(partition_values<Values...> const& p, Last&&... last) const {
        return run(operations_.check(p, false), std::forward<Last>(last)...);
    }

    template <class... Values, class... Last>
    auto refresh_copies(partition_values<Values...> const& p, Last&&... last) const {
        return run(operations_.check(p, true), std::forward<Last>(last)...);
    }

private:
    template <class Token> static clock& clock_of(Token&&) noexcept { return clock::system(); }
    template <class Token> static clock& clock_of(call_options const& o, Token&&) noexcept {
        return detail::copies_operations<Types...>::clock_of(o);
    }

    template <class Call, class Token> static auto run(Call call, Token&& token) {
        return run(std::move(call), call_options{}, std::forward<Token>(token));
    }
    template <class Call, class Token> static auto run(Call call, call_options const& o, Token&& token) {
        auto where = call.store();
        return detail::start(std::move(where), std::move(call), o, std::forward<Token>(token));
    }

    detail::copies_operations<Types...> operations_;
};

}  // namespace tablemap
