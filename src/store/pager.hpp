// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/detail/store/page_progress.hpp"
#include "tablemap/store/options.hpp"
#include "tablemap/store/request.hpp"
#include "tablemap/store/response.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <optional>
#include <utility>

namespace tablemap::inline v0_1::detail {

/// Takes the entities of a page. Returns their number.
template <class R>
concept page_reader = requires(R& r, response& page) {
    { r(page) } -> std::same_as<result<std::size_t>>;
};

/// After a page without results the next one is larger, up to `most` rows: a query with small pages should not request
/// a long run of rows that it skips in small pages.
inline void widen(query_page& query, std::size_t most) noexcept {
    if (query.top && *query.top < most) query.top = std::min(most, *query.top * 8);
}

/// The pages of a query, one after the other.
///
/// A page without entities leads to the next one, as many in a row as `call_options::empty_pages` allows. After a
/// failure the same page is requested again, so that no row is left out.
template <page_reader Read> class pager {
public:
    /// The data that `query` borrows must outlive the pager. `most`: the greatest page size after widening.
    pager(query_page query, Read read, std::size_t most = 0) : query_(query), read_(std::move(read)), most_(most) {}

    /// Begins at the end of another pager of the same query. Precondition: nothing was read.
    void begin_at(std::optional<continuation> from) {
        next_ = std::move(from);
        progress_.begin_at(next_);
    }
    void begin_at_end() noexcept { ended_ = true; }

    /// The request for the next page, which borrows from this. Precondition: `!ended()`.
    query_page request() noexcept {
        query_.from = next_ ? &*next_ : nullptr;
        return query_;
    }

    /// Takes the response to that request; true if it had entities. Errors: that of the request, those of the reader,
    /// those of `page_progress`.
    result<bool> take(response& page, call_options const& o) {
        if (!page.ok()) return failure{std::move(*page.failure)};
        if (auto circle = progress_.circle(page.next)) return failure{*std::move(circle)};
        auto const count = read_(page);
        if (!count) return failure{count.error()};
        current_ = std::exchange(next_, std::move(page.next));
        ended_ = !next_;
        if (auto stuck = progress_.passed(next_, *count == 0, o)) return failure{*std::move(stuck)};
        if (*count == 0) widen(query_, most_);
        return *count > 0;
    }

    /// The start of the next page; nothing at the start and at the end.
    std::optional<continuation> const& next() const noexcept { return next_; }

    /// The start of the page that was read last; nothing for the first one.
    std::optional<continuation> const& current() const noexcept { return current_; }
    bool ended() const noexcept { return ended_; }

private:
    query_page query_;
    Read read_;
    std::size_t most_;
    std::optional<continuation> next_{};
    std::optional<continuation> current_{};
    page_progress progress_{};
    bool ended_ = false;
};

}  // namespace tablemap::detail
