// SPDX-License-Identifier: Apache-2.0
#include "embedded/stamps.hpp"

#include "embedded/answer.hpp"
#include "embedded/refusal.hpp"

#include <algorithm>
#include <cstdint>

namespace tablemap::inline v0_1::detail::embedded {

namespace {

constexpr tick_duration year = std::chrono::hours{24 * 365};

ticks checked_time(ticks t) {
    if (!t.storable() || t > ticks::max() - year)
        refuse(store_errc::failed, "the clock that was given to the store tells a time that no file holds, or one of "
                                   "the last year that files hold");
    return t;
}

}  // namespace

ticks read_clock(std::function<ticks()> const& now) {
    if (!now) return ticks::now();
    return checked_time([&] {
        try {
            return now();
        } catch (...) {
            refuse(store_errc::failed, "the clock that was given to the store threw");
        }
    }());
}

namespace {

/// The last stamp that was given out.
std::int64_t last_stamp(connection& c) {
    statement_use s{c.prepared(query::read_clock)};
    if (!s->step()) refuse(store_errc::corrupt, "its clock is missing: restore a backup of the file");
    auto const last = s->integer(0);
    // Or the next one would overflow.
    return last == 0 ? last : checked_stamp(last).count();
}

}  // namespace

// Two statements: to return what an UPDATE has written, SQLite keeps a table of its own for a moment, which costs more.
ticks take_stamps(connection& c, ticks now, std::size_t count) {
    auto const first = checked_stamp(std::max(now.count(), last_stamp(c) + 1));
    auto const last = checked_stamp(first.count() + static_cast<std::int64_t>(count) - 1);
    statement_use s{c.prepared(query::set_clock)};
    s->bind(1, last.count());
    s->run();
    return first;
}

}  // namespace tablemap::detail::embedded
