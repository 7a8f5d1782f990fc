// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/base/right_use.hpp"
#include "tablemap/detail/read/projection.hpp"
#include "tablemap/detail/read/query_state.hpp"
#include "tablemap/detail/read/row_count.hpp"
#include "tablemap/filter/raw.hpp"
#include "tablemap/query/blind.hpp"
#include "tablemap/query/field.hpp"
#include "tablemap/query/filter.hpp"

#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1 {

namespace detail {
struct table_internals;
}

/// The entities that a query finds, in key order, read page by page as they are asked for: an input range and a view.
///
///     for (auto& e : employees.query(partition("Sales")).where(field<&employee::age> >= 30)) use(e.value);
///
/// A query is a value. The functions that narrow it leave it as it is and return another one, of which nothing was read
/// yet: `auto q = employees.query(…); if (adults) q = q.where(field<&employee::age> >= 18);`. A copy is the same query
/// from its beginning, and so is every further loop over a range, except that after an error the next loop goes on
/// behind the entities already taken.
///
/// It holds one page in memory, of each partition or bucket that is merged. Entities may be moved from. `begin` and
/// `++` throw errors; `try_next` returns them. After an error of the store the same page is asked for again; after the
/// error of a row the next row follows.
///
/// \par Round trips
/// One for each page of at most 1,000 entities, the first when iteration begins; of several partitions 8 pages are
/// asked for at once.
/// \par Thread safety
/// One thread at a time.
/// \par Lifetime
/// It keeps its store alive, not its table.
template <class T, class Projection = detail::whole_entity<T>> class query_range {
    using state = detail::query_state;

    struct cell {
        std::shared_ptr<state> query;
        typename Projection::slot value{};
        bool begun = false;
        bool failed = false;

        result<void> advance() {
            begun = failed = true;
            auto r = query->advance();
            failed = !r;
            return r;
        }
        void advance_or_throw() {
            value_or_throw(advance());
            if (auto* const e = detail::current_of<T>(*query)) Projection::put(value, *e);
        }
        void begin_again() {
            if (begun && !failed) query = query->again();
        }
    };

public:
    using value_type = typename Projection::value_type;

    class iterator {
    public:
        using value_type = typename Projection::value_type;
        using difference_type = std::ptrdiff_t;
        using iterator_concept = std::input_iterator_tag;

        iterator() = default;
        value_type& operator*() const { return Projection::get(cell_->value); }
        value_type* operator->() const { return &Projection::get(cell_->value); }
        iterator& operator++() {
            cell_->advance_or_throw();
            return *this;
        }
        void operator++(int) { ++*this; }
        friend bool operator==(iterator const& i, std::default_sentinel_t) {
            return !i.cell_ || !i.cell_->query->current();
        }

    private:
        friend query_range;
        explicit iterator(cell* c) : cell_(c) {}
        cell* cell_ = nullptr;
    };

    query_range(query_range const& other) : query_range(other.query().again()) {}
    query_range(query_range&&) noexcept = default;
    query_range& operator=(query_range const& other) { return *this = query_range(other); }
    query_range& operator=(query_range&&) noexcept = default;
    ~query_range() = default;

    // ---- narrowing --------------------------------------------------------------------------------------------------

    /// Only entities that meet a condition on their properties.
    ///
    /// \par Cost
    /// The store examines every row of the range.
    template <class Condition> [[nodiscard]] query_range where(Condition const& c) const {
        auto q = *this;
        if constexpr (detail::check_condition<T, Condition>())
            q.query().where(detail::as_condition(c).try_expression());
        return q;
    }

    /// The same as text: `where(raw_filter("Age ge {}", 30))`.
    ///
    /// \throws error when iteration begins: `library_errc::invalid_filter`
    [[nodiscard]] query_range where(raw_filter const& f) const {
        auto q = *this;
        q.query().where(f.to_expression());
        return q;
    }

    /// Some members only, as a `std::tuple` in the order asked: the others stay in the store. Members in the keys cost
    /// nothing. `required()` properties are not checked, because a row is not read whole.
    ///
    /// `elements` restricts a selected series to some elements; the others are absent in the response:
    /// `select<&day_stats::user, &day_stats::messages>(elements<&day_stats::messages>(8, 18))`.
    ///
    /// \throws error when iteration begins: those of `elements`; of a query by an index `library_errc::unsupported`
    template <auto... Members, class... Slices> [[nodiscard]] auto select(Slices const&... slices) const {
        if constexpr (detail::check_selected<T, Members...>())
            if constexpr (detail::check_held<T, Projection, detail::member_index<Members, T>...>())
                if constexpr ((detail::check_slice<T, Slices, Members...>() && ...))
                    return project<detail::members_of_entity<T, Members...>>(slices...);
    }

    /// Some members only, as a smaller struct whose members have the names and types of T's.
    template <class U> [[nodiscard]] auto select_into() const {
        if constexpr (detail::check_select_into<T, U>())
            if constexpr (detail::check_held_into<T, Projection, U>()) return project<detail::part_of_entity<T, U>>();
    }

    /// At most so many entities.
    [[nodiscard]] query_range top(std::size_t rows) const {
        return with([&](state& q) { q.top(rows); });
    }

    /// Pages of at most so many rows, 1 to 1,000.
    [[nodiscard]] query_range page_size(std::size_t rows) const {
        return with([&](state& q) { q.page_size(rows); });
    }

    /// Goes on where `cursor()` of the same query was taken, in this process or another.
    ///
    /// \throws error when iteration begins: `library_errc::invalid_cursor` for text that is no cursor or one of another
    /// query
    [[nodiscard]] query_range from(std::string cursor) const {
        return with([&](state& q) { q.go_on(std::move(cursor)); });
    }

    /// Reads the next page while the entities of the one at hand are taken: one page more of memory.
    [[nodiscard]] query_range read_ahead() const {
        return with([](state& q) { q.read_ahead(); });
    }

    /// Of several partitions: rows as they come, instead of merged by their keys.
    [[nodiscard]] query_range in_any_order() const {
        return with([](state& q) { q.order(detail::row_order::any); });
    }

    /// Of several partitions: so many pages are asked for at once, 8 if this is not called.
    [[nodiscard]] query_range at_once(std::size_t pages) const {
        return with([&](state& q) { q.at_once(pages); });
    }

    /// Cuts a scan at these partition keys into ranges that are read in parallel, merged in key order.
    [[nodiscard]] query_range split_at(std::vector<std::string> partition_keys) const {
        return with([&](state& q) { q.split(std::move(partition_keys)); });
    }

    /// Sets the policy for rows that cannot be read; without it they are errors.
    ///
    ///     auto const skip = skip_bad_rows([](bad_row const& r) { log(r.error); });
    ///     for (auto& e : employees.query(partition("Sales")).on_error(skip)) use(e.value);
    [[nodiscard]] query_range on_error(bad_row_policy policy) const {
        return with([&](state& q) { q.on_error(std::move(policy)); });
    }

    /// Refused: there is no such request to the service.
    template <auto... Members, class... Orders> query_range order_by(Orders const&...) const {
        static_assert(detail::is_right_use<Orders...>,
                      "tablemap[Q5]: the service cannot sort: entities come in the order of their keys; choose a row "
                      "key or an index that sorts so, query_by<\"name\">(...), or sort a std::vector of them");
        return *this;
    }

    // ---- reading ----------------------------------------------------------------------------------------------------

    /// Begins with the first entity, also when it is called again; after an error, goes on behind the entities already
    /// taken.
    ///
    /// \throws error those of the store; those of a row that is no T
    iterator begin() & {
        cell_->begin_again();
        cell_->advance_or_throw();
        return iterator{cell_.get()};
    }
    iterator begin() && = delete;  // it would outlive what it reads
    std::default_sentinel_t end() const noexcept { return {}; }

    /// The next entity, or nothing once the end is reached, or an error that `begin` would throw.
    result<std::optional<value_type>> try_next() {
        if (auto r = cell_->advance(); !r) return failure{std::move(r).error()};
        auto* const e = detail::current_of<T>(query());
        return e ? std::optional<value_type>{Projection::take(*e)} : std::optional<value_type>{};
    }

    /// The first entity, or nothing.
    ///
    /// \par Round trips
    /// One, unless the store answers with empty pages.
    std::optional<value_type> first() const { return value_or_throw(try_first()); }
    result<std::optional<value_type>> try_first() const { return few().try_next(); }

    /// The number of rows; only their keys are read, so rows that could not be read as entities count too.
    ///
    /// \throws error `library_errc::unsupported` for a query that goes on from a cursor
    /// \par Round trips
    /// As for reading them.
    std::size_t count() const { return value_or_throw(try_count()); }
    detail::late_result<T, std::size_t> try_count() const { return detail::count_rows(query().again()); }

    /// True if there is any entity.
    ///
    /// \par Round trips
    /// One, unless the store answers with empty pages.
    bool exists() const { return value_or_throw(try_exists()); }
    detail::late_result<T, bool> try_exists() const {
        auto const n = few().try_count();
        if (!n) return failure{n.error()};
        return *n > 0;
    }

    /// The position behind the entities that were taken, as text for URLs; see `from`. Nothing at the end.
    ///
    /// \throws error `library_errc::unsupported` on a store that answers in no order
    std::optional<std::string> cursor() const { return value_or_throw(try_cursor()); }
    detail::late_result<T, std::optional<std::string>> try_cursor() const { return query().try_cursor(); }

    /// The store's way of finding the entities, and its cost. Nothing is sent.
    ///
    /// \throws error `library_errc::unsupported`, `invalid_filter` for a filter that the service has no text for
    query_plan explain() const { return value_or_throw(try_explain()); }
    detail::late_result<T, query_plan> try_explain() const { return query().explain(); }

private:
    template <class> friend class table;
    template <class> friend class async_table;
    template <class, class> friend class query_range;
    template <class, class> friend class async_query_range;
    friend struct detail::table_internals;

    explicit query_range(std::shared_ptr<state> s) : cell_(std::make_unique<cell>(cell{std::move(s)})) {}

    state& query() const noexcept { return *cell_->query; }

    /// The query with nothing taken. A range over it may be shared, but not read by two.
    std::shared_ptr<state> fresh() const { return cell_->begun ? cell_->query->again() : cell_->query; }

    template <class Change> query_range with(Change change) const {
        auto q = *this;
        change(q.query());
        return q;
    }
    query_range few() const { return top(query().limit() == 0U ? 0 : 1); }

    template <class Other, class... Slices> query_range<T, Other> project(Slices const&... slices) const {
        auto q = query().again();
        Other::ask(*q, slices...);
        return query_range<T, Other>{std::move(q)};
    }

    std::unique_ptr<cell> cell_;
};

}  // namespace tablemap

template <class T, class Projection>
inline constexpr bool std::ranges::enable_view<tablemap::query_range<T, Projection>> = true;
