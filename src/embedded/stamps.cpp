// SPDX-License-Identifier: Apache-2.0
#include "embedded/stamps.hpp"

#include "embedded/answer.hpp"
#include "embedded/refusal.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

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

/// So far ahead of the time the file keeps stamps for one connection. Should that end, others begin there.
constexpr tick_duration ahead = std::chrono::milliseconds{20};

/// The last stamp that was given out, or is kept for a connection.
std::int64_t last_stamp(connection& c) {
    statement_use s{c.prepared(query::read_clock)};
    if (!s->step()) refuse(store_errc::corrupt, "its clock is missing: restore a backup of the file");
    auto const last = s->integer(0);
    // Or the next one would overflow.
    return last == 0 ? last : checked_stamp(last).count();
}

/// The number in the clock, and if this connection wrote it: then nobody else has taken stamps since. The same number
/// may be another's if the transaction that wrote it did not commit.
struct clock_state {
    std::int64_t last;
    bool is_held;
};

clock_state look_at_clock(connection& c) {
    auto& block = c.stamps();
    auto const seen = std::exchange(block.seen, c.db().foreign_changes());
    bool const is_present = block.write == c.db().present_write();
    if (!is_present && block.write > c.db().last_lost_write()) block.write = 0;
    bool const is_kept = is_present || block.write == 0;
    if (is_kept && block.last != 0 && seen == block.seen) return {block.last, true};
    auto const last = last_stamp(c);
    return {last, is_kept && block.last == last};
}

/// Two statements: to return what an UPDATE has written, SQLite keeps a table of its own for a moment, which costs
/// more.
void set_clock(connection& c, std::int64_t last) {
    statement_use s{c.prepared(query::set_clock)};
    s->bind(1, last);
    s->run();
}

}  // namespace

// The page of the clock would be a part of each commit. A connection that alternates with others keeps none, or the
// clock would run away from the time.
ticks take_stamps(connection& c, ticks now, std::size_t count) {
    auto const [last, is_held] = look_at_clock(c);
    auto& block = c.stamps();
    auto const first = checked_stamp(std::max(now.count(), is_held ? block.next : last + 1));
    auto const end = checked_stamp(first.count() + static_cast<std::int64_t>(count) - 1).count();
    if (!is_held || end > last) {
        auto const kept = is_held ? std::max(end, (now + ahead).count()) : end;
        set_clock(c, kept);
        block = {.next = 0, .last = kept, .write = c.db().present_write(), .seen = block.seen};
    }
    block.next = end + 1;
    return first;
}

}  // namespace tablemap::detail::embedded
