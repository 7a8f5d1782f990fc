// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/bulk/bulk_sender.hpp"

#include "tablemap/store/rate_limit.hpp"
#include "bulk/bulk_errors.hpp"
#include "bulk/bulk_group.hpp"

#include "store/concurrency_limit.hpp"
#include "store/flow_requests.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::uint8_t strikes_before_alone = 3;

/// True for an erase of one version, which tells by being sent once more whether it was carried out.
bool tells_again(encoded_write const& w) noexcept { return w.kind == write_kind::erase && !is_of_any_version(w); }

rate_limits limits_of(capabilities const& can) noexcept { return {can.partition_rate, can.account_rate}; }

}  // namespace

/// The purpose of the request in a slot.
struct slot_use {
    std::shared_ptr<bulk_group> group{};
    std::optional<std::size_t> read{};  ///< nothing: it is the group itself that is sent
    bool paid = true;                   ///< its next try was counted by the rate limiter
    std::uint64_t mark = 0;             ///< of its last try, for the window
};

struct bulk_sender::state {
    state(std::string_view t, capabilities const& c, property_cipher const* with, bulk_options const& o,
          retry_policy const& policy, bulk_sink& s)
        : table(t),
          can(c),
          cipher(with),
          most_rows(std::max<std::size_t>(o.buffered_rows, 1)),
          most_memory(std::max<std::size_t>(o.buffered_bytes, 1)),
          sink(s),
          limiter(o.rate ? o.rate : std::make_shared<rate_limiter>(limits_of(c))),
          limits{std::max<std::size_t>(c.transaction_operations, 1),
                 c.transaction_bytes - std::min(c.transaction_bytes, c.transaction_overhead)},
          queue(limits),
          requests(policy),
          window(o.parallel) {}

    bool full() const noexcept { return rows >= most_rows || memory >= most_memory; }
    bool busy() const noexcept { return requests.under_way() >= window.size(); }

    /// True while the last response was that the store cannot be reached, and it is tried again: it is unknown whether
    /// more can be sent.
    bool is_waiting_for_store() const noexcept { return out_of_reach && !requests.empty(); }

    // ---- sending ----------------------------------------------------------------------------------------------------

    flow_step next(environment const& env) {
        if (auto const why = env.why_stop()) {
            give_up(
                error{why, {.reason = "nothing more was sent", .action = "bulk write", .table = std::string{table}}});
            if (!std::exchange(hurried, true)) requests.hurry();
            if (auto const slot = requests.due(time_point::max())) return send(*slot);
            return requests.under_way() > 0 ? flow_step::wait() : flow_step::done();
        }
        if (ended_by) give_up(*ended_by);
        auto const now = env.now();
        wake(now);
        while (!busy()) {
            if (auto const slot = requests.due(now)) {
                if (may_send(*slot, now)) return send(*slot);
                continue;
            }
            auto* const p = account_free > now ? nullptr : queue.pick(draining || full());
            if (!p) return wait(env);
            begin(*p, now);
        }
        return flow_step::wait();
    }

    flow_step wait(environment const& env) const {
        auto until = requests.next_time();
        auto const at_most = [&](time_point t) { until = std::min(until.value_or(t), t); };
        if (!held_back.empty()) at_most(held_back.begin()->first);
        if (account_waits) at_most(account_free);
        if (!until) return requests.under_way() > 0 ? flow_step::wait() : flow_step::done();
        if (auto const& end = env.options().deadline) at_most(*end);
        return flow_step::wait(until);
    }

    flow_step send(std::size_t slot) {
        auto& l = slots[slot];
        l.paid = false;
        l.mark = window.begin();
        return requests.send(slot);
    }

    /// Counts a further try of a request, or puts it off.
    bool may_send(std::size_t slot, time_point now) {
        auto const& l = slots[slot];
        if (l.paid) return true;
        auto const& g = *l.group;
        auto const entities = l.read ? 1 : g.indexed() ? g.with_indexes.size() : g.rows.size();
        auto const v = limiter->try_take(g.partition->key, entities, now);
        if (v.not_before) requests.postpone(slot, *v.not_before);
        return !v.not_before;
    }

    /// Makes the next group of a partition, or puts that off.
    void begin(bulk_partition& p, time_point now) {
        auto const count = queue.next_group(p);
        if (auto const v = limiter->try_take(p.key, bulk_queue::requests_of(p, count), now); v.not_before) {
            account_waits = v.account;
            if (v.account) {
                account_free = *v.not_before;
            } else {
                queue.hold(p);
                held_back.emplace(*v.not_before, &p);
            }
            return;
        }
        account_waits = false;
        queue.hold(p);
        auto const g = std::make_shared<bulk_group>(p, queue.take(p, count));
        g->began = now;
        read_or_send(g, true);
    }

    /// Sends the reads that the group still needs, or the group itself. `paid`: the rate limiter has counted it.
    void read_or_send(std::shared_ptr<bulk_group> const& g, bool paid) {
        auto const reads = g->ask(table);
        for (std::size_t i = 0; i < reads.size(); ++i) begin(reads[i], {g, i, paid});
        if (reads.empty()) send_planned(g, paid);
    }

    void begin(request const& r, slot_use use) {
        auto const slot = requests.begin(r);
        if (slots.size() <= slot) slots.resize(slot + 1);
        slots[slot] = std::move(use);
    }

    /// Sends a group, of which everything is known that has to be.
    void send_planned(std::shared_ptr<bulk_group> const& g, bool paid) {
        if (g->indexed()) {
            take_responses(*g);
            auto rest = g->fill(limits);
            for (auto& r : g->rows) count_memory(r);
            for (auto& r : rest) count_memory(r);
            queue.put_back(*g->partition, std::move(rest));
            if (g->rows.empty()) return queue.release(*g->partition);
        }
        begin(g->to_send(table), {g, {}, paid});
    }

    void take_responses(bulk_group& g) {
        for (auto& r : g.take_responses(table, can, cipher)) fail(r.row, r.why);
    }

    /// Partitions that the rate limiter held back may try again.
    void wake(time_point now) {
        if (account_free <= now) account_waits = false;
        while (!held_back.empty() && held_back.begin()->first <= now) {
            auto& p = *held_back.begin()->second;
            held_back.erase(held_back.begin());
            queue.release(p);
        }
    }

    /// Ends every row that waits.
    void give_up(error const& why) {
        auto all = queue.take_all();
        if (all.empty()) return;
        while (!held_back.empty()) {
            auto& p = *held_back.begin()->second;
            held_back.erase(held_back.begin());
            queue.release(p);
        }
        if (!ended_by) ended_by = why;
        for (auto& r : all) end_unsent(r, why);
    }

    void end_unsent(bulk_row& r, error const& why) {
        if (!r.doubtful) return end(r, row_state::not_sent, &why);
        auto const unknown = doubt(why);
        end(r, row_state::in_doubt, &unknown);
    }

    // ---- answers ----------------------------------------------------------------------------------------------------

    void answered(environment const& env, std::size_t slot, response&& answer) {
        note(slots[slot], answer);
        out_of_reach = !answer.ok() && is_out_of_reach(*answer.failure);
        auto final_response = requests.answered(env, slot, std::move(answer));
        if (!final_response) return;
        auto const use = std::exchange(slots[slot], {});
        auto const& g = use.group;
        if (use.read) return take_read(g, *use.read, *std::move(final_response));
        // The etags are not used, so it does not matter if they are missing.
        if (final_response->outcome() == outcome::applied)
            for (auto& r : g->rows) end(r, row_state::stored, nullptr);
        else if (g->indexed())
            return settle_indexed(env, g, *final_response->failure);
        else
            settle(*g, *final_response->failure);
        queue.release(*g->partition);
    }

    void take_read(std::shared_ptr<bulk_group> const& g, std::size_t read, response&& answer) {
        if (!g->answered(read, std::move(answer))) return;
        auto const why = g->why_unread();
        if (!why) {
            take_responses(*g);
            return read_or_send(g, false);
        }
        settle(*g, *why);
        queue.release(*g->partition);
    }

    void settle_indexed(environment const& env, std::shared_ptr<bulk_group> const& g, error const& e) {
        if (g->with_indexes.repair(e)) return begin(g->to_send(table), {g, {}, false});
        auto const changed = g->with_indexes.changed_row(e);
        auto const at = changed ? std::optional{changed->member} : g->with_indexes.outdated_member(e);
        auto why = g->with_indexes.explain(e);
        if (at) {
            auto& r = g->rows[*at];
            auto const until = next_try({}, ++r.conflicts, env.now() - g->began, why, env, call_again_remedy);
            if (until) {
                r.most = 1;
                if (changed)
                    g->forget_look(*changed);
                else
                    forget_entities(*g, r);
                queue.put_back(*g->partition, std::move(g->rows));
                held_back.emplace(*until, g->partition);
                return;
            }
            why = until.error();
        }
        settle(*g, why);
        queue.release(*g->partition);
    }

    /// Forgets a row's entity that is outdated, and those of the others that were read for an earlier group, which may
    /// be as old.
    void forget_entities(bulk_group& g, bulk_row& outdated) {
        if (outdated.planned_before) std::for_each(g.rows.begin(), g.rows.end(), [&](auto& o) { forget_read(o); });
        forget_read(outdated);
    }

    /// Notes from a response how much the store takes.
    void note(slot_use const& l, response const& answer) noexcept {
        if (!answer.ok() && is_busy(*answer.failure)) {
            ++throttled;
            window.on_throttled(l.mark);
        } else if (answer.ok() || (!answer.failure->retryable() && answer.failure->outcome() != outcome::in_doubt)) {
            window.succeeded();
        }
    }

    void settle(bulk_group& g, error const& e) {
        if (e.outcome() == outcome::in_doubt) return settle_doubt(g, e);
        if (ends_the_call(e) || is_hopeless(e)) {
            if (!ended_by) ended_by = e;
            for (auto& r : g.rows) end_unsent(r, e);
            return;
        }
        if (g.rows.size() > 1 && !e.retryable()) return take_apart(g, e);
        for (auto& r : g.rows) fail(r, e);
        if (e.retryable()) give_up_doubtful(*g.partition, e);
    }

    /// One row is to blame, and keeps the others from being stored.
    void take_apart(bulk_group& g, error const& e) {
        if (auto const at = e.failed_index(); at && *at < g.rows.size()) {
            fail(g.rows[*at], e);
            g.rows.erase(g.rows.begin() + static_cast<std::ptrdiff_t>(*at));
            for (auto& r : g.rows)
                if (++r.strikes >= strikes_before_alone) r.most = 1;
        } else {
            for (auto& r : g.rows) r.most = (g.rows.size() + 1) / 2;
        }
        queue.put_back(*g.partition, std::move(g.rows));
    }

    /// True for an erase of any version, alone, whose row is not there after a lost response.
    static bool is_gone(bulk_group const& g, error const& e) noexcept {
        return g.rows.size() == 1 && g.rows.front().write.kind == write_kind::erase &&
               e.code() == service_errc::resource_not_found;
    }

    /// The response was lost every time. What can tell by being sent once more is; the rest stays in doubt.
    void settle_doubt(bulk_group& g, error const& e) {
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
        queue.put_back(*g.partition, std::move(again));
        if (repeated) give_up_doubtful(*g.partition, e);
    }

    /// The store does not answer: asking it for each row that is in doubt would only take long.
    void give_up_doubtful(bulk_partition& p, error const& e) {
        auto const why = doubt(e);
        for (auto& r : queue.take_doubtful(p)) end(r, row_state::in_doubt, &why);
    }

    void fail(bulk_row& r, error const& e) {
        bool const gone = e.code() == service_errc::resource_not_found && r.write.kind == write_kind::erase;
        if (gone && (r.doubtful || r.write.if_match == any_etag)) return end(r, row_state::stored, nullptr, true);
        if (!r.doubtful) return end(r, row_state::failed, &e);
        auto const why = doubt_later(e);
        end(r, row_state::in_doubt, &why);
    }

    /// Counts what a row takes now.
    void count_memory(bulk_row& r) noexcept {
        memory -= std::exchange(r.memory, memory_of(r));
        memory += r.memory;
    }

    /// Forgets the entity that was read for a write of any version: it may be outdated. A write under an etag is
    /// refused then.
    void forget_read(bulk_row& r) noexcept {
        if (!needs_read(r.write) || !is_of_any_version(r.write)) return;
        r.plan.reset();
        count_memory(r);
    }

    void end(bulk_row& r, row_state s, error const* why, bool absent = false) {
        --rows;
        memory -= r.memory;
        if (!why) return sink.ended(r.tag, r.write, s, nullptr, absent);
        auto d = why->details();
        d.action = name_of(r.write);
        d.table = table;
        d.failed_index.reset();
        d.failed_key.reset();
        error const of_row{why->code(), std::move(d)};
        sink.ended(r.tag, r.write, s, &of_row, absent);
    }

    std::string_view table;
    capabilities const can;
    property_cipher const* cipher;
    std::size_t const most_rows, most_memory;
    bulk_sink& sink;
    std::shared_ptr<rate_limiter> limiter;
    bulk_group_limits const limits;
    bulk_queue queue;
    flow_requests requests;
    concurrency_limit window;
    std::vector<slot_use> slots{};
    std::multimap<time_point, bulk_partition*> held_back{};
    time_point account_free = time_point::min();
    bool account_waits = false;
    bool draining = false;
    bool hurried = false;
    bool out_of_reach = false;
    std::optional<error> ended_by{};
    std::size_t rows = 0, memory = 0;  ///< that have not ended
    std::size_t throttled = 0;
};

bulk_sender::bulk_sender(std::string_view table, capabilities const& can, property_cipher const* cipher,
                         bulk_options const& options, retry_policy const& policy, bulk_sink& sink)
    : state_(std::make_unique<state>(table, can, cipher, options, policy, sink)) {}
bulk_sender::~bulk_sender() = default;

void bulk_sender::add(std::size_t tag, encoded_write w, bool doubtful, std::string* stored) {
    auto& s = *state_;
    bulk_row row{.tag = tag, .write = std::move(w), .most = s.limits.rows, .doubtful = doubtful};
    auto const measured = measure(row, stored, s.table, s.can, s.cipher);
    ++s.rows;
    s.count_memory(row);
    if (measured)
        s.queue.add(std::move(row));
    else
        s.fail(row, measured.error());
}

bool bulk_sender::full() const noexcept { return state_->full(); }
bool bulk_sender::busy() const noexcept { return state_->busy() || state_->is_waiting_for_store(); }
void bulk_sender::drain(bool now) noexcept { state_->draining = now; }
flow_step bulk_sender::next(environment const& env) { return state_->next(env); }
void bulk_sender::answered(environment const& env, std::size_t slot, response&& answer) {
    state_->answered(env, slot, std::move(answer));
}
std::optional<error> const& bulk_sender::ended_by() const noexcept { return state_->ended_by; }

void bulk_sender::report(bulk_progress& to) const noexcept {
    auto const& s = *state_;
    to.requests = s.requests.sent();
    to.retries = s.requests.retries();
    to.throttled = s.throttled;
    to.under_way = s.requests.under_way();
    to.concurrency = s.window.size();
}

}  // namespace tablemap::detail
