// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/async_task.hpp"
#include "tablemap/detail/store/async_arguments.hpp"
#include "tablemap/detail/table/service_calls.hpp"
#include "tablemap/read/async_query_range.hpp"
#include "tablemap/table/table.hpp"
#include "tablemap/write/async_transaction.hpp"

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tablemap::inline v0_1 {

/// The operations of `table<T>` for callers that do not block. Each takes a Boost.Asio completion token last: a
/// callback, `use_future`, `use_awaitable`. A token may be preceded by `call_options`.
///
///     employees.insert(don, asio::use_future).get();
///     auto found = co_await employees.find({"Sales", 212}, asio::use_awaitable);
///     auto handler = [](std::exception_ptr e, std::optional<entity<employee>> found) {};
///     employees.find({"Sales", 212}, asio::bind_executor(io, handler));
///
/// Conditions, values and errors are those of `table<T>`; the signature is `void(std::exception_ptr, V)`, or
/// `void(std::exception_ptr)` where there is no value. A value of T is encoded before the call returns. An `entity<T>&`
/// is refreshed when the operation ends and must live until then. Handlers run as `detail/store/async_task.hpp` says.
///
/// On g++ 12 values, options other than `call_options`, and functions with captures are refused as temporaries: that
/// compiler destroys them twice in a `co_await` expression. Give them a name.
///
/// \par Thread safety
/// As `table<T>`.
/// \par Lifetime
/// May be destroyed while operations are under way.
template <class T> class async_table {
public:
    using value_type = T;
    using key_type = key_of<T>;

    /// Names a table in a store; nothing is sent.
    ///
    /// \pre `s` is not null
    /// \throws error `library_errc::invalid_table_name`; `no_encryption_key` if T has encrypted members and the store
    /// no keys
    async_table(store_ptr s, std::string name, table_options options = {})
        : operations_(std::move(s), std::move(name), options) {}

    std::string const& name() const& noexcept { return operations_.state().name; }
    std::string name() const&& { return operations_.state().name; }

    // ---- the table itself -------------------------------------------------------------------------------------------

    template <class... Last> auto create(Last&&... last) const {
        return create(if_being_deleted::fail, std::forward<Last>(last)...);
    }
    template <class... Last> auto create(if_being_deleted then, Last&&... last) const {
        return run(calls().create_table(name(), then), std::forward<Last>(last)...);
    }
    template <class... Last> auto create_if_not_exists(Last&&... last) const {
        return create_if_not_exists(if_being_deleted::fail, std::forward<Last>(last)...);
    }
    template <class... Last> auto create_if_not_exists(if_being_deleted then, Last&&... last) const {
        return run(calls().create_table_if_not_exists(name(), then), std::forward<Last>(last)...);
    }
    template <class... Last> auto delete_table(Last&&... last) const {
        return run(calls().delete_table(name()), std::forward<Last>(last)...);
    }
    template <class... Last> auto delete_if_exists(Last&&... last) const {
        return run(calls().delete_table_if_exists(name()), std::forward<Last>(last)...);
    }
    template <class... Last> auto exists(Last&&... last) const {
        return run(calls().has_table(name()), std::forward<Last>(last)...);
    }
    template <class... Last> auto policies(Last&&... last) const {
        return run(calls().policies(name()), std::forward<Last>(last)...);
    }
    template <class Policies, class... Last>
    requires std::same_as<std::remove_cvref_t<Policies>, std::vector<access_policy>>
    auto set_policies(Policies&& policies, Last&&... last) const {
        detail::refuse_unsafe_temporary<Policies>();
        return run(calls().set_policies(name(), std::forward<Policies>(policies)), std::forward<Last>(last)...);
    }

    // ---- reading ----------------------------------------------------------------------------------------------------

    template <class... Last> auto find(key_type const& key, Last&&... last) const {
        return run(operations_.find(key), std::forward<Last>(last)...);
    }
    template <class... Arguments>
    requires detail::key_in_values<key_type, Arguments...>
    auto find(Arguments&&... values) const {
        return detail::with_key<key_type>(
            [&](auto const& key, auto&&... rest) -> decltype(auto) {
                return find(key, std::forward<decltype(rest)>(rest)...);
            },
            std::forward<Arguments>(values)...);
    }

    template <class... Last>
    auto find_many(std::vector<key_type> const& keys, std::size_t at_once, Last&&... last) const {
        return run(operations_.find_many(keys, at_once), std::forward<Last>(last)...);
    }

    /// See `table<T>::find_by` and `query_by`.
    template <detail::fixed_string Name, class... Last>
    auto find_by(index_key<T, Name> const& key, Last&&... last) const {
        if constexpr (detail::has_unique_index<T, Name>)
            return run(operations_.find_by(key), std::forward<Last>(last)...);
    }
    template <detail::fixed_string Name, class... Arguments>
    requires detail::key_in_values<index_key<T, Name>, Arguments...>
    auto find_by(Arguments&&... values) const {
        return detail::with_key<index_key<T, Name>>(
            [&](auto const& key, auto&&... rest) -> decltype(auto) {
                return find_by<Name>(key, std::forward<decltype(rest)>(rest)...);
            },
            std::forward<Arguments>(values)...);
    }
    template <detail::fixed_string Name, class Partitions>
    auto query_by(Partitions const& p, call_options const& o = detail::default_call_options()) const {
        return async_query_range{blocking().template query_by<Name>(p, o)};
    }
    template <detail::fixed_string Name, class Partitions>
    auto query_by(Partitions const& p, row_selection auto const& rows,
                  call_options const& o = detail::default_call_options()) const {
        return async_query_range{blocking().template query_by<Name>(p, rows, o)};
    }

    /// Selects the entities of a partition, of a range of its rows, or of a list of partitions.
    ///
    /// \return a range that sends its first request when the first entity is read
    /// \throws error a key that cannot be made
    template <class Partitions>
    async_query_range<T> query(Partitions const& p, call_options const& o = detail::default_call_options()) const {
        return async_query_range<T>{blocking().query(p, o)};
    }
    template <class Partitions>
    async_query_range<T> query(Partitions const& p, row_selection auto const& rows,
                               call_options const& o = detail::default_call_options()) const {
        return async_query_range<T>{blocking().query(p, rows, o)};
    }

    /// Selects all entities of the table, or those that meet a condition.
    ///
    /// \return a range as that of `query`
    /// \par Cost
    /// The store reads every row.
    async_query_range<T> scan(call_options const& o = detail::default_call_options()) const {
        return async_query_range<T>{blocking().scan(o)};
    }
    template <class Condition>
    async_query_range<T> scan(Condition const& c, call_options const& o = detail::default_call_options()) const {
        return async_query_range<T>{blocking().scan(c, o)};
    }

    // ---- writing ----------------------------------------------------------------------------------------------------

    template <class Value, class... Last>
    requires std::same_as<std::remove_cvref_t<Value>, T>
    auto insert(Value&& value, Last&&... last) const {
        return write_value<Value>(write_kind::insert, value, {}, std::forward<Last>(last)...);
    }
    template <class Value, class... Last>
    requires std::same_as<std::remove_cvref_t<Value>, T>
    auto replace_any(Value&& value, Last&&... last) const {
        return write_value<Value>(write_kind::replace, value, any_etag, std::forward<Last>(last)...);
    }
    template <class Value, class... Last>
    requires std::same_as<std::remove_cvref_t<Value>, T>
    auto upsert_replace(Value&& value, Last&&... last) const {
        return write_value<Value>(write_kind::upsert_replace, value, {}, std::forward<Last>(last)...);
    }

    template <class... Last> auto replace(entity<T>& e, Last&&... last) const {
        return run(operations_.replace(e, clock_of(last...)), std::forward<Last>(last)...);
    }
    template <class... Last> auto merge(entity<T>& e, Last&&... last) const {
        return run(operations_.merge(e, clock_of(last...)), std::forward<Last>(last)...);
    }
    template <detail::choosing::choice Choice, class... Last>
    auto merge(entity<T>& e, Choice const& chosen, Last&&... last) const {
        return run(operations_.merge(e, chosen, clock_of(last...)), std::forward<Last>(last)...);
    }
    template <class... Last> auto merge(entity<T>& e, only_properties chosen, Last&&... last) const {
        return run(operations_.merge(e, chosen, clock_of(last...)), std::forward<Last>(last)...);
    }
    template <class... Last> auto merge(entity<T>& e, changed_since_t<T> since, Last&&... last) const {
        return run(operations_.merge(e, since, clock_of(last...)), std::forward<Last>(last)...);
    }
    template <std::same_as<entity<T>> Entity, class... Last> auto erase(Entity const& e, Last&&... last) const {
        return run(operations_.erase(e), std::forward<Last>(last)...);
    }
    template <class... Last> auto erase_any(key_type const& key, Last&&... last) const {
        return run(operations_.erase_any(key), std::forward<Last>(last)...);
    }
    template <class... Arguments>
    requires detail::key_in_values<key_type, Arguments...>
    auto erase_any(Arguments&&... values) const {
        return detail::with_key<key_type>(
            [&](auto const& key, auto&&... rest) -> decltype(auto) {
                return erase_any(key, std::forward<decltype(rest)>(rest)...);
            },
            std::forward<Arguments>(values)...);
    }

    template <class Value, class... Last>
    requires std::same_as<std::remove_cvref_t<Value>, T>
    auto upsert_merge(Value&& value, Last&&... last) const {
        detail::refuse_unsafe_temporary<Value>();
        return run(operations_.upsert_merge(value, clock_of(last...)), std::forward<Last>(last)...);
    }
    template <class Value, detail::choosing::choice Choice, class... Last>
    requires std::same_as<std::remove_cvref_t<Value>, T>
    auto upsert_merge(Value&& value, Choice const& chosen, Last&&... last) const {
        detail::refuse_unsafe_temporary<Value>();
        return run(operations_.upsert_merge(value, chosen, clock_of(last...)), std::forward<Last>(last)...);
    }
    template <class Value, detail::choosing::choice Choice, class... Last>
    requires std::same_as<std::remove_cvref_t<Value>, T>
    auto merge_any(Value&& value, Choice const& chosen, Last&&... last) const {
        detail::refuse_unsafe_temporary<Value>();
        return run(operations_.merge_any(value, chosen, clock_of(last...)), std::forward<Last>(last)...);
    }

    /// See `table<T>::modify`. `change` is kept in the operation and may run on any thread; it must not wait there for
    /// another operation of the store. An exception of `change` reaches the handler.
    template <detail::change_of<T> Change, class... Last>
    auto modify(key_type const& key, Change&& change, Last&&... last) const {
        return modify(key, std::forward<Change>(change), modify_options{}, std::forward<Last>(last)...);
    }
    template <detail::change_of<T> Change, class... Last>
    auto modify(key_type const& key, Change&& change, modify_options m, Last&&... last) const {
        detail::refuse_unsafe_function<Change>();
        return run(operations_.modify(key, detail::kept(std::forward<Change>(change)), m), std::forward<Last>(last)...);
    }
    template <class... Arguments>
    requires detail::key_in_values<key_type, Arguments...>
    auto modify(Arguments&&... values) const {
        return detail::with_key<key_type>(
            [&](auto const& key, auto&&... rest) -> decltype(auto) {
                return modify(key, std::forward<decltype(rest)>(rest)...);
            },
            std::forward<Arguments>(values)...);
    }
    template <class Value, detail::change_of<T> Change, class... Last>
    requires std::same_as<std::remove_cvref_t<Value>, T>
    auto modify_or_insert(Value&& initial, Change&& change, modify_options m, Last&&... last) const {
        detail::refuse_unsafe_temporary<Value>();
        detail::refuse_unsafe_function<Change>();
        return run(
            operations_.modify_or_insert(initial, detail::kept(std::forward<Change>(change)), m, clock_of(last...)),
            std::forward<Last>(last)...);
    }
    template <class Value, detail::change_of<T> Change, class... Last>
    requires std::same_as<std::remove_cvref_t<Value>, T>
    auto modify_or_insert(Value&& initial, Change&& change, Last&&... last) const {
        return modify_or_insert(std::forward<Value>(initial), std::forward<Change>(change), modify_options{},
                                std::forward<Last>(last)...);
    }

    /// See `table<T>::transaction` and `async_commit`.
    tablemap::transaction transaction(clock& c = clock::system()) const {
        return detail::transaction_access::begin(operations_.shared_state(), c);
    }

    /// The options are given by name, or `{}`.
    template <class... Last> auto migrate(detail::options_in_braces<migration_options> options, Last&&... last) const {
        return run(operations_.migrate(detail::options_from<migration_options>(std::move(options))),
                   std::forward<Last>(last)...);
    }
    template <class Options, class... Last>
    requires std::same_as<std::remove_cvref_t<Options>, migration_options>
    auto migrate(Options&& options, Last&&... last) const {
        detail::refuse_unsafe_temporary<Options>();
        return run(operations_.migrate(migration_options(options)), std::forward<Last>(last)...);
    }

    template <class... Last>
    auto reencrypt(detail::options_in_braces<reencryption_options> options, Last&&... last) const {
        return run(operations_.reencrypt(detail::options_from<reencryption_options>(std::move(options))),
                   std::forward<Last>(last)...);
    }
    template <class Options, class... Last>
    requires std::same_as<std::remove_cvref_t<Options>, reencryption_options>
    auto reencrypt(Options&& options, Last&&... last) const {
        detail::refuse_unsafe_temporary<Options>();
        return run(operations_.reencrypt(reencryption_options(options)), std::forward<Last>(last)...);
    }

    /// `verify_indexes(token)`, `verify_indexes(options, token)`, `verify_indexes(partition, token)`,
    /// `verify_indexes(partition, options, token)`, each with `call_options` before the token or not:
    /// `void(std::exception_ptr, index_report)`.
    template <class... Arguments> auto verify_indexes(Arguments&&... a) const {
        return audit_indexes(false, std::forward<Arguments>(a)...);
    }
    template <class... Arguments> auto rebuild_indexes(Arguments&&... a) const {
        return audit_indexes(true, std::forward<Arguments>(a)...);
    }

    // ---- many rows --------------------------------------------------------------------------------------------------

    /// `insert_many(rows, token)`, `insert_many(rows, bulk_options, token)`, with `call_options` before the token or
    /// not: `void(std::exception_ptr, bulk_report)`. A temporary source is kept until the operation ends, any other is
    /// borrowed; it is read on the threads on which responses arrive, on one at a time.
    template <detail::source_of_values<T> Source, class... Last>
    auto insert_many(Source&& source, Last&&... last) const {
        return write_many(write_kind::insert, std::forward<Source>(source), std::forward<Last>(last)...);
    }
    template <detail::source_of_values<T> Source, class... Last>
    auto upsert_many(Source&& source, Last&&... last) const {
        return write_many(write_kind::upsert_replace, std::forward<Source>(source), std::forward<Last>(last)...);
    }

    /// See `table<T>::erase_where`: `void(std::exception_ptr, erase_report)`.
    template <class... Last> auto erase_where(async_query_range<T> const& range, Last&&... last) const {
        return with_bulk_options(
            [&](bulk_options const& options) { return operations_.erase_where(range.state_->again(), options); },
            std::forward<Last>(last)...);
    }

    // ---- refused at compile time ------------------------------------------------------------------------------------

    // Their return types are deduced, so that their bodies are compiled at the call, before the code that awaits it.
    template <class None = void> auto query(call_options const& = {}) const {
        detail::refuse_query_without_partition<None>();
    }
    template <detail::nothing_to_refresh<T> First, class... Last> auto replace(First&&, Last&&...) const {
        detail::refuse_to_refresh<First>();
    }
    template <detail::nothing_to_refresh<T> First, class... Last> auto merge(First&&, Last&&...) const {
        detail::refuse_to_refresh<First>();
    }
    // Without it, braces that hold a key would make an entity of it, which has no etag.
    template <class Key = key_type, class... Last> auto erase(Key const&, Last&&...) const {
        detail::refuse_to_erase_by_key<Key>();
    }

private:
    friend detail::async_table_access;

    table<T> blocking() const { return table<T>{operations_.shared_state()}; }

    detail::service_calls calls() const { return detail::service_calls{operations_.state().store}; }

    // The last arguments of a call: a token, or options and a token.
    static clock& clock_of() noexcept { return clock::system(); }
    template <class Token> static clock& clock_of(Token&&) noexcept { return clock::system(); }
    template <class Token> static clock& clock_of(call_options const& o, Token&&) noexcept {
        return detail::clock_of(o);
    }

    template <class Op> static void run(Op const&) { detail::refuse_without_token<Op>(); }
    template <class Op, class Token> static auto run(Op op, Token&& token) {
        if constexpr (std::same_as<std::remove_cvref_t<Token>, call_options>)
            detail::refuse_without_token<Op>();
        else
            return run(std::move(op), call_options{}, std::forward<Token>(token));
    }
    template <class Op, class Token> static auto run(Op op, call_options const& o, Token&& token) {
        auto where = op.store();
        return detail::start(std::move(where), std::move(op), o, std::forward<Token>(token));
    }

    template <class... Last> auto audit_indexes(bool repairs, Last&&... last) const {
        return run(operations_.audit_indexes(repairs, index_audit_options{}), std::forward<Last>(last)...);
    }
    template <class Options, class... Last>
    requires std::same_as<std::remove_cvref_t<Options>, index_audit_options>
    auto audit_indexes(bool repairs, Options&& options, Last&&... last) const {
        detail::refuse_unsafe_temporary<Options>();
        return run(operations_.audit_indexes(repairs, index_audit_options(options)), std::forward<Last>(last)...);
    }
    template <class Partition, class... Last>
    requires detail::is_partition<std::remove_cvref_t<Partition>>
    auto audit_indexes(bool repairs, Partition&& p, Last&&... last) const {
        detail::refuse_unsafe_temporary<Partition>();
        return run(operations_.audit_indexes(repairs, p, index_audit_options{}), std::forward<Last>(last)...);
    }
    template <class Partition, class Options, class... Last>
    requires detail::is_partition<std::remove_cvref_t<Partition>> &&
        std::same_as<std::remove_cvref_t<Options>, index_audit_options>
    auto audit_indexes(bool repairs, Partition&& p, Options&& options, Last&&... last) const {
        detail::refuse_unsafe_temporary<Partition>();
        detail::refuse_unsafe_temporary<Options>();
        return run(operations_.audit_indexes(repairs, p, index_audit_options(options)), std::forward<Last>(last)...);
    }

    template <class Source, class... Last> auto write_many(write_kind kind, Source&& source, Last&&... last) const {
        if constexpr (std::is_aggregate_v<std::remove_cvref_t<Source>>) detail::refuse_unsafe_temporary<Source>();
        if constexpr (std::invocable<Source&>) detail::refuse_unsafe_function<Source>();
        if constexpr (detail::check_source<T, Source>())
            return with_bulk_options(
                [&](bulk_options const& options) {
                    return operations_.write_many(kind, std::forward<Source>(source), options);
                },
                std::forward<Last>(last)...);
    }

    template <class Make, class Options, class... Last>
    requires std::same_as<std::remove_cvref_t<Options>, bulk_options>
    static auto with_bulk_options(Make make, Options&& options, Last&&... last) {
        detail::refuse_unsafe_temporary<Options>();
        return run(make(options), std::forward<Last>(last)...);
    }
    template <class Make, class... Last> static auto with_bulk_options(Make make, Last&&... last) {
        return run(make(bulk_options{}), std::forward<Last>(last)...);
    }

    template <class Value, class... Last>
    auto write_value(write_kind kind, T const& value, std::string_view if_match, Last&&... last) const {
        detail::refuse_unsafe_temporary<Value>();
        return run(operations_.write_value(kind, value, if_match, clock_of(last...)), std::forward<Last>(last)...);
    }

    detail::table_operations<T> operations_;
};

}  // namespace tablemap
