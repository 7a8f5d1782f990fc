// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/rolling_rules.hpp"
#include "tablemap/patterns/period.hpp"
#include "tablemap/patterns/rolling_options.hpp"
#include "tablemap/patterns/rolling_range.hpp"
#include "tablemap/table/table.hpp"

#include <atomic>
#include <concepts>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Rolling tables: a table for each hour, day or month, so that old entities are deleted by dropping their table.
namespace tablemap::inline v0_1 {

/// The values of one table among those that `rolling_table::by_table` was given.
template <class T> struct rows_of_table {
    table<T> into;
    std::vector<T> rows;
};

/// Entities of T, each in the table of the hour, day or month, in UTC, that one of its members names.
///
///     rolling_table<sign_in, &sign_in::at, table_per::day> sign_ins{store, "signins", {.keep = days{30}}};
///     sign_ins.insert({.user = "ana", .at = ticks::now()});               // into signins20140731
///     auto found = sign_ins.at(day).find("ana", id);                      // a key alone does not say which table
///     for (auto& e : sign_ins.query(since(monday).before(friday), partition("ana"))) use(e.value);
///     sign_ins.retain();                                                  // drops what is older than 30 days
///
/// A value says its table by its time, so calls that take one choose the table. Whatever else a table can do is done
/// with `at(time)`, a `table<T>`: reads by a key, transactions, bulk writes, indexes in the partition. A type with
/// `index_in` indexes does not compile: all periods would share the table of the index, which may be of one table only.
///
/// The tables need not be there. A missing one is empty: a read finds nothing, and a write of an entity that was read
/// fails with `service_errc::resource_not_found`. An insert, an upsert, or a transaction of such creates it, also after
/// it was dropped.
///
/// A rolling table owns the tables whose names are its prefix and as many digits as its period has, if they are a date
/// of the calendar, in the letters of the prefix. It lists and drops no others. Since a prefix ends in a letter, no two
/// rolling tables of different prefixes or periods share a name.
///
/// \throws error from every operation, as those of `table<T>`; `library_errc::value_out_of_range` for a time before
/// 1601, such as one that was not set. From a write that would create its table: `library_errc::period_over` if it is
/// too old (`rolling_options::keep`); `service_errc::table_being_deleted` while a table of that name is being deleted,
/// after the tries of the retry policy; `table_not_found` if others drop the table three times meanwhile. Nothing is
/// stored then
/// \par Round trips
/// As the operation of `table<T>`. The first write to a table takes three: one that is refused, the creation, and the
/// write.
/// \par Thread safety
/// All members may be called from any number of threads.
/// \par Lifetime
/// Copies are cheap and share the store, which they keep alive.
template <class T, auto Time, table_per Per> class rolling_table {
    using checked = std::bool_constant<detail::check_rolling_table<T, Time>()>;  // a static_assert would add an error

public:
    using value_type = T;
    using key_type = key_of<T>;

    /// Names the tables of a store; nothing is sent.
    ///
    /// \pre `s` is not null
    /// \throws error `library_errc::invalid_table_name` for a prefix that does not begin and end with a letter, has
    /// other characters than letters and digits of ASCII, or is longer than 63 characters less those of the period;
    /// `value_out_of_range` for a negative `rolling_options::keep`; `no_encryption_key` if T has encrypted members and
    /// the store no keys
    rolling_table(store_ptr s, std::string prefix, rolling_options options = {})
        : state_(detail::make_rolling_state(std::move(s), std::move(prefix), Per, std::move(options))),
          late_(std::make_shared<std::atomic<std::size_t>>(0)) {
        static_cast<void>(at(ticks::min()));
    }

    std::string const& prefix() const noexcept { return state_->names.prefix(); }

    // ---- tables -----------------------------------------------------------------------------------------------------

    /// The table of a time. It does not check the times of the values that are written by it. `join` does not take it
    /// together with a `table` of the store that the constructor was given.
    table<T> at(ticks time) const { return value_or_throw(try_at(time)); }
    result<table<T>> try_at(ticks time) const {
        auto name = state_->names.table_of(time, name_of_time());
        if (!name) return failure{std::move(name).error()};
        return table_named(*std::move(name));
    }

    /// The table that a value belongs to.
    table<T> table_of(T const& value) const { return at(time_of(value)); }

    /// The tables that are there and hold times of a span, the oldest first: `tables(since(monday))`, `tables()`.
    ///
    /// \par Round trips
    /// One for each 1,000 tables whose names begin with the prefix.
    template <class From, class To>
    std::vector<table<T>> tables(period<From, To> const& when, call_options const& o = {}) const {
        std::vector<table<T>> all;
        for (auto const start : value_or_throw(detail::list_periods(*state_, detail::span_of(when), o)))
            all.push_back(table_named(state_->names.name_of(start)));
        return all;
    }
    std::vector<table<T>> tables(call_options const& o = {}) const { return tables(period<>{}, o); }

    // ---- writing values ---------------------------------------------------------------------------------------------

    /// As those of `table<T>`, in the table of the value's time.
    entity<T> insert(T value, call_options const& o = {}) const {
        return value_or_throw(try_insert(std::move(value), o));
    }
    result<entity<T>> try_insert(T value, call_options const& o = {}) const {
        auto const in = try_table_of(value);
        return in ? in->try_insert(std::move(value), o) : failure{in.error()};
    }
    entity<T> upsert_replace(T value, call_options const& o = {}) const {
        return value_or_throw(try_upsert_replace(std::move(value), o));
    }
    result<entity<T>> try_upsert_replace(T value, call_options const& o = {}) const {
        auto const in = try_table_of(value);
        return in ? in->try_upsert_replace(std::move(value), o) : failure{in.error()};
    }
    etag upsert_merge(T const& value, call_options const& o = {}) const {
        return value_or_throw(try_upsert_merge(value, o));
    }
    result<etag> try_upsert_merge(T const& value, call_options const& o = {}) const {
        auto const in = try_table_of(value);
        return in ? in->try_upsert_merge(value, o) : failure{in.error()};
    }

    /// Inserts a value unless its period is over and its table was dropped. Such a value is late: it is not stored, and
    /// counted.
    ///
    /// \return nothing for a late value
    /// \throws error as `insert`
    std::optional<entity<T>> insert_unless_late(T value, call_options const& o = {}) const {
        return value_or_throw(try_insert_unless_late(std::move(value), o));
    }
    result<std::optional<entity<T>>> try_insert_unless_late(T value, call_options const& o = {}) const {
        auto written = try_insert(std::move(value), o);
        if (written) return std::optional{*std::move(written)};
        auto const& met = written.error();
        if (met.code() != library_errc::period_over) return failure{met};
        ++*late_;
        return std::optional<entity<T>>{};
    }

    /// The number of values that `insert_unless_late` of this object and its copies left out.
    std::size_t late_values() const noexcept { return *late_; }

    /// Writes of an entity that was read, as those of `table<T>`, in the table of its time. A time that was changed to
    /// one of another period names a table without that entity: `service_errc::resource_not_found`.
    void replace(entity<T>& e, call_options const& o = {}) const { value_or_throw(try_replace(e, o)); }
    result<void> try_replace(entity<T>& e, call_options const& o = {}) const {
        auto const in = try_table_of(e.value);
        return in ? in->try_replace(e, o) : failure{in.error()};
    }
    void merge(entity<T>& e, call_options const& o = {}) const { value_or_throw(try_merge(e, o)); }
    result<void> try_merge(entity<T>& e, call_options const& o = {}) const {
        auto const in = try_table_of(e.value);
        return in ? in->try_merge(e, o) : failure{in.error()};
    }
    template <detail::choosing::choice Choice>
    void merge(entity<T>& e, Choice const& chosen, call_options const& o = {}) const {
        value_or_throw(try_merge(e, chosen, o));
    }
    template <detail::choosing::choice Choice>
    result<void> try_merge(entity<T>& e, Choice const& chosen, call_options const& o = {}) const {
        auto const in = try_table_of(e.value);
        return in ? in->try_merge(e, chosen, o) : failure{in.error()};
    }
    void erase(entity<T> const& e, call_options const& o = {}) const { value_or_throw(try_erase(e, o)); }
    result<void> try_erase(entity<T> const& e, call_options const& o = {}) const {
        auto const in = try_table_of(e.value);
        return in ? in->try_erase(e, o) : failure{in.error()};
    }

    /// As `table<T>::modify`, in the table of a time: `modify(day, {"ana", id}, [](sign_in& s) { s.ok = true; })`.
    ///
    /// \throws error as there; `library_errc::key_changed` if `change` gives the entity a time of another table, and
    /// nothing is written then
    template <std::invocable<T&> Change>
    entity<T> modify(ticks time, key_type const& key, Change&& change, call_options const& o = {}) const {
        return value_or_throw(try_modify(time, key, std::forward<Change>(change), o));
    }
    template <std::invocable<T&> Change>
    entity<T> modify(ticks time, key_type const& key, Change&& change, modify_options const& m,
                     call_options const& o = {}) const {
        return value_or_throw(try_modify(time, key, std::forward<Change>(change), m, o));
    }
    template <std::invocable<T&> Change>
    result<entity<T>> try_modify(ticks time, key_type const& key, Change&& change, call_options const& o = {}) const {
        return try_modify(time, key, std::forward<Change>(change), modify_options{}, o);
    }
    template <std::invocable<T&> Change>
    result<entity<T>> try_modify(ticks time, key_type const& key, Change&& change, modify_options const& m,
                                 call_options const& o = {}) const {
        auto const in = try_at(time);
        if (!in) return failure{in.error()};
        try {
            return in->try_modify(key, staying(time, std::ref(change)), m, o);
        } catch (detail::moved_time const& e) {
            return failure{static_cast<error const&>(e)};
        }
    }

    /// Sorts values by their tables, the oldest first, for bulk writes and transactions:
    ///
    ///     for (auto& [day, rows] : sign_ins.by_table(values)) day.insert_many(rows).require_complete();
    ///
    /// \par Round trips
    /// None.
    template <std::ranges::input_range Values> std::vector<rows_of_table<T>> by_table(Values&& values) const {
        std::map<ticks, std::vector<T>> sorted;
        for (auto&& v : values) sorted[state_->names.start_of(time_of(v))].push_back(std::forward<decltype(v)>(v));
        std::vector<rows_of_table<T>> all;
        for (auto& [start, rows] : sorted) all.push_back({at(start), std::move(rows)});
        return all;
    }

    // ---- queries ----------------------------------------------------------------------------------------------------

    /// Selects the entities of a span of time, as `table<T>::query` does in each table:
    /// `query(since(monday).before(friday), partition("ana"))`. `period<>{}` is all time.
    ///
    /// \return a range that sends its first request when iteration begins
    /// \throws error when iteration begins: a key that cannot be made
    template <class From, class To, class Partitions>
    rolling_range<T> query(period<From, To> const& when, Partitions const& p, call_options o = {}) const {
        return query_each(
            when, [p](table<T> const& t) { return t.query(p); }, std::move(o));
    }
    template <class From, class To, class Partitions>
    rolling_range<T> query(period<From, To> const& when, Partitions const& p, row_selection auto const& rows,
                           call_options o = {}) const {
        return query_each(
            when, [p, rows](table<T> const& t) { return t.query(p, rows); }, std::move(o));
    }

    /// Selects all entities of a span of time.
    ///
    /// \return a range as that of `query`
    /// \par Cost
    /// The store reads every row of the tables.
    template <class From, class To> rolling_range<T> scan(period<From, To> const& when, call_options o = {}) const {
        return query_each(
            when, [](table<T> const& t) { return t.scan(); }, std::move(o));
    }

    /// The same with a query of one's own, which a function makes for each table: of a list of partitions, whose
    /// entities come in key order in each table, or of rows that the time bounds. The queries are conditions and keys
    /// only: `o` applies in place of their options, `on_error` of the range in place of theirs, and `read_ahead` means
    /// nothing.
    ///
    /// \return a range as that of `query`
    /// \throws error when iteration reaches the table, as `query`; `library_errc::unsupported` for a query of another
    /// table than the function was given, or with `top`, which belongs to the range
    template <class From, class To, class Query>
    requires std::is_invocable_r_v<query_range<T>, Query const&, table<T> const&> rolling_range<T>
    query_each(period<From, To> const& when, Query make, call_options o = {}) const {
        auto make_one = [tables = *this,
                         make](std::string const& name) -> result<std::shared_ptr<detail::query_state>> {
            try {
                return detail::table_internals::query(query_range<T>{make(tables.table_named(name))});
            } catch (error const& e) {
                return failure{e};
            }
        };
        return rolling_range<T>{{.table = state_,
                                 .span = detail::span_of(when),
                                 .make = std::move(make_one),
                                 .time_of = &detail::time_of_entity<T, Time>,
                                 .options = std::move(o)}};
    }

    // ---- retention --------------------------------------------------------------------------------------------------

    /// Drops the tables of all periods that ended `keep` ago or before, the oldest first. A table that cannot be
    /// dropped does not keep the others. Call it again after an error, or from several processes: a table that is gone
    /// is no error.
    ///
    /// \return what became of each table whose period is over
    /// \throws error those of listing the tables; `library_errc::value_out_of_range` if `keep` is negative, or shorter
    /// than `rolling_options::keep`: late writes would create tables again that were dropped; without `keep`:
    /// `unsupported` unless `rolling_options::keep` is set. Nothing is sent then
    /// \par Round trips
    /// One for each table that is dropped, and one for each 1,000 tables whose names begin with the prefix. More for a
    /// table that is being deleted: the tries of the retry policy, and with `wait_for_deletions` those every 5 seconds.
    retention_report retain(tick_duration keep, retain_options how = {}, call_options const& o = {}) const {
        return value_or_throw(try_retain(keep, how, o));
    }
    result<retention_report> try_retain(tick_duration keep, retain_options how = {}, call_options const& o = {}) const {
        return detail::run_retention(*state_, keep, how, o);
    }
    retention_report retain(retain_options how = {}, call_options const& o = {}) const {
        return value_or_throw(try_retain(how, o));
    }
    result<retention_report> try_retain(retain_options how = {}, call_options const& o = {}) const {
        return detail::run_retention(*state_, std::nullopt, how, o);
    }

private:
    template <class, auto, table_per> friend class async_rolling_table;

    static ticks time_of(T const& value) { return ticks{value.*Time}; }
    static constexpr std::string_view name_of_time() { return detail::member_name<Time>; }

    /// A change that leaves the entity in the table of a time.
    template <class Change> auto staying(ticks time, Change change) const {
        return [state = state_, time, change](T& value) mutable {
            std::invoke(change, value);
            if (ticks const now = time_of(value); !state->names.share_table(time, now))
                throw detail::moved_time{state->names.name_of(state->names.start_of(time)), name_of_time()};
        };
    }

    result<table<T>> try_table_of(T const& value) const { return try_at(time_of(value)); }
    table<T> table_named(std::string name) const {
        return table<T>{state_->store, std::move(name), state_->options.tables};
    }

    std::shared_ptr<detail::rolling_state const> state_;
    std::shared_ptr<std::atomic<std::size_t>> late_;
};

}  // namespace tablemap
