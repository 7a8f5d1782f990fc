// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/query/cursor.hpp"
#include "tablemap/detail/read/row_source.hpp"
#include "tablemap/detail/store/task.hpp"
#include "tablemap/store/options.hpp"
#include "tablemap/store/response.hpp"

#include <cstddef>
#include <cstdint>
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
class partition_pages {
public:
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

    /// True if pages must be fetched before the next row is taken.
    bool needs_page() const noexcept { return !waiting_.empty() && (order_ != row_order::any || heads_.empty()); }

    /// The next row. It lives until pages are fetched. Precondition: `!needs_page()`.
    row pop();

    /// The position of the first row that was not taken yet. Errors: those of making a key.
    result<std::vector<cursor_range>> position() const;

    /// Fetches the pages without which the next row cannot be told; yields whether there is any row. After a failure
    /// the pages that are missing can be fetched again, so nothing is skipped.
    task<result<bool>> fetch();

private:
    struct page;
    struct page_reader;
    struct range;
    struct comes_after;

    comes_after after() const noexcept;
    std::vector<request> next_requests();
    std::optional<error> take(std::span<response> answers, call_options const& o);

    row_order order_;
    std::size_t at_once_;
    std::vector<range> ranges_;         ///< of which none moves, as their pages are pointed to
    std::vector<std::size_t> waiting_;  ///< partitions whose next page is missing
    std::vector<std::size_t> heads_;    ///< a heap of the partitions that have rows at hand
};

}  // namespace tablemap::detail
