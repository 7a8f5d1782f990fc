// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/store/page_progress.hpp"

#include <string>
#include <utility>

namespace tablemap::inline v0_1::detail {

std::optional<error> page_progress::circle(std::optional<continuation> const& next) const {
    if (!next || mark_ != next) return std::nullopt;
    return error{
        library_errc::malformed_response,
        {.reason = "the store named a place in the query where it had been before: the query would never end"}};
}

std::optional<error> page_progress::passed(std::optional<continuation> const& next, bool empty, call_options const& o) {
    if (++since_ == lap_) {
        mark_ = next;
        since_ = 0;
        lap_ *= 2;
    }
    empty_ = empty && next ? empty_ + 1 : 0;
    if (empty_ == 0 || empty_ < o.empty_pages) return std::nullopt;
    auto const pages = std::to_string(std::exchange(empty_, 0));
    return error{library_errc::malformed_response,
                 {.reason = pages + " pages in a row were empty, and the store says that more follow: set "
                                    "call_options::empty_pages to allow more of them"}};
}

std::optional<error> page_progress::stuck_at(std::optional<continuation> const& next, bool empty,
                                             call_options const& o) {
    if (auto again = circle(next)) return again;
    return passed(next, empty, o);
}

}  // namespace tablemap::detail
