// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/async_start.hpp"
#include "tablemap/detail/table/service_calls.hpp"
#include "tablemap/patterns/wide_table.hpp"

#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tablemap::inline v0_1 {

/// A `wide_range` that is read without blocking; made by `async_wide_table::query`, or of a blocking one.
///
/// \par Round trips
/// As `wide_range`.
/// \par Thread safety
/// One operation at a time.
/// \par Lifetime
/// It may be destroyed while an operation is under way.
template <class T> class async_wide_range {
public:
    using value_type = entity<T>;

    explicit async_wide_range(wide_range<T> const& range) : scan_(range.scan_->again()) {}

    /// A copy is the same query from its beginning.
    async_wide_range(async_wide_range const& other) : scan_(other.scan_->again()) {}
    async_wide_range(async_wide_range&&) noexcept = default;
    async_wide_range& operator=(async_wide_range const& other) { return *this = async_wide_range(other); }
    async_wide_range& operator=(async_wide_range&&) noexcept = default;
    ~async_wide_range() = default;

    /// Pages of at most so many rows; as `wide_range::page_size`.
    [[nodiscard]] async_wide_range page_size(std::size_t rows) const {
        auto other = *this;
        other.scan_->page_size(rows);
        return other;
    }

    /// The next entity, or nothing at the end: `void(std::exception_ptr, std::optional<entity<T>>)`. The call after an
    /// error goes on as `wide_range::try_next`.
    template <class Token> auto next(Token&& token) {
        detail::table_call<std::optional<entity<T>>> call{scan_->table(), "query", next_of(scan_)};
        return detail::start(scan_->table()->store, std::move(call), scan_->options(), std::forward<Token>(token));
    }

private:
    static detail::task<result<std::optional<entity<T>>>> next_of(std::shared_ptr<detail::wide_scan> scan) {
        auto const more = co_await scan->read_on();
        if (!more) co_return failure{more.error()};
        if (!*more) co_return std::nullopt;
        co_return std::move(static_cast<detail::wide_list<T>&>(scan->entities()).first());
    }

    std::shared_ptr<detail::wide_scan> scan_;
};

/// The operations of `wide_table` for callers that do not block. Each takes a Boost.Asio completion token last, which
/// may be preceded by `call_options`. Conditions, values and errors are those of `wide_table`; signatures, handlers and
/// the rules for temporaries on g++ 12 are those of `async_table`.
///
///     tablemap::async_wide_table<survey> const surveys{store, "Surveys"};
///     auto e = co_await surveys.insert(answers, asio::use_awaitable);
///     e.value.work[3] = 40;
///     co_await surveys.merge(e, tablemap::only<&survey::work>, asio::use_awaitable);
///
/// An `entity<T>&` is read while the operation runs, and refreshed when it ends: it must live until then, and nobody
/// may change it.
///
/// \par Round trips
/// As `wide_table`.
/// \par Thread safety
/// As `wide_table`.
/// \par Lifetime
/// May be destroyed while operations are under way.
template <class T> class async_wide_table {
public:
    using value_type = T;
    using key_type = key_of<T>;

    explicit async_wide_table(wide_table<T> of) : blocking_(std::move(of)) {}

    /// \throws error as the constructor of `wide_table`
    async_wide_table(store_ptr s, std::string table, table_options options = {})
        : blocking_(std::move(s), std::move(table), options) {}

    std::string const& name() const& noexcept { return blocking_.name(); }
    std::string name() const&& { return blocking_.name(); }

    // ---- the table itself -------------------------------------------------------------------------------------------

    template <class... Last> auto create(Last&&... last) const {
        return start(calls().create_table(name(), if_being_deleted::fail), std::forward<Last>(last)...);
    }
    template <class... Last> auto create_if_not_exists(Last&&... last) const {
        return start(calls().create_table_if_not_exists(name(), if_being_deleted::fail), std::forward<Last>(last)...);
    }
    template <class... Last> auto delete_table(Last&&... last) const {
        return start(calls().delete_table(name()), std::forward<Last>(last)...);
    }
    template <class... Last> auto delete_if_exists(Last&&... last) const {
        return start(calls().delete_table_if_exists(name()), std::forward<Last>(last)...);
    }
    template <class... Last> auto exists(Last&&... last) const {
        return start(calls().has_table(name()), std::forward<Last>(last)...);
    }

    // ---- entities ---------------------------------------------------------------------------------------------------

    template <class... Last> auto find(key_type const& key, Last&&... last) const {
        return run("find", detail::find_wide<T>(state(), key.try_encode()), std::forward<Last>(last)...);
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

    template <class Value, class... Last>
    requires std::same_as<std::remove_cvref_t<Value>, T>
    auto insert(Value&& value, Last&&... last) const {
        return store_value<Value>("insert", write_kind::insert, std::forward<Value>(value),
                                  std::forward<Last>(last)...);
    }
    template <class Value, class... Last>
    requires std::same_as<std::remove_cvref_t<Value>, T>
    auto upsert(Value&& value, Last&&... last) const {
        return store_value<Value>("upsert", write_kind::upsert_replace, std::forward<Value>(value),
                                  std::forward<Last>(last)...);
    }
    template <class... Last> auto replace(entity<T>& e, Last&&... last) const {
        return run("replace", detail::rewrite_wide<T>(state(), write_kind::replace, e, nullptr),
                   std::forward<Last>(last)...);
    }
    template <auto... Members, class... Last> auto merge(entity<T>& e, only_t<Members...> only, Last&&... last) const {
        return run("merge", detail::merge_wide<T>(state(), e, only), std::forward<Last>(last)...);
    }
    template <std::same_as<entity<T>> Entity, class... Last> auto erase(Entity const& e, Last&&... last) const {
        return run("erase", detail::erase_wide_as_read<T>(state(), e), std::forward<Last>(last)...);
    }
    template <class... Last> auto erase_any(key_type const& key, Last&&... last) const {
        return run("erase_any", detail::erase_wide_by_key<T>(state(), key.try_encode()), std::forward<Last>(last)...);
    }

    /// See `wide_table::modify` and `async_table::modify`.
    template <detail::change_of<T> Change, class... Last>
    auto modify(key_type const& key, Change&& change, Last&&... last) const {
        return modify(key, std::forward<Change>(change), modify_options{}, std::forward<Last>(last)...);
    }
    template <detail::change_of<T> Change, class... Last>
    auto modify(key_type const& key, Change&& change, modify_options m, Last&&... last) const {
        detail::refuse_unsafe_function<Change>();
        auto kept = detail::kept(std::forward<Change>(change));
        return run("modify", detail::change_wide<T>(state(), key.try_encode(), std::move(kept), m),
                   std::forward<Last>(last)...);
    }

    /// See `wide_table::query`.
    template <class... Values>
    async_wide_range<T> query(partition_values<Values...> const& p,
                              call_options const& o = detail::default_call_options()) const {
        return async_wide_range<T>{blocking_.query(p, o)};
    }
    template <class... Values>
    async_wide_range<T> query(partition_values<Values...> const& p, row_selection auto const& rows,
                              call_options const& o = detail::default_call_options()) const {
        return async_wide_range<T>{blocking_.query(p, rows, o)};
    }

private:
    std::shared_ptr<detail::table_state const> const& state() const noexcept { return blocking_.shared_state(); }
    detail::service_calls calls() const { return detail::service_calls{state()->store}; }

    template <class Value, class... Last>
    auto store_value(std::string_view action, write_kind kind, Value&& value, Last&&... last) const {
        detail::refuse_unsafe_temporary<Value>();
        return run(action, detail::store_wide<T>(state(), kind, T(std::forward<Value>(value))),
                   std::forward<Last>(last)...);
    }

    template <class V, class... Last>
    auto run(std::string_view action, detail::task<result<V>> first, Last&&... last) const {
        return start(detail::table_call<V>{state(), action, std::move(first)}, std::forward<Last>(last)...);
    }

    template <class Call, class... Last> static auto start(Call call, Last&&... last) {
        auto where = call.store();
        return detail::start_with(std::move(where), std::move(call), std::forward<Last>(last)...);
    }

    wide_table<T> blocking_;
};

}  // namespace tablemap
