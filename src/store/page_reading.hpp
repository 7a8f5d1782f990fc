// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/environment.hpp"
#include "tablemap/detail/store/page_progress.hpp"
#include "tablemap/detail/store/task.hpp"
#include "tablemap/edm/dynamic_entity.hpp"
#include "tablemap/store/response.hpp"
#include "tablemap/store/stored_row.hpp"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// The pages of a query, which a task reads one after the other:
///
///     page_reading pages{what, env};
///     while (!pages.ended()) {
///         auto const rows = co_await pages.next_rows();
///         if (!rows) co_return failure{rows.error()};
///         …
///     }
///
/// What the query borrows outlives it, and so does the environment.
class page_reading {
public:
    /// Begins with the page of a continuation, if one is given.
    page_reading(query_page const& what, environment const& env, std::optional<continuation> from = {})
        : what_(what), env_(env), from_(std::move(from)) {
        progress_.begin_at(from_);
    }
    page_reading(page_reading const&) = delete;
    page_reading& operator=(page_reading const&) = delete;

    bool ended() const noexcept { return ended_; }

    /// The continuation of the page that `next` would read; empty after the last one.
    std::optional<continuation> const& next_page() const noexcept { return from_; }

    /// Precondition: `!ended()`. The rows of any type of the next page. Errors: those of the request and of
    /// `read_dynamic_page`; `library_errc::malformed_response` if the store would never let the query end.
    task<result<std::vector<stored_entity>>> next_rows();

    /// The same for who reads the rows from the response. Then `passed` takes their number.
    task<result<response>> next();
    result<void> passed(std::size_t rows);

private:
    query_page what_;
    environment const& env_;
    std::optional<continuation> from_;
    page_progress progress_{};
    bool ended_ = false;
};

}  // namespace tablemap::detail
