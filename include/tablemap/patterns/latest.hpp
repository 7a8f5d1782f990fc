// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/read/read_rows.hpp"
#include "tablemap/detail/write/table_call.hpp"
#include "tablemap/patterns/period.hpp"
#include "tablemap/table/table.hpp"

#include <concepts>
#include <cstddef>
#include <limits>
#include <memory>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/// The log tail: a row key that begins with a descending time keeps the newest entries of a partition in front.
namespace tablemap::inline v0_1 {

namespace detail {

// ---- rules ----------------------------------------------------------------------------------------------------------

enum class log_fault { none, no_time, no_tie_breaker };

template <class T> constexpr bool has_one_entry_per_time() {
    if constexpr (requires { mapping<T>::one_entry_per_time; })
        return mapping<T>::one_entry_per_time;
    else
        return false;
}

/// True if rows of one partition and one time may differ in their row keys. `First` is the time.
template <class T, auto First, auto... Rest> constexpr bool has_tie_breaker(member_list<First, Rest...>) {
    return (!is_listed<Rest, given_members_of<mapping<T>::partition_key>> || ...);
}

template <class T> constexpr log_fault find_log_fault() {
    constexpr auto const& layouts = mapping<T>::row_key.layouts;
    std::size_t first = 0;
    while (first < layouts.size() && layouts[first].kind == part_kind::literal) ++first;
    if (first == layouts.size()) return log_fault::no_time;
    auto const& p = layouts[first];
    if (p.kind != part_kind::time || p.form != part_form::digits || !p.descending) return log_fault::no_time;
    if constexpr (given_members_of<mapping<T>::row_key>::size > 0)
        if (!has_one_entry_per_time<T>() && !has_tie_breaker<T>(given_members_of<mapping<T>::row_key>{}))
            return log_fault::no_tie_breaker;
    return log_fault::none;
}

template <class T> constexpr bool check_log() {
    static_assert(mapped<T>,
                  "tablemap[P8]: a log tail is of one mapped struct, whose row key tells the times; read a variant or "
                  "dynamic entities with query(partition(...)).top(n)");
    if constexpr (mapped<T>) {
        constexpr auto fault = find_log_fault<T>();
        static_assert(fault != log_fault::no_time,
                      "tablemap[P8]: the newest rows come first only if the row key begins, after literals, with a "
                      "descending time; declare row_key = key(part<&T::time>.descending(), ...)");
        static_assert(
            fault != log_fault::no_tie_breaker,
            "tablemap[P8]: two entries of one time would have one row key, so the second could not be inserted; add "
            "a part that tells them apart, such as part<&T::id>.generated() of a guid, or, if a partition has one "
            "entry "
            "for each time, say so in the mapping: static constexpr bool one_entry_per_time = true");
        return fault == log_fault::none;
    }
    return false;
}

/// \throws error `library_errc::unsupported` on a store that answers in no order
result<void> check_newest_first(table_state const& t);

// ---- rows -----------------------------------------------------------------------------------------------------------

/// The type of the time that row keys of T begin with.
template <class T>
using log_time = std::tuple_element_t<0, typename member_values<given_members_of<mapping<T>::row_key>>::type>;

template <class Time> constexpr Time first_time() {
    if constexpr (std::same_as<Time, ticks>)
        return ticks{0};
    else
        return Time::min();
}

/// The rows of a period.
template <class T, class From, class To> auto rows_in(period<From, To> const& when) {
    using time = log_time<T>;
    constexpr bool begins = !std::same_as<From, no_bound>;
    if constexpr (begins && !std::same_as<To, no_bound>)
        return row_range(when.from, when.to);
    else if constexpr (begins)
        return row_between(when.from, time::max());
    else if constexpr (!std::same_as<To, no_bound>)
        return row_range(first_time<time>(), when.to);
    else
        return leading();
}

/// The entities of a query.
template <class T> class entity_list final : public row_taker {
public:
    result<bool> take(query_state& from) override {
        return take_entities(from, entities, std::numeric_limits<std::size_t>::max());
    }

    std::vector<entity<T>> entities{};
};

/// Reads a query to its end.
template <class T> task<result<std::vector<entity<T>>>> read_to_end(result<std::shared_ptr<query_state>> query) {
    if (!query) co_return failure{std::move(query).error()};
    entity_list<T> list;
    auto const read = co_await read_rows(**query, list);
    if (!read) co_return failure{read.error()};
    co_return std::move(list.entities);
}

template <class T, class Partitions, class From, class To>
result<query_range<T>> newest_of(table<T> const& log, Partitions const& p, period<From, To> const& when,
                                 call_options o) {
    if constexpr (check_log<T>()) {
        if (auto r = check_newest_first(table_internals::state(log)); !r) return failure{std::move(r).error()};
        auto range = log.try_query(p, rows_in<T>(when), std::move(o));
        if (range) table_internals::query(*range)->order(row_order::by_row_key);
        return range;
    }
}

template <class T, class Partitions, class From, class To>
result<std::shared_ptr<query_state>> latest_of(table<T> const& log, Partitions const& p, std::size_t n,
                                               period<From, To> const& when, call_options o) {
    auto range = newest_of(log, p, when, std::move(o));
    if (!range) return failure{range.error().in("latest", log.name())};
    auto query = table_internals::query(*range);
    query->top(n);
    return query;
}

template <class T>
table_call<std::vector<entity<T>>> latest_call(table<T> const& log, result<std::shared_ptr<query_state>> query) {
    return {table_internals::shared_state(log), "latest", read_to_end<T>(std::move(query))};
}

}  // namespace detail

// ---- reading --------------------------------------------------------------------------------------------------------

/// The entries of a partition of a log, the newest first; of a list of partitions, merged by their times. Entries of
/// one time come in the order of the row key behind the time. The range is narrowed and read as any query:
/// `newest_first(claims, partition("u1")).where(…).page_size(20)`, also page after page by its `cursor()`.
///
///     for (auto& e : newest_first(claims, partition("u1"), since(monday))) use(e.value);
///
/// Nothing is sent yet; `o` holds for the whole iteration.
///
/// \throws error that of a key that cannot be made; `library_errc::unsupported` on a store that answers in no order
template <class T, class Partitions, class From, class To>
query_range<T> newest_first(table<T> const& log, Partitions const& p, period<From, To> const& when,
                            call_options o = {}) {
    return value_or_throw(detail::newest_of(log, p, when, std::move(o)));
}
template <class T, class Partitions>
query_range<T> newest_first(table<T> const& log, Partitions const& p, call_options o = {}) {
    return newest_first(log, p, period<>{}, std::move(o));
}
template <class T, class Partitions, class From, class To>
result<query_range<T>> try_newest_first(table<T> const& log, Partitions const& p, period<From, To> const& when,
                                        call_options o = {}) {
    return detail::newest_of(log, p, when, std::move(o));
}
template <class T, class Partitions>
result<query_range<T>> try_newest_first(table<T> const& log, Partitions const& p, call_options o = {}) {
    return detail::newest_of(log, p, period<>{}, std::move(o));
}

/// The `n` newest entries of a partition of a log, or of a list of partitions together, the newest first:
/// `latest(claims, partition("u1"), 10)`, `latest(claims, partition("u1"), 10, before(monday))`.
///
/// \throws error as `newest_first`; those of the store; those of a row that is no T
/// \par Round trips
/// One for each partition and 1,000 entries, which asks for `n` rows; none if `n` is 0.
template <class T, class Partitions, class From, class To>
result<std::vector<entity<T>>> try_latest(table<T> const& log, Partitions const& p, std::size_t n,
                                          period<From, To> const& when, call_options const& o = {}) {
    auto query = detail::latest_of(log, p, n, when, o);
    if (!query) return failure{std::move(query).error()};
    return detail::run(*detail::table_internals::state(log).store, detail::latest_call(log, std::move(query)), o);
}
template <class T, class Partitions>
result<std::vector<entity<T>>> try_latest(table<T> const& log, Partitions const& p, std::size_t n,
                                          call_options const& o = {}) {
    return try_latest(log, p, n, period<>{}, o);
}
template <class T, class Partitions, class From, class To>
std::vector<entity<T>> latest(table<T> const& log, Partitions const& p, std::size_t n, period<From, To> const& when,
                              call_options const& o = {}) {
    return value_or_throw(try_latest(log, p, n, when, o));
}
template <class T, class Partitions>
std::vector<entity<T>> latest(table<T> const& log, Partitions const& p, std::size_t n, call_options const& o = {}) {
    return value_or_throw(try_latest(log, p, n, period<>{}, o));
}

}  // namespace tablemap
