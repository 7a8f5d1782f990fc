// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/async_task.hpp"
#include "tablemap/detail/store/async_arguments.hpp"
#include "tablemap/patterns/table_with_unique_values.hpp"
#include "tablemap/table/async_table.hpp"

#include <string>
#include <type_traits>
#include <utility>

namespace tablemap::inline v0_1 {

/// The operations of `table_with_unique_values` for callers that do not block. Each takes a Boost.Asio completion token
/// last, which may be preceded by `call_options`. Conditions, values and errors are those of
/// `table_with_unique_values`; signatures, handlers and the rules for temporaries on g++ 12 are those of `async_table`.
/// The tables are created by the blocking class.
///
///     co_await accounts.modify({"contoso", 1}, [](account& a) { a.email = "d@contoso.com"; }, asio::use_awaitable);
///
/// \par Thread safety
/// Full.
/// \par Lifetime
/// The table may be destroyed while operations are under way. An entity of `replace` or `erase` must live until the
/// operation ends.
template <class T, class... Uniques> class async_table_with_unique_values {
    using operations = detail::unique_operations<T, Uniques...>;

public:
    using value_type = T;
    using key_type = key_of<T>;

    /// \throws error as the constructor of `table_with_unique_values`
    async_table_with_unique_values(store_ptr s, std::string name, unique_options unique = {},
                                   table_options options = {})
        : operations_(std::move(s), std::move(name), std::move(unique), options) {}

    std::string const& name() const& noexcept { return operations_.state().entities->name; }
    std::string name() const&& { return operations_.state().entities->name; }
    std::string const& reservations() const& noexcept { return operations_.state().reservations->name; }
    std::string reservations() const&& { return operations_.state().reservations->name; }

    /// The table of the entities, to read it. Writes through it can break the rule.
    async_table<T> entities() const {
        auto const& s = *operations_.state().entities;
        return {s.store, s.name, detail::options_used_by(s)};
    }

    template <detail::fixed_string Name, class Value, class... Last>
    auto find_by(Value const& value, Last&&... last) const {
        if constexpr (detail::check_unique_is_named<Name, Uniques...>())
            if constexpr (detail::check_key_argument<typename operations::template type_of<Name>, Value const&>())
                return run(operations_.template find_by<Name>(typename operations::template type_of<Name>{value}),
                           std::forward<Last>(last)...);
    }

    template <class Value, class... Last> auto insert(Value&& value, Last&&... last) const {
        detail::refuse_unsafe_temporary<Value>();
        return run(operations_.insert(T(std::forward<Value>(value)), clock_of(last...)), std::forward<Last>(last)...);
    }

    template <class... Last> auto replace(entity<T>& e, Last&&... last) const {
        return run(operations_.replace(e), std::forward<Last>(last)...);
    }

    /// `change` is kept in the operation and may run on any thread, which must not wait there for another operation of
    /// the store. An exception of it reaches the handler.
    template <detail::change_of<T> Change, class... Last>
    auto modify(key_type const& key, Change&& change, Last&&... last) const {
        return modify(key, std::forward<Change>(change), modify_options{}, std::forward<Last>(last)...);
    }
    template <detail::change_of<T> Change, class... Last>
    auto modify(key_type const& key, Change&& change, modify_options m, Last&&... last) const {
        detail::refuse_unsafe_function<Change>();
        return run(operations_.modify(key, detail::kept(std::forward<Change>(change)), m), std::forward<Last>(last)...);
    }

    template <class... Last> auto erase(entity<T> const& e, Last&&... last) const {
        return run(operations_.erase(e), std::forward<Last>(last)...);
    }
    template <class... Last> void erase(entity<T>&&, Last&&...) const = delete;

    template <class... Last> auto verify(Last&&... last) const {
        return run(operations_.check(false), std::forward<Last>(last)...);
    }
    template <class... Last> auto repair(Last&&... last) const {
        return run(operations_.check(true), std::forward<Last>(last)...);
    }

private:
    template <class Token> static clock& clock_of(Token&&) noexcept { return clock::system(); }
    template <class Token> static clock& clock_of(call_options const& o, Token&&) noexcept {
        return operations::clock_of(o);
    }

    template <class Call, class Token> static auto run(Call call, Token&& token) {
        return run(std::move(call), call_options{}, std::forward<Token>(token));
    }
    template <class Call, class Token> static auto run(Call call, call_options const& o, Token&& token) {
        auto where = call.store();
        return detail::start(std::move(where), std::move(call), o, std::forward<Token>(token));
    }

    operations operations_;
};

}  // namespace tablemap
