// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/rolling_calls.hpp"
#include "tablemap/detail/read/query_state.hpp"
#include "tablemap/detail/store/task_run.hpp"

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// A query of the tables of a rolling table, one after the other. Its rows are those of a `query_state` for each table,
/// without those outside the span.
///
/// Its cursor is "r1", a hash of what must be the same for it to fit (16 hexadecimal digits, lower case), and the
/// digits of the next row's table with "." and the cursor of that table's query; without these: the beginning. Never to
/// be changed.
class rolling_query : public std::enable_shared_from_this<rolling_query> {
public:
    /// Makes the query of one table. Errors: a key that cannot be made.
    using table_query = std::function<result<std::shared_ptr<query_state>>(std::string const& table)>;

    struct settings {
        std::shared_ptr<rolling_state const> table;
        rolling_span span{};
        table_query make{};
        ticks (*time_of)(void const* entity) = nullptr;
        call_options options{};
        std::vector<result<filter::expression>> conditions{};
        bad_row_policy policy{};
        std::optional<std::size_t> page_size{};
        std::optional<std::size_t> limit{};
        std::optional<std::string> cursor{};
        bool newest_first = false;
    };

    explicit rolling_query(settings s) : settings_(std::move(s)) {}

    settings const& how() const noexcept { return settings_; }

    /// Takes the next entity, or the end. Errors: those of the store and of a row.
    result<void> advance();
    task<result<void>> next();

    /// The entity that was taken last; null at the end.
    void* current() const noexcept { return current_; }

    /// Errors: `library_errc::unsupported` on a store that answers in no order.
    result<std::optional<std::string>> cursor();

private:
    result<bool> take();
    bool take_row();
    task<result<void>> fetch();
    task<result<void>> plan();
    result<void> plan_from_cursor();
    result<void> open_next();
    std::optional<std::vector<ticks>> periods_of_span() const;
    bool is_before(ticks a, ticks b) const noexcept { return settings_.newest_first ? b < a : a < b; }
    std::string hash() const;

    settings settings_;
    std::deque<ticks> tables_{};  ///< to be read, in order
    std::optional<ticks> at_{};   ///< the table that is being read
    std::shared_ptr<query_state> rows_{};
    std::shared_ptr<query_state> last_{};  ///< a query at its end that may hold the entity taken last
    std::string resumed_{};                ///< the cursor within the first table
    void* current_ = nullptr;
    std::size_t taken_ = 0;
    bool planned_ = false;
    bool ended_ = false;
};

/// A call that reads a rolling query, which it keeps alive.
template <class V> class rolling_call {
public:
    using value_type = V;

    rolling_call(std::shared_ptr<rolling_query> of, task<result<V>> first)
        : query_(std::move(of)), first_(std::move(first)) {}

    task<result<V>> const& first() const noexcept { return first_; }
    result<V> take() { return first_.take(); }
    operation_label label() const noexcept { return {"query", query_->how().table->names.prefix()}; }

private:
    std::shared_ptr<rolling_query> query_;
    task<result<V>> first_;
};

}  // namespace tablemap::detail
