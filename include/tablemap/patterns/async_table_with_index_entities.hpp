// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/async_task.hpp"
#include "tablemap/detail/store/async_arguments.hpp"
#include "tablemap/patterns/table_with_index_entities.hpp"
#include "tablemap/table/async_table.hpp"

#include <chrono>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1 {

/// The operations of `table_with_index_entities` for callers that do not block. Each takes a Boost.Asio completion
/// token last, which may be preceded by `call_options`. Conditions, values and errors are those of
/// `table_with_index_entities`; signatures, handlers and the rules for temporaries on g++ 12 are those of
/// `async_table`. The tables are created by the blocking class.
///
///     auto halls = co_await employees.find_all_by<"last_name">(tmap::partition("Sales"), "Hall", asio::use_awaitable);
///
/// \par Thread safety
/// Full.
/// \par Lifetime
/// The table may be destroyed while operations are under way. An entity of `replace` or `erase` must live until the
/// operation ends.
template <class T, class... Indexes> class async_table_with_index_entities {
    using operations = detail::list_operations<T, Indexes...>;

public:
    using value_type = T;
    using key_type = key_of<T>;

    /// \throws error as the constructor of `table_with_index_entities`
    async_table_with_index_entities(store_ptr s, std::string name, index_entity_options options = {},
                                    table_options of_table = {})
        : operations_(std::move(s), std::move(name), std::move(options), of_table) {}

    std::string const& name() const& noexcept { return operations_.state().entities->name; }
    std::string name() const&& { return operations_.state().entities->name; }

    /// The table of the entities, to read it. Writes through it leave the lists as they are.
    async_table<T> entities() const {
        auto const& s = *operations_.state().entities;
        return {s.store, s.name, detail::options_used_by(s)};
    }

    template <detail::fixed_string Name, class... Values, class Value, class... Last>
    auto find_all_by(partition_values<Values...> const& in, Value const& value, Last&&... last) const {
        if constexpr (detail::check_list_is_named<detail::lists_in::of_entities, Name, Indexes...>())
            return find_all<Name>(operations::partitions_of(in), value, std::forward<Last>(last)...);
    }
    template <detail::fixed_string Name, class Value, class... Last>
    auto find_all_by(Value const& value, Last&&... last) const requires(!detail::is_partition<Value>) {
        if constexpr (detail::check_list_is_named<detail::lists_in::another_table, Name, Indexes...>())
            return find_all<Name>(std::vector<std::string>{}, value, std::forward<Last>(last)...);
    }

    template <class Value, class... Last> auto insert(Value&& value, Last&&... last) const {
        detail::refuse_unsafe_temporary<Value>();
        return run(operations_.insert(T(std::forward<Value>(value)), clock_of(last...)), std::forward<Last>(last)...);
    }
    template <class Value, class... Last> auto upsert_replace(Value&& value, Last&&... last) const {
        detail::refuse_unsafe_temporary<Value>();
        return run(operations_.upsert(T(std::forward<Value>(value)), clock_of(last...)), std::forward<Last>(last)...);
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

    template <class... Values, class... Last> auto relay(partition_values<Values...> const& p, Last&&... last) const {
        return run(operations_.relay(operations::partitions_of(p)), std::forward<Last>(last)...);
    }
    template <class First, class... Last>
    auto relay(First&& first, Last&&... last) const requires(!detail::is_partition<std::remove_cvref_t<First>>) {
        return run(operations_.relay(std::vector<std::string>{}), std::forward<First>(first),
                   std::forward<Last>(last)...);
    }
    template <class... Last> auto run_relay(std::chrono::milliseconds every, Last&&... last) const {
        return run(operations_.relay_until_stopped(every), std::forward<Last>(last)...);
    }

    template <class... Last> auto put_back(Last&&... last) const {
        return run(operations_.put_back(), std::forward<Last>(last)...);
    }

    template <class... Last> auto verify(Last&&... last) const {
        return run(operations_.check(false), std::forward<Last>(last)...);
    }
    template <class... Last> auto repair(Last&&... last) const {
        return run(operations_.check(true), std::forward<Last>(last)...);
    }

private:
    template <detail::fixed_string Name, class Value, class... Last>
    auto find_all(result<std::vector<std::string>> partitions, Value const& value, Last&&... last) const {
        using type = typename operations::template type_of<Name>;
        if constexpr (detail::check_key_argument<type, Value const&>())
            return run(operations_.template find_all_by<Name>(std::move(partitions), type{value}),
                       std::forward<Last>(last)...);
    }

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
