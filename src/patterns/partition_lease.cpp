// SPDX-License-Identifier: Apache-2.0
#include "patterns/partition_lease.hpp"

#include "store/refusals.hpp"
#include "store/retry.hpp"
#include "tablemap/detail/write/write_group.hpp"
#include "write/indexed_commit.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::string_view fewer_commits_remedy = "call it again when fewer programs write to the outbox";

/// The head is not the one that was read, so nothing was applied. It is the first operation of a group.
bool is_about_head(error const& e) noexcept { return is_overtaken(e) && e.failed_index().value_or(0) == 0; }

/// Leaves out the row that was to be erased or replaced and is gone. False if the failure is another one.
bool leave_out_gone(std::vector<encoded_write>& rows, error const& e) {
    auto const at = e.failed_index().value_or(0);
    if (e.code() != service_errc::resource_not_found || at == 0 || at > rows.size()) return false;
    if (rows[at - 1].kind == write_kind::insert) return false;
    rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(at) - 1);
    return true;
}

bool begins_with_erase(std::vector<encoded_write> const& rows) noexcept {
    return !rows.empty() && rows.front().kind == write_kind::erase;
}

}  // namespace

bool partition_lease::is_anothers() const {
    if (!head_.is_leased() || is_held()) return false;
    tick_duration const margin{relay_.options.clock_margin};
    auto const rest = head_.until - relay_.options.now();
    // No relay writes a longer one: it would keep the partition from all.
    return rest >= -margin && rest <= tick_duration{longest_lease} + margin;
}

bool partition_lease::has_nothing(effect_state s) const {
    if (head_.etag.empty()) return true;
    if (s == effect_state::pending) return head_.pending == 0;
    return head_.parked == 0 && !head_.is_leased();
}

task<result<partition_lease::taking>> partition_lease::take(effect_state s) {
    for (int tries = 1;; ++tries) {
        auto const began = env_.now();
        if (auto const read = co_await read_again(); !read) co_return failure{read.error()};
        if (is_held()) co_return taking::taken;  // a lost response was to the write that took it
        if (has_nothing(s)) co_return taking::nothing_to_do;
        if (is_anothers()) co_return taking::leased_elsewhere;
        auto const next = changed({});
        auto const w = write_of(next, partition_key_);
        if (w.fault) co_return failure{*w.fault};
        request const taken = write_entity{table(), w.operation()};
        auto answer = co_await ask(taken);
        if (answer.ok()) {
            head_ = next;
            head_.etag = std::move(answer.etag);
            co_return taking::taken;
        }
        if (!is_about_head(*answer.failure) && answer.outcome() != outcome::in_doubt)
            co_return failure{*answer.failure};
        auto const until = next_try({}, tries, env_.now() - began, *answer.failure, env_, fewer_commits_remedy);
        if (!until) co_return failure{until.error()};
        co_await pause_until(*until);
    }
}

task<result<partition_lease::writing>> partition_lease::write(head_change change, std::vector<encoded_write> rows) {
    for (auto const& r : rows)
        if (r.fault) co_return failure{*r.fault};
    bool const gives_back = change.release || change.release_if_drained;
    bool lost = false;
    for (int tries = 1;; ++tries) {
        bool const was_given_back = lost && gives_back && !head_.is_leased();
        if (!is_held()) co_return was_given_back ? writing::written : writing::lost;
        auto const began = env_.now();
        auto const next = changed(change);
        auto const head = write_of(next, partition_key_);
        if (head.fault) co_return failure{*head.fault};
        auto answer = co_await send(head, rows);
        if (answer.ok()) {
            head_ = next;
            head_.etag = std::move(answer.etags.empty() ? answer.etag : answer.etags.front());
            co_return writing::written;
        }
        auto const& met = *answer.failure;
        bool const in_doubt = answer.outcome() == outcome::in_doubt;
        if (!in_doubt && !change.needs_all_rows && leave_out_gone(rows, met)) continue;
        if (!in_doubt && !is_about_head(met)) co_return failure{met};
        lost = lost || in_doubt;
        auto const until = next_try({}, tries, env_.now() - began, met, env_, fewer_commits_remedy);
        if (!until) co_return failure{lost ? doubt(met) : until.error()};
        co_await pause_until(*until);
        if (auto const read = co_await read_again(); !read) co_return failure{read.error()};
        if (lost && begins_with_erase(rows)) {
            auto const gone = co_await is_gone(rows.front().entity.row_key);
            if (!gone) co_return failure{gone.error()};
            if (*gone) co_return writing::written;
        }
    }
}

task<result<partition_lease::writing>> partition_lease::renew_if_needed() {
    auto const rest = head_.until - relay_.options.now();
    if (rest * 2 > tick_duration{relay_.options.lease}) co_return writing::written;
    head_change const nothing{};
    std::vector<encoded_write> const no_rows;
    auto written = co_await write(nothing, no_rows);
    co_return written;
}

/// The head after a change, with the lease.
outbox_head partition_lease::changed(head_change const& change) const {
    auto next = head_;
    next.pending = std::max<std::int64_t>(0, next.pending + change.pending);
    if (change.none_pending_below == next.next) next.pending = 0;
    next.parked = change.none_parked ? 0 : std::max<std::int64_t>(0, next.parked + change.parked);
    bool const released = change.release || (change.release_if_drained && next.pending == 0);
    next.owner = released ? guid{} : owner_;
    next.until = relay_.options.now() + tick_duration{relay_.options.lease};
    return next;
}

/// Entities among the rows may have rows in indexes.
task<response> partition_lease::send(encoded_write head, std::vector<encoded_write> const& rows) const {
    response answer;
    if (std::any_of(rows.begin(), rows.end(), [](encoded_write const& r) { return r.indexes != nullptr; })) {
        std::vector<transaction_item> items;
        items.push_back({.write = std::move(head), .has_keys = true, .to = {}});
        for (auto const& r : rows) items.push_back({.write = r, .has_keys = true, .to = {}});
        auto const& of = *relay_.place.table;
        answer = co_await commit_indexed(of.name, of.store->capabilities(), of.cipher.get(), items);
    } else {
        std::vector<write_operation> operations{head.operation()};
        for (auto const& r : rows) operations.push_back(r.operation());
        request const group = request_of(table(), operations);
        answer = co_await ask(group);
    }
    co_return answer;
}

task<result<void>> partition_lease::read_again() {
    request const reading = get_entity{table(), partition_key_, outbox_head_key, {}, true};
    auto found = co_await ask(reading);
    auto head = read_head(found);
    if (!head) co_return failure{head.error()};
    head_ = *std::move(head);
    co_return result<void>{};
}

task<result<bool>> partition_lease::is_gone(std::string row_key) {
    request const reading = get_entity{table(), partition_key_, row_key, {}, true};
    auto const found = co_await ask(reading);
    if (found.ok()) co_return false;
    if (found.failure->code() == service_errc::resource_not_found) co_return true;
    co_return failure{*found.failure};
}

}  // namespace tablemap::detail
