// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/repository/partition_pages.hpp"
#include "tablemap/store/run.hpp"

#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace tablemap {

/// What a query does with rows that cannot be read: see `query_range::on_error`.
class bad_row_policy {
public:
    bad_row_policy() = default;
    explicit bad_row_policy(std::function<void(bad_row const&)> report) : report_(std::move(report)) {}

    /// True if the row was reported and is to be passed over.
    bool skips(bad_row const& row) const {
        if (report_) report_(row);
        return static_cast<bool>(report_);
    }

private:
    std::function<void(bad_row const&)> report_{};
};

/// A row that cannot be read is thrown as an error in its place; iteration may begin again behind it.
inline bad_row_policy throw_bad_rows() { return {}; }

/// Rows that cannot be read are given to `report`, which is called wherever the range is advanced, and passed over.
inline bad_row_policy skip_bad_rows(std::function<void(bad_row const&)> report) {
    return bad_row_policy{std::move(report)};
}

/// The entities that a query finds, in key order, read page by page as they are asked for: an input range.
///
///     for (auto& e : employees.query(partition("Sales"))) use(e.value);
///
/// Where rows are spread over buckets, those of all buckets are merged. Memory: one page, of each bucket. Round trips: one for
/// each page of at most 1,000 entities, the first when iteration begins; asynchronous queries ask 8 buckets at once. Errors are
/// thrown by `begin` and `++`, or returned by `try_next`; after an error of the store the same page is asked for again, after
/// that of a row its successor comes next. Entities may be moved from. Thread safety: one thread at a time. Lifetime: keeps
/// its store alive, not its table.
template <class T> class query_range {
    struct state;

public:
    using value_type = entity<T>;

    class iterator {
    public:
        using value_type = entity<T>;
        using difference_type = std::ptrdiff_t;
        using iterator_concept = std::input_iterator_tag;

        iterator() = default;
        entity<T>& operator*() const { return *state_->current; }
        entity<T>* operator->() const { return state_->current; }
        iterator& operator++() {
            state_->advance_or_throw();
            return *this;
        }
        void operator++(int) { ++*this; }
        friend bool operator==(iterator const& i, std::default_sentinel_t) { return !i.state_ || !i.state_->current; }

    private:
        friend query_range;
        explicit iterator(state* s) : state_(s) {}
        state* state_ = nullptr;
    };

    /// Says what happens to rows that cannot be read; without it they are errors.
    ///
    ///     for (auto& e : employees.query(partition("Sales")).on_error(skip_bad_rows([](bad_row const& r) { log(r.error); })))
    query_range on_error(bad_row_policy policy) && {
        state_->policy = std::move(policy);
        return std::move(*this);
    }

    /// Begins, or goes on after the entities already taken. Errors: those of the store; `library_errc::type_mismatch`,
    /// `library_errc::unreadable_key` for rows that are no T.
    iterator begin() {
        state_->advance_or_throw();
        return iterator{state_.get()};
    }
    std::default_sentinel_t end() const noexcept { return {}; }

    /// The next entity, or nothing at the end. Errors: as `begin`, as a value.
    result<std::optional<entity<T>>> try_next() {
        if (auto r = state_->advance(); !r) return failure{std::move(r).error()};
        if (!state_->current) return std::optional<entity<T>>{};
        return std::optional<entity<T>>{std::move(*state_->current)};
    }

private:
    template <class> friend class table;
    template <class> friend class async_table;
    template <class> friend class async_query_range;

    /// On the heap, because the request's views must not move. Shared with an operation that is under way.
    struct state {
        state(store_ptr s, std::string name, detail::query_keys k, call_options o)
            : store(std::move(s)),
              table(std::move(name)),
              keys(std::move(k)),
              options(std::move(o)),
              pages(table, keys, where ? &*where : nullptr) {}

        /// Takes what the pages at hand have. True if that is an entity or the end, false if a page must be fetched.
        /// Errors: those of a row.
        result<bool> take() {
            while (!pages.needs_page()) {
                auto const row = pages.pop();
                if (row.bad && policy.skips(*row.bad)) continue;
                if (row.bad) return failure{row.bad->error.in("query", table)};
                current = row.good;
                return true;
            }
            return false;
        }

        result<void> advance() {
            current = nullptr;
            for (;;) {
                auto const there = take();
                if (!there) return failure{there.error()};
                if (*there) return {};
                auto const more = detail::run(*store, pages, options);
                if (!more) return failure{more.error().in("query", table)};
            }
        }
        void advance_or_throw() { value_or_throw(advance()); }

        store_ptr store;
        std::string table;
        detail::query_keys keys;
        call_options options;
        std::optional<filter::expression> where = detail::type_filter_of<T>();
        bad_row_policy policy{};
        entity<T>* current = nullptr;
        detail::partition_pages<T> pages;
    };

    explicit query_range(std::shared_ptr<state> s) : state_(std::move(s)) {}

    std::shared_ptr<state> state_;
};

}  // namespace tablemap
