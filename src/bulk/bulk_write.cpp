// SPDX-License-Identifier: Apache-2.0
#include "bulk/bulk_write.hpp"

#include "store/ask.hpp"
#include "store/task_group.hpp"
#include "tablemap/detail/write/modify_row.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {

namespace {
constexpr std::size_t rows_between_looks = 64;  // the source may be slow: responses and retries must not wait for it
}

bulk_write::bulk_write(table_state const& table, bulk_options const& options, environment const& env)
    : table_(table), options_(options), env_(env), sender_(table, options, env, *this) {}

bool bulk_write::is_next_stored() const noexcept {
    return options_.resume && options_.resume->state(report_.ledger.rows()) == row_state::stored;
}

std::size_t bulk_write::pass_over() {
    auto const position = report_.ledger.add_row();
    report_.ledger.set(position, row_state::stored);
    ++passed_;
    return position;
}

std::size_t bulk_write::add(encoded_write w) {
    auto const position = report_.ledger.add_row();
    bool const doubtful = options_.resume && options_.resume->state(position) == row_state::in_doubt;
    if (w.fault) {
        auto const why = (doubtful ? doubt_later(*w.fault) : *w.fault).in(name_of(w), table_.name);
        ended(position, w, doubtful ? row_state::in_doubt : row_state::failed, &why, false);
    } else if (w.needless) {
        ended(position, w, row_state::stored, nullptr, false);
    } else if (doubtful && w.key_is_new) {
        leave_in_doubt(position, w);
    } else {
        sender_.add(position, std::move(w), doubtful);
        return position;
    }
    sender_.go_on();
    return position;
}

task<> bulk_write::add_all(bulk_source& rows) {
    std::size_t added = 0;
    for (bool more = true; more;) {
        if (++added % rows_between_looks == 0) {
            auto const now = env_.now();
            co_await pause_until(now);
        }
        while (!sender_.is_idle() || sender_.full() || sender_.busy()) co_await sender_.became_idle().wait();
        auto const why = sender_.ended_by() ? make_error_code(library_errc::cancelled) : env_.why_stop();
        if (why) cut_short(why);
        more = !why && add_next(rows);
    }
    expect_rows(false);
}

/// False at the end of the source.
bool bulk_write::add_next(bulk_source& rows) {
    if (is_next_stored()) {
        bool const there = rows.next(nullptr, env_.clock());
        if (there) pass_over();
        return there;
    }
    encoded_write w;
    bool const there = rows.next(&w, env_.clock());
    if (there) add(std::move(w));
    return there;
}

/// There is more in the source, but it is not read for this reason.
void bulk_write::cut_short(std::error_code why) {
    report_.ended_by =
        error{why, {.reason = "the source was not read to its end", .action = "bulk write", .table = table_.name}};
}

task<> bulk_write::send_always() {
    for (;;) {
        co_await sender_.run();
        co_await more_.wait();
    }
}

void bulk_write::expect_rows(bool more) noexcept {
    if (std::exchange(expects_rows_, more) == more) return;
    sender_.go_on();
    more_.notify_all();
}

void bulk_write::ended(std::size_t position, encoded_write& w, row_state s, error const* why, bool absent) noexcept {
    report_.ledger.set(position, s);
    if (absent) ++absent_;
    ++rows_ended_;
    news_.add();
    if (s != row_state::failed && s != row_state::in_doubt) return;
    if (!progress_reporter::wanted(options_, report_.problems)) return;
    news_.add({position, s, {std::move(w.entity.partition_key), std::move(w.entity.row_key)}, *why}, options_,
              report_.problems);
}

void bulk_write::tell() {
    news_.notify(options_, sender_.responses(), [this] { return progress(); });
    if (!options_.on_ledger || rows_ended_ < std::max<std::size_t>(options_.ledger_every, 1)) return;
    rows_ended_ = 0;
    options_.on_ledger(ledger());
}

/// The ledger is open: rows that have not ended, or were not even added, may have been sent by the time it is read.
bulk_ledger bulk_write::ledger() const {
    auto so_far = report_.ledger;
    keep_rest_of_resumed(so_far);
    so_far.leave_open();
    return so_far;
}

bulk_progress bulk_write::progress() const noexcept {
    auto const& l = report_.ledger;
    bulk_progress p{.rows = l.rows(),
                    .stored = l.count(row_state::stored),
                    .failed = l.count(row_state::failed),
                    .in_doubt = l.count(row_state::in_doubt),
                    .stored_before = passed_,
                    .absent = absent_};
    sender_.report(p);
    return p;
}

/// Leaves a row in doubt that may be stored under a key that is lost: sent again it might be stored twice.
void bulk_write::leave_in_doubt(std::size_t position, encoded_write& w) {
    error const why{library_errc::response_lost,
                    {.reason = "the write that is resumed left it in doubt, and its key was generated; look for the "
                               "row by its other members before you write it again",
                     .action = std::string{name_of(w)},
                     .table = table_.name,
                     .outcome = outcome::in_doubt}};
    w.entity.partition_key.clear();
    w.entity.row_key.clear();
    ended(position, w, row_state::in_doubt, &why, false);
}

/// Takes the state of rows that were not even read from the earlier write.
void bulk_write::keep_rest_of_resumed(bulk_ledger& to) const {
    if (!options_.resume) return;
    for (auto i = to.rows(); i < options_.resume->rows(); ++i) to.set(to.add_row(), options_.resume->state(i));
    if (options_.resume->is_open()) to.leave_open();
}

bulk_report bulk_write::report() const {
    auto r = report_;
    r.totals = progress();
    if (auto const& why = sender_.ended_by()) r.ended_by = why->in("bulk write", table_.name);
    if (!r.ended_by && options_.resume && r.ledger.rows() < options_.resume->rows())
        r.ended_by = error{library_errc::invalid_ledger,
                           {.reason = "it has more rows than the source gave: it is that of another source",
                            .action = "bulk write",
                            .table = table_.name}};
    if (r.ended_by) keep_rest_of_resumed(r.ledger);
    return r;
}

task<result<bulk_report>> write_rows(table_state const& table, std::unique_ptr<bulk_source> rows,
                                     std::unique_ptr<bulk_options const> options) {
    auto const call = co_await this_call();
    bulk_write write{table, *options, call.env};
    task_group tasks;
    tasks.add(write.add_all(*rows));
    tasks.add(write.send());
    co_await tasks.all();
    co_return write.report();
}

}  // namespace tablemap::detail
