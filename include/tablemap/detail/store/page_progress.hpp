// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/error.hpp"
#include "tablemap/store/options.hpp"
#include "tablemap/store/request.hpp"

#include <cstddef>
#include <optional>

namespace tablemap::inline v0_1::detail {

/// Watches the pages of one query: a store that repeats continuations, or sends empty pages for ever, would never let
/// it end.
class page_progress {
public:
    /// Sets the start of the pages.
    void begin_at(std::optional<continuation> const& from) { mark_ = from; }

    /// The error of a response that continues at an earlier place of the query: `library_errc::malformed_response`. Any
    /// circle of places is noticed, at the latest after three times as many pages as it has.
    std::optional<error> circle(std::optional<continuation> const& next) const;

    /// Counts a page; the query goes on at `next`, if it is set. Errors: `library_errc::malformed_response` after
    /// `call_options::empty_pages` pages in a row without an entity; the count begins again then.
    std::optional<error> passed(std::optional<continuation> const& next, bool empty, call_options const& o);

    /// Both checks, for a caller that ends at either.
    std::optional<error> stuck_at(std::optional<continuation> const& next, bool empty, call_options const& o);

private:
    std::optional<continuation> mark_{};  ///< moved on after 1, 2, 4, 8 … pages
    std::size_t since_ = 0;               ///< pages since the mark
    std::size_t lap_ = 1;
    std::size_t empty_ = 0;  ///< empty pages in a row
};

}  // namespace tablemap::detail
