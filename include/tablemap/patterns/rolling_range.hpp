// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/rolling_query.hpp"
#include "tablemap/mapping/entity.hpp"
#include "tablemap/query/blind.hpp"
#include "tablemap/query/field.hpp"
#include "tablemap/query/filter.hpp"

#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <utility>

namespace tablemap::inline v0_1 {

/// The entities of a span of time that a query finds in the tables of a `rolling_table`: the tables one after the
/// other, the oldest first, and in each the entities in key order. An input range and a view.
///
/// A range is a value, as `query_range` is: what narrows it returns another one, and a copy is the same query from its
/// beginning. It holds one page of one table in memory. Entities may be moved from. `begin` and `++` throw errors;
/// `try_next` returns them, and then goes on where it was.
///
/// A table that is dropped while it is read ends there, and the next one follows.
///
/// \par Round trips
/// One for each table and for each further page of at most 1,000 entities. A span that is open at an end, or of more
/// than 100 periods, needs a list of the tables first, one request for each 1,000 names; missing tables cost nothing
/// then.
/// \par Cost
/// Of the first and the last table the store reads the entities outside the span, too.
/// \par Thread safety
/// One thread at a time.
/// \par Lifetime
/// It keeps its store alive, not its rolling table.
template <class T> class rolling_range {
    using query = detail::rolling_query;

    struct cell {
        std::shared_ptr<query> rows;
        bool begun = false;
        bool failed = false;

        result<void> advance() {
            begun = failed = true;
            auto r = rows->advance();
            failed = !r;
            return r;
        }
    };

public:
    using value_type = entity<T>;

    class iterator {
    public:
        using value_type = entity<T>;
        using difference_type = std::ptrdiff_t;
        using iterator_concept = std::input_iterator_tag;

        iterator() = default;
        value_type& operator*() const { return *static_cast<value_type*>(cell_->rows->current()); }
        value_type* operator->() const { return &**this; }
        iterator& operator++() {
            value_or_throw(cell_->advance());
            return *this;
        }
        void operator++(int) { ++*this; }
        friend bool operator==(iterator const& i, std::default_sentinel_t) {
            return !i.cell_ || !i.cell_->rows->current();
        }

    private:
        friend rolling_range;
        explicit iterator(cell* c) : cell_(c) {}
        cell* cell_ = nullptr;
    };

    rolling_range(rolling_range const& other) : rolling_range(other.settings()) {}
    rolling_range(rolling_range&&) noexcept = default;
    rolling_range& operator=(rolling_range const& other) { return *this = rolling_range(other); }
    rolling_range& operator=(rolling_range&&) noexcept = default;
    ~rolling_range() = default;

    // ---- narrowing --------------------------------------------------------------------------------------------------

    /// Only entities that meet a condition on their properties.
    ///
    /// \par Cost
    /// The store examines every row of the tables that the query selects.
    template <class Condition> [[nodiscard]] rolling_range where(Condition const& c) const {
        auto how = settings();
        if constexpr (detail::check_condition<T, Condition>())
            how.conditions.push_back(detail::as_condition(c).try_expression());
        return rolling_range{std::move(how)};
    }

    /// The newest table first. In each table the entities stay in key order: with a row key that begins with a
    /// descending time the newest entity of a partition comes first.
    [[nodiscard]] rolling_range newest_table_first() const {
        return with([](auto& how) { how.newest_first = true; });
    }

    /// At most so many entities.
    [[nodiscard]] rolling_range top(std::size_t rows) const {
        return with([&](auto& how) { how.limit = rows; });
    }

    /// Pages of at most so many rows, 1 to 1,000.
    [[nodiscard]] rolling_range page_size(std::size_t rows) const {
        return with([&](auto& how) { how.page_size = rows; });
    }

    /// Goes on where `cursor()` of the same query was taken, in this process or another. If the table was dropped
    /// meanwhile, the next one follows.
    ///
    /// \throws error when iteration begins: `library_errc::invalid_cursor` for text that is no cursor or one of another
    /// query
    [[nodiscard]] rolling_range from(std::string cursor) const {
        return with([&](auto& how) { how.cursor = std::move(cursor); });
    }

    /// Sets the policy for rows that cannot be read; without it they are errors.
    [[nodiscard]] rolling_range on_error(bad_row_policy policy) const {
        return with([&](auto& how) { how.policy = std::move(policy); });
    }

    // ---- reading ----------------------------------------------------------------------------------------------------

    /// Begins with the first entity, also when it is called again; after an error, goes on behind the entities already
    /// taken.
    ///
    /// \throws error those of the store; those of a row that is no T
    iterator begin() & {
        if (cell_->begun && !cell_->failed) cell_->rows = std::make_shared<query>(settings());
        value_or_throw(cell_->advance());
        return iterator{cell_.get()};
    }
    iterator begin() && = delete;  // it would outlive what it reads
    std::default_sentinel_t end() const noexcept { return {}; }

    /// The next entity, or nothing once the end is reached, or an error that `begin` would throw.
    result<std::optional<entity<T>>> try_next() {
        if (auto r = cell_->advance(); !r) return failure{std::move(r).error()};
        auto* const e = static_cast<entity<T>*>(cell_->rows->current());
        return e ? std::optional{std::move(*e)} : std::nullopt;
    }

    /// The first entity, or nothing.
    std::optional<entity<T>> first() const { return value_or_throw(try_first()); }
    result<std::optional<entity<T>>> try_first() const { return top(settings().limit == 0U ? 0 : 1).try_next(); }

    /// The position behind the entities that were taken, as text for URLs; see `from`. Nothing at the end.
    ///
    /// \throws error `library_errc::unsupported` on a store that answers in no order
    std::optional<std::string> cursor() const { return value_or_throw(try_cursor()); }
    result<std::optional<std::string>> try_cursor() const { return cell_->rows->cursor(); }

private:
    template <class U, auto, table_per> friend class rolling_table;
    template <class> friend class async_rolling_range;

    explicit rolling_range(query::settings how)
        : cell_(std::make_unique<cell>(cell{std::make_shared<query>(std::move(how))})) {}

    query::settings settings() const { return cell_->rows->how(); }

    template <class Change> rolling_range with(Change change) const {
        auto how = settings();
        change(how);
        return rolling_range{std::move(how)};
    }

    std::unique_ptr<cell> cell_;
};

}  // namespace tablemap

template <class T>  // in one line Doxygen takes it for a member that it cannot find
inline constexpr bool std::ranges::enable_view<tablemap::rolling_range<T>> = true;
