// SPDX-License-Identifier: Apache-2.0
#include "embedded/answer.hpp"
#include "embedded/operations.hpp"
#include "embedded/refusal.hpp"
#include "embedded/schema.hpp"
#include "embedded/stamps.hpp"

#include "store/service_answer.hpp"
#include "tablemap/store/clock.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

/// Queues. A message is a row; who takes or changes it gives it another receipt, a random number, so that the receipts
/// of those before are void.
namespace tablemap::inline v0_1::detail::embedded {
namespace {

using std::chrono::seconds;

response answer_with_message(queue_message m) {
    service_response what;
    what.messages.push_back(std::move(m));
    return answer_with(std::move(what));
}

std::optional<std::int64_t> find_queue(connection& c, std::string_view name) {
    if (!has_queue_tables(c.db())) return std::nullopt;
    statement_use s{c.prepared(query::find_queue)};
    s->bind_text(1, name);
    return s->step() ? std::optional{s->integer(0)} : std::nullopt;
}

std::int64_t require_queue(connection& c, std::string_view name) {
    auto const id = find_queue(c, name);
    if (!id) refuse(service_errc::queue_not_found);
    return *id;
}

// --- times -----------------------------------------------------------------------------------------------------------

/// Behind the last time that can be stored: never.
ticks later(ticks now, seconds s) {
    auto const left = std::chrono::floor<seconds>(ticks::max() - now);
    return s >= left ? ticks::max() : now + s;
}

ticks in_whole_seconds(ticks t) {
    constexpr auto second = tick_duration{seconds{1}}.count();
    return ticks{t.count() / second * second};
}

// --- messages --------------------------------------------------------------------------------------------------------

std::int64_t new_receipt() { return static_cast<std::int64_t>(clock::system().random()); }

/// The number that an id or a receipt is; nothing for the text of another store.
std::optional<std::int64_t> number_in(std::string_view text) {
    std::int64_t n = 0;
    auto const* const last = text.data() + text.size();
    auto const [end, e] = std::from_chars(text.data(), last, n);
    return e == std::errc{} && end == last ? std::optional{n} : std::nullopt;
}

std::uint32_t checked_count(std::int64_t n) {
    if (n < 0) refuse(store_errc::corrupt, "a stored message cannot be read: restore a backup of the file");
    return static_cast<std::uint32_t>(std::min<std::int64_t>(n, std::numeric_limits<std::uint32_t>::max()));
}

/// A message with what the row of `find_messages` has.
queue_message message_in(statement const& row) {
    return {.id = std::to_string(row.integer(0)),
            .text = std::string{row.blob(4)},
            .inserted = in_whole_seconds(checked_stamp(row.integer(1))),
            .expires = in_whole_seconds(checked_stamp(row.integer(2))),
            .dequeue_count = checked_count(row.integer(3))};
}

/// The messages that may be taken now, the one that was visible first at the front.
std::vector<queue_message> find_messages(connection& c, std::int64_t queue, ticks now, std::size_t most) {
    statement_use s{c.prepared(query::find_messages)};
    s->bind(1, queue);
    s->bind(2, now.count());
    s->bind(3, static_cast<std::int64_t>(most));
    std::vector<queue_message> found;
    while (s->step()) found.push_back(message_in(*s.operator->()));
    return found;
}

constexpr std::int64_t expired_at_once = 64;  // as in `remove_expired`
constexpr int most_portions = 16;

/// Removes some of the expired messages. True if there may be more, which are not seen either.
bool remove_expired(connection& c, std::int64_t queue, ticks now) {
    statement_use s{c.prepared(query::remove_expired)};
    s->bind(1, queue);
    s->bind(2, now.count());
    s->run();
    return c.db().changes() == expired_at_once;
}

/// Removes more of them, and few enough that no request takes long.
void remove_many_expired(connection& c, std::int64_t queue, ticks now, call_limits const& limits) {
    for (int i = 0; i < most_portions && remove_expired(c, queue, now); ++i) limits.check();
}

/// The message of an id. Errors (thrown): `message_not_found`, `pop_receipt_mismatch`.
std::int64_t require_message(connection& c, std::int64_t queue, std::string_view id, std::string_view receipt,
                             ticks now) {
    auto const number = number_in(id);
    if (!number) refuse(service_errc::message_not_found);
    statement_use s{c.prepared(query::find_message)};
    s->bind(1, queue);
    s->bind(2, *number);
    s->bind(3, now.count());
    if (!s->step()) refuse(service_errc::message_not_found);
    if (number_in(receipt) != s->integer(0)) refuse(service_errc::pop_receipt_mismatch);
    return *number;
}

/// Hides a message from now on, and tells its new receipt.
void hide(connection& c, query how, std::int64_t id, ticks until, queue_message& m) {
    auto const receipt = new_receipt();
    statement_use s{c.prepared(how)};
    s->bind(1, id);
    s->bind(2, until.count());
    s->bind(3, receipt);
    s->run();
    m.receipt = std::to_string(receipt);
    m.visible = in_whole_seconds(until);
}

void run_on(connection& c, query q, std::int64_t id) {
    statement_use s{c.prepared(q)};
    s->bind(1, id);
    s->run();
}

// --- one function for each kind of request ---------------------------------------------------------------------------

struct queue_operations {
    connection& c;
    std::function<ticks()> const& clock;
    call_limits const& limits;

    response operator()(create_queue const& q) const {
        add_queue_tables(c.db());
        statement_use s{c.prepared(query::add_queue)};
        s->bind_text(1, q.queue);
        service_response what;
        what.created = s->run();
        return answer_with(std::move(what));
    }

    response operator()(delete_queue const& q) const {
        auto const queue = require_queue(c, q.queue);
        run_on(c, query::remove_messages, queue);
        run_on(c, query::remove_queue, queue);
        return {};
    }

    response operator()(clear_messages const& q) const {
        run_on(c, query::remove_messages, require_queue(c, q.queue));
        return {};
    }

    response operator()(put_message const& q) const {
        auto const queue = require_queue(c, q.queue);
        auto const now = read_clock(clock);
        remove_expired(c, queue, now);
        auto const visible = later(now, q.hidden_for);
        auto const expires = q.time_to_live ? later(now, *q.time_to_live) : ticks::max();
        auto const receipt = new_receipt();
        auto const id = insert(queue, visible, now, expires, receipt, q.text);
        return answer_with_message(queue_message{.id = std::to_string(id),
                                                 .receipt = std::to_string(receipt),
                                                 .inserted = in_whole_seconds(now),
                                                 .expires = in_whole_seconds(expires),
                                                 .visible = in_whole_seconds(visible)});
    }

    response operator()(get_messages const& q) const {
        auto const queue = require_queue(c, q.queue);
        auto const now = read_clock(clock);
        remove_many_expired(c, queue, now, limits);
        service_response what;
        what.messages = find_messages(c, queue, now, q.most);
        for (auto& m : what.messages) {
            hide(c, query::take_message, *number_in(m.id), later(now, q.hidden_for), m);
            ++m.dequeue_count;
        }
        return answer_with(std::move(what));
    }

    response operator()(update_message const& q) const {
        auto const queue = require_queue(c, q.queue);
        auto const now = read_clock(clock);
        auto const id = require_message(c, queue, q.id, q.receipt, now);
        queue_message changed{.id = std::string{q.id}};
        hide(c, query::hide_message, id, later(now, q.hidden_for), changed);
        if (q.text) change_text(id, *q.text);
        return answer_with_message(std::move(changed));
    }

    response operator()(delete_message const& q) const {
        auto const queue = require_queue(c, q.queue);
        auto const now = read_clock(clock);
        run_on(c, query::remove_message, require_message(c, queue, q.id, q.receipt, now));
        return {};
    }

    response operator()(peek_messages const& q) const {
        auto const queue = require_queue(c, q.queue);
        service_response what;
        what.messages = find_messages(c, queue, read_clock(clock), q.most);
        return answer_with(std::move(what));
    }

    response operator()(count_messages const& q) const {
        auto const queue = require_queue(c, q.queue);
        auto const now = read_clock(clock);
        statement_use s{c.prepared(query::count_messages)};
        s->bind(1, queue);
        s->bind(2, now.count());
        service_response what;
        if (s->step()) what.message_count = static_cast<std::size_t>(s->integer(0));
        return answer_with(std::move(what));
    }

private:
    std::int64_t insert(std::int64_t queue, ticks visible, ticks now, ticks expires, std::int64_t receipt,
                        std::string_view text) const {
        statement_use s{c.prepared(query::add_message)};
        s->bind(1, queue);
        s->bind(2, visible.count());
        s->bind(3, now.count());
        s->bind(4, expires.count());
        s->bind(5, receipt);
        s->bind_blob(6, text);
        if (!s->step()) refuse(store_errc::corrupt, "a message was not given an id: restore a backup of the file");
        auto const id = s->integer(0);
        s->run();
        return id;
    }

    void change_text(std::int64_t id, std::string_view text) const {
        statement_use s{c.prepared(query::change_text)};
        s->bind(1, id);
        s->bind_blob(2, text);
        s->run();
    }
};

}  // namespace

bool reads_queue(queue_request const& r) noexcept {
    return std::holds_alternative<peek_messages>(r) || std::holds_alternative<count_messages>(r);
}

response carry_out(connection& c, queue_request const& r, std::function<ticks()> const& now,
                   call_limits const& limits) {
    queue_operations const operations{c, now, limits};
    if (reads_queue(r)) return std::visit(operations, r);
    write_transaction t{c.db()};
    auto answer = std::visit(operations, r);
    t.commit();
    return answer;
}

}  // namespace tablemap::detail::embedded
