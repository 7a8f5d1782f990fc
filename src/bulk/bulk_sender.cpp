// SPDX-License-Identifier: Apache-2.0
#include "bulk/bulk_sender.hpp"

#include "store/retry.hpp"
#include "bulk/bulk_errors.hpp"
#include "store/ask.hpp"
#include "tablemap/detail/write/modify_row.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::uint8_t strikes_before_alone = 3;

/// True for an erase of one version, which tells by being sent once more whether it was carried out.
bool tells_again(encoded_write const& w) noexcept { return w.kind == write_kind::erase && !is_of_any_version(w); }

/// True for an erase of any version, alone, whose row is not there after a lost response.
bool is_gone(bulk_group const& g, error const& e) noexcept {
    return g.rows.size() == 1 && g.rows.front().write.kind == write_kind::erase &&
           e.code() == service_errc::resource_not_found;
}

}  // namespace

bulk_sender::bulk_sender(table_state const& table, bulk_options const& options, environment const& env, bulk_sink& sink)
    : table_(table.name),
      can_(table.store->capabilities()),
      cipher_(table.cipher.get()),
      env_(env),
      sink_(sink),
      most_rows_(std::max<std::size_t>(options.buffered_rows, 1)),
      most_memory_(std::max<std::size_t>(options.buffered_bytes, 1)),
      limits_{std::max<std::size_t>(can_.transaction_operations, 1),
              can_.transaction_bytes - std::min(can_.transaction_bytes, can_.transaction_overhead)},
      queue_(limits_),
      requests_(can_, options, env, *this) {}

void bulk_sender::add(std::size_t tag, encoded_write w, bool doubtful, std::string* stored) {
    bulk_row row{.tag = tag, .write = std::move(w), .most = limits_.rows, .doubtful = doubtful};
    auto const measured = measure(row, stored, table_, can_, cipher_);
    ++rows_;
    count_memory(row);
    if (measured)
        queue_.add(std::move(row));
    else
        fail(row, measured.error());
    if (!measured || ended_by_ || env_.why_stop() || next_partition()) go_on();
}

void bulk_sender::go_on() noexcept {
    idle_ = false;
    news_.notify_all();
}

void bulk_sender::changed() {
    sink_.tell();
    look_for_end();
    go_on();
}

/// Ends the rows that wait if nothing more may be sent.
void bulk_sender::look_for_end() {
    if (auto const why = env_.why_stop())
        give_up(error{why, {.reason = "nothing more was sent", .action = "bulk write", .table = std::string{table_}}});
    else if (ended_by_)
        give_up(*ended_by_);
}

// ---- tasks ----------------------------------------------------------------------------------------------------------

task<> bulk_sender::run() {
    tasks_.add(begin_groups());
    co_await tasks_.all();
}

task<> bulk_sender::begin_groups() {
    for (;;) {
        auto const now = env_.now();
        co_await pause_until(now);  // requests that may be sent already go first
        sink_.tell();
        look_for_end();
        if (rows_ == 0 && sink_.is_done()) break;
        if (account_free_ && *account_free_ <= env_.now()) account_free_.reset();
        auto* const next = next_partition();
        if (next && !account_free_) {
            begin_group(*next);
            continue;
        }
        idle_ = true;
        became_idle_.notify_all();
        std::optional<time_point> until;
        if (next) until = until_deadline(*account_free_, env_);
        co_await news_.wait(until);
        idle_ = false;
    }
}

/// The partition of which a group may be sent now, if any.
bulk_partition* bulk_sender::next_partition() noexcept {
    return requests_.busy() ? nullptr : queue_.pick(full() || !sink_.expects_rows());
}

/// Begins the next group of a partition, unless the rate limiter puts that off.
void bulk_sender::begin_group(bulk_partition& p) {
    auto const now = env_.now();
    auto const count = queue_.next_group(p);
    auto const verdict = requests_.limiter().try_take(p.key, bulk_queue::requests_of(p, count), now);
    if (verdict.account) {
        account_free_ = verdict.not_before;
        return;
    }
    queue_.hold(p);
    if (verdict.not_before)
        tasks_.add(hold_back(p, *verdict.not_before));
    else
        tasks_.add(carry_out(p, queue_.take(p, count), now));
}

task<> bulk_sender::hold_back(bulk_partition& p, time_point until) {
    auto const end = until_deadline(until, env_);
    if (!p.rows.empty()) co_await gave_up_.wait(end);
    queue_.release(p);
    go_on();
}

/// Sends rows as one group. Their partition is held until their response is final.
task<> bulk_sender::carry_out(bulk_partition& p, std::vector<bulk_row> rows, time_point began) {
    bulk_group group{p, std::move(rows), began};
    std::optional<time_point> again;  // the time before which the partition may not be sent
    bool const prepared = co_await prepare(group);
    if (prepared) again = co_await send(group);
    changed();
    if (again && !p.rows.empty()) co_await gave_up_.wait(again);
    queue_.release(p);
    go_on();
}

/// Reads what has to be known of a group before it can be made. False if nothing of it is left to be sent.
task<bool> bulk_sender::prepare(bulk_group& g) {
    for (auto reads = g.missing_reads(table_); !reads.empty(); reads = g.missing_reads(table_)) {
        if (!g.counted) changed();  // reads were answered
        task_group readers;
        for (std::size_t i = 0; i < reads.size(); ++i) readers.add(read_into(g, i, reads[i]));
        co_await readers.all();
        g.counted = false;
        if (auto const why = g.why_unread()) {
            settle(g, *why);
            co_return false;
        }
        take_responses(g);
    }
    bool const any_left = fill(g);
    if (!g.counted) changed();
    co_return any_left;
}

task<> bulk_sender::read_into(bulk_group& g, std::size_t number, request const& what) {
    rate_share const share{g.partition.key, 1, g.counted};
    auto answer = co_await requests_.ask(what, &share);
    bool const last = g.answered(number, std::move(answer));
    if (!last) changed();
}

/// Returns the time before which the partition may not be sent, if rows of the group have to be read again.
task<std::optional<time_point>> bulk_sender::send(bulk_group& g) {
    for (;; g.counted = false) {
        auto const& what = g.to_send(table_);
        rate_share const share{g.partition.key, g.operations(), g.counted};
        auto const answer = co_await requests_.ask(what, &share);
        // The etags are not used, so it does not matter if they are missing.
        if (answer.outcome() == outcome::applied) {
            for (auto& r : g.rows) end(r, row_state::stored, nullptr);
            co_return std::nullopt;
        }
        if (!g.indexed()) {
            settle(g, *answer.failure);
            co_return std::nullopt;
        }
        if (!g.with_indexes.repair(*answer.failure)) co_return settle_indexed(g, *answer.failure);
        changed();
    }
}

void bulk_sender::take_responses(bulk_group& g) {
    for (auto& r : g.take_responses(table_, can_, cipher_)) fail(r.row, r.why);
}

/// Takes those rows into a group with rows of indexes that fit. False if there are none.
bool bulk_sender::fill(bulk_group& g) {
    if (!g.indexed()) return true;
    take_responses(g);
    auto rest = g.fill(limits_);
    for (auto& r : g.rows) count_memory(r);
    for (auto& r : rest) count_memory(r);
    queue_.put_back(g.partition, std::move(rest));
    return !g.rows.empty();
}

/// Ends every row that waits.
void bulk_sender::give_up(error const& why) {
    auto all = queue_.take_all();
    if (all.empty()) return;
    gave_up_.notify_all();
    if (!ended_by_) ended_by_ = why;
    for (auto& r : all) end_unsent(r, why);
    sink_.tell();
}

void bulk_sender::end_unsent(bulk_row& r, error const& why) {
    if (!r.doubtful) return end(r, row_state::not_sent, &why);
    auto const unknown = doubt(why);
    end(r, row_state::in_doubt, &unknown);
}

// ---- responses ------------------------------------------------------------------------------------------------------

/// Returns the time before which the partition may not be sent, if rows of the group have to be read again.
std::optional<time_point> bulk_sender::settle_indexed(bulk_group& g, error const& e) {
    auto const changed_row = g.with_indexes.changed_row(e);
    auto at = changed_row ? std::optional{changed_row->member} : g.with_indexes.changed_entity(e);
    if (!changed_row && at && !may_be_planned_again(g.rows[*at].write)) at.reset();
    auto why = g.with_indexes.explain(e);
    if (at) {
        auto& r = g.rows[*at];
        auto const until = next_try({}, ++r.conflicts, env_.now() - g.began, why, env_, call_again_remedy);
        if (until) {
            r.most = 1;
            if (changed_row)
                g.forget_look(*changed_row);
            else
                forget_entities(g, r);
            queue_.put_back(g.partition, std::move(g.rows));
            return *until;
        }
        why = until.error();
    }
    settle(g, why);
    return std::nullopt;
}

/// Forgets a row's entity that is outdated, and those of the others that were read for an earlier group, which may be
/// as old.
void bulk_sender::forget_entities(bulk_group& g, bulk_row& outdated) {
    if (outdated.planned_before) std::for_each(g.rows.begin(), g.rows.end(), [&](auto& o) { forget_read(o); });
    forget_read(outdated);
}

void bulk_sender::settle(bulk_group& g, error const& e) {
    if (e.outcome() == outcome::in_doubt) return settle_doubt(g, e);
    if (ends_the_call(e) || is_hopeless(e)) {
        if (!ended_by_) ended_by_ = e;
        for (auto& r : g.rows) end_unsent(r, e);
        return;
    }
    if (g.rows.size() > 1 && !e.retryable()) return take_apart(g, e);
    for (auto& r : g.rows) fail(r, e);
    if (e.retryable()) give_up_doubtful(g.partition, e);
}

/// One row is to blame, and keeps the others from being stored.
void bulk_sender::take_apart(bulk_group& g, error const& e) {
    if (auto const at = e.failed_index(); at && *at < g.rows.size()) {
        fail(g.rows[*at], e);
        g.rows.erase(g.rows.begin() + static_cast<std::ptrdiff_t>(*at));
        for (auto& r : g.rows)
            if (++r.strikes >= strikes_before_alone) r.most = 1;
    } else {
        for (auto& r : g.rows) r.most = (g.rows.size() + 1) / 2;
    }
    queue_.put_back(g.partition, std::move(g.rows));
}

/// The response was lost every time. What can tell by being sent once more is; the rest stays in doubt.
void bulk_sender::settle_doubt(bulk_group& g, error const& e) {
    bool const repeated = std::any_of(g.rows.begin(), g.rows.end(), [](auto const& r) { return r.doubtful; });
    bool const alike = !g.indexed() && std::all_of(g.rows.begin(), g.rows.end(),
                                                   [](auto const& r) { return may_be_repeated(r.write); });
    if (is_gone(g, e)) return end(g.rows.front(), row_state::stored, nullptr, true);
    std::vector<bulk_row> again;
    for (auto& r : g.rows) {
        // A group of repeatable writes alone was repeated as such, unless it had etags that were read; only an
        // erase tells more when it is alone.
        bool const tells = tells_again(r.write) || (may_be_repeated(r.write) && !alike);
        if (r.doubtful || !tells) {
            end(r, row_state::in_doubt, &e);
            continue;
        }
        r.doubtful = true;
        if (r.write.kind == write_kind::erase) r.most = 1;
        forget_read(r);
        again.push_back(std::move(r));
    }
    queue_.put_back(g.partition, std::move(again));
    if (repeated) give_up_doubtful(g.partition, e);
}

/// The store does not answer: asking it for each row that is in doubt would only take long.
void bulk_sender::give_up_doubtful(bulk_partition& p, error const& e) {
    auto const why = doubt(e);
    for (auto& r : queue_.take_doubtful(p)) end(r, row_state::in_doubt, &why);
}

void bulk_sender::fail(bulk_row& r, error const& e) {
    bool const gone = e.code() == service_errc::resource_not_found && r.write.kind == write_kind::erase;
    if (gone && (r.doubtful || r.write.if_match == any_etag)) return end(r, row_state::stored, nullptr, true);
    if (!r.doubtful) return end(r, row_state::failed, &e);
    auto const why = doubt_later(e);
    end(r, row_state::in_doubt, &why);
}

/// Counts what a row takes now.
void bulk_sender::count_memory(bulk_row& r) noexcept {
    memory_ -= std::exchange(r.memory, memory_of(r));
    memory_ += r.memory;
}

/// Forgets the entity that was read for a write of any version: it may be outdated. A write under an etag is
/// refused then.
void bulk_sender::forget_read(bulk_row& r) noexcept {
    if (!needs_read(r.write) || !is_of_any_version(r.write)) return;
    r.plan.reset();
    count_memory(r);
}

void bulk_sender::end(bulk_row& r, row_state s, error const* why, bool absent) {
    --rows_;
    memory_ -= r.memory;
    if (!why) return sink_.ended(r.tag, r.write, s, nullptr, absent);
    auto d = why->details();
    d.action = name_of(r.write);
    d.table = table_;
    d.failed_index.reset();
    d.failed_key.reset();
    error const of_row{why->code(), std::move(d)};
    sink_.ended(r.tag, r.write, s, &of_row, absent);
}

}  // namespace tablemap::detail
