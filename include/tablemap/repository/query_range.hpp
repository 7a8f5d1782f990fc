// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/mapping/decode.hpp"
#include "tablemap/query/key_ranges.hpp"
#include "tablemap/store/pager.hpp"
#include "tablemap/store/run.hpp"

#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tablemap {

/// The entities that a query finds, in key order, read page by page as they are asked for: an input range.
///
///     for (auto& e : employees.query(partition("Sales"))) use(e.value);
///
/// Memory: one page. Round trips: one for each page of at most 1,000 entities, the first when iteration begins. Errors are
/// thrown by `begin` and `++`, or returned by `try_next`; after an error the same page is asked for again. Entities may be
/// moved from. Thread safety: one thread at a time. Lifetime: keeps its store alive, not its table.
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

    /// The entities of one page, and the next of them to be taken. Empty once a page could not be read.
    struct page {
        std::vector<entity<T>> entities{};
        std::size_t at = 0;

        bool ended() const noexcept { return at == entities.size(); }
        entity<T>* take() noexcept { return ended() ? nullptr : &entities[at++]; }
    };

    struct page_reader {
        page* to;

        result<std::size_t> operator()(response& answer) {
            to->entities.clear();
            to->at = 0;
            auto count = detail::decode_page(answer.body, to->entities);
            if (!count) to->entities.clear();
            return count;
        }
    };

    /// On the heap, because the request's views must not move. Shared with an operation that is under way.
    struct state {
        state(store_ptr s, std::string name, detail::query_keys k, call_options o)
            : store(std::move(s)),
              table(std::move(name)),
              keys(std::move(k)),
              options(std::move(o)),
              pages({.table = table, .partition = keys.partition_bounds(), .row = keys.row_bounds()},
                    page_reader{&at_hand}) {}

        result<void> advance() {
            current = nullptr;
            if (at_hand.ended()) {
                auto const more = detail::run(*store, pages, options);
                if (!more) return failure{more.error().in("query", table)};
            }
            current = at_hand.take();
            return {};
        }
        void advance_or_throw() { value_or_throw(advance()); }

        store_ptr store;
        std::string table;
        detail::query_keys keys;
        call_options options;
        page at_hand{};
        entity<T>* current = nullptr;
        detail::page_operation<page_reader> pages;
    };

    explicit query_range(std::shared_ptr<state> s) : state_(std::move(s)) {}

    std::shared_ptr<state> state_;
};

}  // namespace tablemap
