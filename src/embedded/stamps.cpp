// SPDX-License-Identifier: Apache-2.0
#include "embedded/stamps.hpp"

#include "embedded/answer.hpp"
#include "embedded/refusal.hpp"

namespace tablemap::inline v0_1::detail::embedded {

ticks read_clock(std::function<ticks()> const& now) {
    if (!now) return ticks::now();
    try {
        return now();
    } catch (...) {
        refuse(store_errc::failed, "the clock that was given to the store threw");
    }
}

ticks take_stamps(connection& c, ticks now, std::size_t count) {
    auto const more = static_cast<std::int64_t>(count) - 1;
    statement_use s{c.prepared(query::take_stamps)};
    s->bind(1, now.count());
    s->bind(2, more);
    if (!s->step()) refuse(store_errc::corrupt, "its clock is missing: restore a backup of the file");
    auto const last = s->integer(0);
    s->run();
    return checked_stamp(last - more);
}

}  // namespace tablemap::detail::embedded
