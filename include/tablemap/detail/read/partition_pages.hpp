// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/query/cursor.hpp"
#include "tablemap/detail/read/row_source.hpp"
#include "tablemap/detail/store/operation.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// In which order the rows of several partitions, or ranges of them, are given.
enum class row_order : std::uint8_t {
    by_row_key,    ///< of buckets that are one partition to the user
    by_both_keys,  ///< as one scan would
    any,           ///< as they come
};

/// The part of a query that is the same for every partition.
struct page_plan {
    query_page common{};  ///< without partition and continuation
    row_order order = row_order::by_both_keys;
    std::size_t at_once = 8;    ///< so many pages are asked for at once, at most
    bool partial = false;       ///< some properties only
    std::size_t most_rows = 0;  ///< of a page that comes after one without rows of the query's types
};

/// The rows of a query's partitions, merged: one page of each is held.
///
/// An operation: a run fetches the pages without which the next row cannot be told, and yields whether there is any.
/// After a failure the next run asks again for the pages that are missing, so nothing is skipped.
class partition_pages {
public:
    using value_type = bool;

    /// A row of the query, good or bad; neither at the end.
    struct row {
        void* good = nullptr;  ///< an entity of the source's type
        bad_row const* bad = nullptr;
    };

    /// The arguments are borrowed. `from` has the positions to go on from, one for each partition, or nothing.
    partition_pages(page_plan const& what, std::span<key_bounds const> partitions, row_source const& source,
                    std::span<cursor_range const> from = {}, property_cipher const* cipher = nullptr);
    ~partition_pages();
    partition_pages(partition_pages const&) = delete;
    partition_pages& operator=(partition_pages const&) = delete;

    /// True if it must be run before the next row is taken.
    bool needs_page() const noexcept { return !waiting_.empty() && (order_ != row_order::any || heads_.empty()); }

    /// The next row. It lives until the operation is run. Precondition: `!needs_page()`.
    row pop();

    /// The position of the first row that was not taken yet. Errors: those of making a key.
    result<std::vector<cursor_range>> position() const;

    step start(environment const& env);
    step resume(environment const& env, std::span<response> answers);
    result<bool> take();

private:
    struct page;
    struct page_reader;
    struct range;
    struct comes_after;

    comes_after after() const noexcept;
    step ask(environment const& env);
    void take_response(environment const& env, std::size_t at, response& answer);

    row_order order_;
    std::size_t at_once_;
    std::vector<range> ranges_;           ///< of which none moves, as their pages are pointed to
    std::vector<std::size_t> waiting_{};  ///< partitions whose next page is missing
    std::vector<std::size_t> asked_{};    ///< the first of them, asked for in this step
    std::vector<std::size_t> again_{};    ///< those of them that have to be asked again
    std::vector<std::size_t> heads_{};    ///< a heap of the partitions that have rows at hand
    std::vector<request> requests_{};
    std::optional<error> fault_{};
};

}  // namespace tablemap::detail
