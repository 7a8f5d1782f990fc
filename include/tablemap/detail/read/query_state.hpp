// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/read/partition_pages.hpp"
#include "tablemap/detail/read/row_source.hpp"
#include "tablemap/detail/store/call_context.hpp"
#include "tablemap/filter/expression.hpp"
#include "tablemap/query/key_ranges.hpp"
#include "tablemap/query/plan.hpp"
#include "tablemap/store/store.hpp"

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1 {

/// The policy of a query for rows that cannot be read: see `query_range::on_error`.
class bad_row_policy {
public:
    bad_row_policy() = default;
    explicit bad_row_policy(std::function<void(bad_row const&)> report);

    /// True if the row was reported and is to be passed over.
    bool skips(bad_row const& row) const;

private:
    std::function<void(bad_row const&)> report_{};
};

/// A row that cannot be read is thrown as an error in its place; iteration may begin again behind it.
bad_row_policy throw_bad_rows();

/// Rows that cannot be read are given to `report`, which is called wherever the range is advanced, and passed over.
bad_row_policy skip_bad_rows(std::function<void(bad_row const&)> report);

namespace detail {

struct table_state;

/// The part of a query that does not depend on the type of its rows. It owns everything that its requests borrow, so it
/// does not move.
class query_description : public std::enable_shared_from_this<query_description> {
public:
    /// The source is borrowed.
    query_description(store_ptr s, std::string table, query_keys keys, call_options o, row_source const& source);
    query_description& operator=(query_description const&) = delete;
    ~query_description();

    // Functions that narrow a query, before its first page is read.
    void restrict(filter::expression condition);
    void restrict(error const& fault);
    void select(std::vector<std::string> columns);
    void select_members(chosen_columns chosen);
    void always_select(std::initializer_list<std::string_view> columns);
    void top(std::size_t rows) { limit_ = rows; }
    void page_size(std::size_t rows) { page_size_ = rows; }
    void order(row_order order) { order_ = order; }
    void at_once(std::size_t pages);
    void read_ahead();  ///< of several partitions it means nothing: their pages are asked for together anyway
    void split(std::vector<std::string> boundaries);
    void go_on(std::string cursor);
    void on_error(bad_row_policy policy);

    tablemap::store& store() const noexcept { return *store_; }
    store_ptr const& shared_store() const noexcept { return store_; }
    call_options const& options() const noexcept { return options_; }
    bad_row_policy const& policy() const noexcept { return policy_; }
    error explain_error(error const& e) const;
    operation_label label() const noexcept { return {action(), table_}; }
    result<query_plan> explain() const;

    /// The requests of its pages. They borrow from this.
    page_plan pages() const;
    std::vector<key_bounds> partitions() const;

    /// Errors: `library_errc::unsupported` where a place within a page means nothing.
    result<void> check_cursors() const;

    /// The positions of the cursor; empty without one. Errors: `library_errc::invalid_cursor`, and the one that
    /// `restrict` was given.
    result<std::vector<cursor_range>> begin() const;
    std::string cursor(std::vector<cursor_range> const& ranges) const;

    std::optional<std::size_t> limit() const noexcept { return limit_; }
    std::string const& table() const noexcept { return table_; }
    bool is_of(store_ptr const& s, std::string_view table) const noexcept;

    /// False once as many rows were taken as were asked for.
    bool wants_more() const noexcept { return !limit_ || taken_ < *limit_; }
    void took_one() noexcept { ++taken_; }

    /// Asks for nothing but the keys, and what else tells the type of a row, to count rows.
    void keys_only();

    row_source const& source() const noexcept { return source_; }

protected:
    /// The same query from its beginning. `choose_store` must follow, once it is shared.
    query_description(query_description const& other);
    void choose_store();

private:
    std::string_view action() const noexcept { return keys_.partitions.empty() && !keys_.nothing ? "scan" : "query"; }
    std::uint64_t hash() const;
    void borrow_columns();
    void check_copied(filter::expression const& e);
    void refuse_uncopied(std::string_view property);

    store_ptr plain_;
    store_ptr store_;  ///< or one that reads ahead of it
    std::string table_;
    row_source const& source_;
    query_keys keys_;
    call_options options_;
    std::optional<filter::expression> where_;
    std::optional<error> fault_;
    std::vector<std::string> columns_;
    std::vector<std::string_view> select_;
    std::vector<std::string_view> always_;  ///< besides, where columns are selected; static text
    std::vector<std::string> boundaries_;
    std::optional<std::size_t> limit_;
    std::size_t taken_ = 0;
    std::optional<std::size_t> page_size_;
    std::optional<std::string> cursor_;
    row_order order_;
    std::size_t at_once_ = 8;
    bool partial_ = false;
    bool reads_ahead_ = false;
    bad_row_policy policy_;
};

/// A query that is being read. Shared with an operation that is under way.
class query_state : public query_description {
public:
    query_state(store_ptr s, std::string table, query_keys keys, call_options o,
                std::shared_ptr<property_cipher const> c, row_source const& source);
    query_state(query_state const& other);
    ~query_state();

    /// The same query, of which nothing was read yet.
    std::shared_ptr<query_state> again() const;

    /// Restricts the query, or makes it fail with the condition's error. What the condition finds by blind indexes is
    /// compared with it from here on. Before the first page is read.
    void where(result<filter::expression> condition);

    /// Prepares for the first page. Errors: as `begin`.
    result<void> open();

    /// Takes what the pages at hand have. True if that is an entity or the end, false if a page must be fetched.
    /// Errors: those of a row.
    result<bool> take();

    /// Takes the next entity, or the end. Errors: those of the store and of a row.
    result<void> advance();

    /// The entity that was taken last, of the source's type; null at the end.
    void* current() const noexcept { return current_; }
    void set_current(void* e) noexcept { current_ = e; }

    /// As `query_range::try_cursor`.
    result<std::optional<std::string>> try_cursor();

    partition_pages& pages() noexcept { return *pages_; }

private:
    std::shared_ptr<property_cipher const> cipher_;
    void* current_ = nullptr;
    std::optional<partition_pages> pages_;
};

/// The same, of a query whose source has rows of T.
template <class T> entity<T>* current_of(query_state const& q) noexcept { return static_cast<entity<T>*>(q.current()); }

std::shared_ptr<query_state> make_query(table_state const& table, query_keys keys, call_options o,
                                        row_source const& source);

}  // namespace detail
}  // namespace tablemap
