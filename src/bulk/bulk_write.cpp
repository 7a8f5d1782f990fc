// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/bulk/bulk_write.hpp"

#include "bulk/progress_reporter.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {

struct bulk_write::state final : bulk_sink {
    state(std::shared_ptr<table_state const> t, bulk_options o, std::optional<retry_policy> const& retry)
        : table(std::move(t)),
          options(std::move(o)),
          sender(table->name, table->store->capabilities(), table->cipher.get(), options,
                 retry.value_or(table->store->context().default_retry), *this) {}

    void ended(std::size_t position, encoded_write& w, row_state s, error const* why, bool absent) noexcept override {
        report.ledger.set(position, s);
        if (absent) ++absent_rows;
        ++rows_ended;
        news.add();
        if (s != row_state::failed && s != row_state::in_doubt) return;
        if (!progress_reporter::wanted(options, report.problems)) return;
        news.add({position, s, {std::move(w.entity.partition_key), std::move(w.entity.row_key)}, *why}, options,
                 report.problems);
    }

    void notify() {
        news.notify(options, [this] { return progress(); });
        if (!options.on_ledger || rows_ended < std::max<std::size_t>(options.ledger_every, 1)) return;
        rows_ended = 0;
        options.on_ledger(ledger());
    }

    /// The ledger is open: rows that have not ended, or were not even added, may have been sent by the time it is read.
    bulk_ledger ledger() const {
        auto so_far = report.ledger;
        keep_rest_of_resumed(so_far);
        so_far.leave_open();
        return so_far;
    }

    bulk_progress progress() const noexcept {
        auto const& l = report.ledger;
        bulk_progress p{.rows = l.rows(),
                        .stored = l.count(row_state::stored),
                        .failed = l.count(row_state::failed),
                        .in_doubt = l.count(row_state::in_doubt),
                        .stored_before = passed,
                        .absent = absent_rows};
        sender.report(p);
        return p;
    }

    /// Leaves a row in doubt that may be stored under a key that is lost: sent again it might be stored twice.
    void leave_in_doubt(std::size_t position, encoded_write& w) {
        error const why{library_errc::response_lost,
                        {.reason =
                             "the write that is resumed left it in doubt, and its key was generated; look for the "
                             "row by its other members before you write it again",
                         .action = std::string{name_of(w)},
                         .table = table->name,
                         .outcome = outcome::in_doubt}};
        w.entity.partition_key.clear();
        w.entity.row_key.clear();
        ended(position, w, row_state::in_doubt, &why, false);
    }

    /// Takes the state of rows that were not even read from the earlier write.
    void keep_rest_of_resumed(bulk_ledger& to) const {
        if (!options.resume) return;
        for (auto i = to.rows(); i < options.resume->rows(); ++i) to.set(to.add_row(), options.resume->state(i));
        if (options.resume->is_open()) to.leave_open();
    }

    std::shared_ptr<table_state const> table;
    bulk_options options;
    bulk_sender sender;
    bulk_report report{};
    std::size_t passed = 0, absent_rows = 0;
    std::size_t rows_ended = 0;  ///< since the ledger was handed out
    progress_reporter news{};
};

bulk_write::bulk_write(std::shared_ptr<table_state const> table, bulk_options options,
                       std::optional<retry_policy> const& retry)
    : state_(std::make_unique<state>(std::move(table), std::move(options), retry)) {}
bulk_write::~bulk_write() = default;
bulk_write::bulk_write(bulk_write&&) noexcept = default;

bool bulk_write::is_next_stored() const noexcept {
    auto const& before = state_->options.resume;
    return before && before->state(rows()) == row_state::stored;
}

std::size_t bulk_write::pass_over() {
    auto& ledger = state_->report.ledger;
    auto const position = ledger.add_row();
    ledger.set(position, row_state::stored);
    ++state_->passed;
    return position;
}

std::size_t bulk_write::add(encoded_write w) {
    auto& s = *state_;
    auto const position = s.report.ledger.add_row();
    bool const doubtful = s.options.resume && s.options.resume->state(position) == row_state::in_doubt;
    if (w.fault) {
        auto const why = w.fault->in(name_of(w), s.table->name);
        s.ended(position, w, row_state::failed, &why, false);
    } else if (w.needless) {
        s.ended(position, w, row_state::stored, nullptr, false);
    } else if (doubtful && w.key_is_new) {
        s.leave_in_doubt(position, w);
    } else {
        s.sender.add(position, std::move(w), doubtful);
    }
    return position;
}

bool bulk_write::full() const noexcept { return state_->sender.full(); }
bool bulk_write::busy() const noexcept { return state_->sender.busy(); }
bool bulk_write::ended() const noexcept { return state_->sender.ended_by().has_value(); }
void bulk_write::drain(bool now) noexcept { state_->sender.drain(now); }

void bulk_write::cut_short(std::error_code why) {
    if (!state_->report.ended_by)
        state_->report.ended_by = error{
            why,
            {.reason = "the source was not read to its end", .action = "bulk write", .table = state_->table->name}};
}

std::size_t bulk_write::rows() const noexcept { return state_->report.ledger.rows(); }
bulk_progress bulk_write::progress() const noexcept { return state_->progress(); }
bulk_ledger bulk_write::ledger() const { return state_->ledger(); }
table_state const& bulk_write::table() const noexcept { return *state_->table; }

flow_step bulk_write::next(environment const& env) {
    state_->notify();
    auto const s = state_->sender.next(env);
    // Rows end here too, when nothing more may be sent.
    if (s.what() == flow_step::kind::done) state_->notify();
    return s;
}

void bulk_write::answered(environment const& env, std::size_t slot, response&& answer) {
    state_->sender.answered(env, slot, std::move(answer));
    state_->news.add();
}

result<bulk_report> bulk_write::take() {
    auto& s = *state_;
    auto r = s.report;
    r.totals = s.progress();
    if (auto const& why = s.sender.ended_by(); why) r.ended_by = why->in("bulk write", s.table->name);
    if (!r.ended_by && s.options.resume && r.ledger.rows() < s.options.resume->rows())
        r.ended_by = error{library_errc::invalid_ledger,
                           {.reason = "it has more rows than the source gave: it is that of another source",
                            .action = "bulk write",
                            .table = s.table->name}};
    if (r.ended_by) s.keep_rest_of_resumed(r.ledger);
    return r;
}

}  // namespace tablemap::detail
