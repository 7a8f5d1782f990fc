// SPDX-License-Identifier: Apache-2.0
#include "index_audit/row_rewrite.hpp"

#include "store/ask.hpp"
#include "store/task_group.hpp"
#include "tablemap/detail/store/page_progress.hpp"
#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/detail/write/write_group.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::size_t most_at_once = 8;
constexpr modify_options tries_of_a_row{.attempts = 20};

/// One run of `rewrite_rows`.
class row_rewriting {
public:
    row_rewriting(std::string_view table, std::unique_ptr<row_rewriter const> rewriter, rewrite_options options)
        : table_(table), rewriter_(std::move(rewriter)), options_(std::move(options)) {}

    task<result<rewrite_report>> run() {
        auto const call = co_await this_call();
        env_ = &call.env;
        do {
            co_await read_page();
            co_await settle_rows();
            if (!fault_ && options_.progress) options_.progress(report_);
        } while (!fault_ && next_page_);
        if (fault_) co_return failure{changed_something_ ? fault_->with(outcome::in_doubt) : *fault_};
        co_return std::move(report_);
    }

private:
    /// A row that is to be rewritten.
    struct row {
        entity_key key;
        tablemap::etag etag{};
        std::optional<edited_entity> edit{};  ///< none: nothing is left to be written
        write_group group{};                  ///< that writes it
        std::optional<error> refused{};       ///< of a part, when the rest is written
    };

    /// Reads a page, and decides about all of its rows before any is written.
    task<> read_page() {
        request const what = query_page{.table = table_,
                                        .where = rewriter_->condition(),
                                        .from = next_page_ ? &*next_page_ : nullptr,
                                        .current = true};
        auto answer = co_await ask(what);
        fault_ = take_page(answer);
    }

    std::optional<error> take_page(response& answer) {
        if (!answer.ok()) return std::move(answer.failure);
        auto page = read_dynamic_page(answer.body);
        if (!page) return std::move(page).error();
        if (auto stuck = progress_.stuck_at(answer.next, page->empty(), env_->options())) return stuck;
        next_page_ = std::move(answer.next);
        rows_.clear();
        for (auto& e : *page) {
            row r{{e.partition_key, e.row_key}};
            if (auto decided = decide(r, std::move(e)); !decided) return std::move(decided).error();
            if (r.edit) rows_.push_back(std::move(r));
        }
        return std::nullopt;
    }

    task<> settle_rows() {
        next_row_ = 0;
        task_group some;
        for (std::size_t i = 0; i < std::min(most_at_once, rows_.size()); ++i) some.add(settle_some());
        co_await some.all();
    }

    task<> settle_some() {
        while (!fault_ && next_row_ < rows_.size()) {
            auto& r = rows_[next_row_++];
            co_await settle(r);
        }
    }

    /// Writes a row, and reads it again as long as it was changed meanwhile.
    task<> settle(row& r) {
        for (int tries = 1;; ++tries) {
            auto const began = env_->now();
            auto const answer = co_await write(r);
            if (!answer) co_return;
            auto const again = take_written(r, *answer);
            if (!again || fault_) co_return;
            if (tries >= tries_of_a_row.attempts) co_return refuse(r, *again);
            auto const until = next_try(tries_of_a_row, tries, env_->now() - began, *again, *env_);
            if (!until) co_return end_with(until.error());
            co_await pause_until(*until);
            if (fault_) co_return;
            co_await read_again(r);
            if (fault_ || !r.edit) co_return;
        }
    }

    /// Sends a row's new content, without the rows of indexes that turn out to be missing. Nothing if the whole ends.
    task<std::optional<response>> write(row& r) {
        co_await look(r);
        if (fault_) co_return std::nullopt;
        for (;;) {
            auto const what = r.group.to_send(table_);
            auto answer = co_await ask(what);
            if (answer.outcome() != outcome::not_applied || !r.group.repair(*answer.failure)) co_return answer;
        }
    }

    /// Reads the rows of indexes that might be other entities', and makes the group.
    task<> look(row& r) {
        auto& companions = r.edit->companions;
        while (!fault_) {
            auto const next = std::find_if(companions.begin(), companions.end(), needs_look);
            if (next == companions.end()) break;
            request const what = get_entity{table_, r.key.partition_key, next->row_key, {}, true};
            auto answer = co_await ask(what);
            if (!tells_presence(answer)) co_return end_with(*answer.failure);
            auto const known = take_look(companions, r.key.row_key, answer);
            if (!known) end_with(known.error());
        }
        r.group = {};
        auto const entity = operation_of(*r.edit, r.key, r.etag.text());
        if (auto const made = r.group.add(entity, std::move(companions)); !made) end_with(made.error());
    }

    /// The reason to read the row again, if there is one.
    std::optional<error> take_written(row& r, response const& answer) {
        changed_something_ = changed_something_ || answer.outcome() != outcome::not_applied;
        if (answer.outcome() == outcome::applied) {
            ++report_.rewritten;
            if (r.refused) refuse(r, *r.refused);
            return std::nullopt;
        }
        auto why = without_place(r.group.explain(*answer.failure));
        auto const& code = why.code();
        // Either way the row itself tells: it is as it should be, or it has to be rewritten again.
        if (answer.outcome() == outcome::in_doubt || code == service_errc::update_condition_not_satisfied) return why;
        if (code == service_errc::resource_not_found)
            ++report_.done_by_others;
        else if (code == error_kind::too_large || code == error_kind::invalid_argument ||
                 code == library_errc::unique_value_taken)
            refuse(r, why);  // the row cannot be written like that, and the others may
        else
            end_with(why);
        return std::nullopt;
    }

    task<> read_again(row& r) {
        request const what = get_entity{table_, r.key.partition_key, r.key.row_key, {}, true};
        auto answer = co_await ask(what);
        auto const left = take_row(r, answer);
        if (!left) co_return end_with(left.error());
        if (!*left) ++report_.done_by_others;
    }

    /// False if the row is as it should be, or gone.
    result<bool> take_row(row& r, response& answer) {
        r.edit.reset();
        if (!answer.ok() && answer.failure->code() == service_errc::resource_not_found) return false;
        if (!answer.ok()) return failure{*std::move(answer.failure)};
        auto e = read_dynamic(answer.body);
        if (!e) return failure{std::move(e).error()};
        if (e->etag.empty()) e->etag = std::move(answer.etag);
        return decide(r, std::move(*e));
    }

    /// False if the row is as it should be.
    result<bool> decide(row& r, stored_entity e) {
        e.partition_key = r.key.partition_key;
        e.row_key = r.key.row_key;
        r.etag = e.etag;
        auto verdict = rewriter_->rewrite(std::move(e));
        if (!verdict) return failure{std::move(verdict).error()};
        r.edit = std::move(verdict->edit);
        r.refused = std::move(verdict->refused);
        if (!r.edit && r.refused) refuse(r, *r.refused);
        return r.edit || r.refused;
    }

    void refuse(row const& r, error const& e) { report_.refused.push_back({r.key.partition_key, r.key.row_key, e}); }

    /// Ends the whole once no request is under way.
    void end_with(error const& e) {
        if (!fault_) fault_ = e;
    }

    std::string_view table_;
    std::unique_ptr<row_rewriter const> rewriter_;
    rewrite_options options_;
    environment const* env_ = nullptr;
    std::optional<continuation> next_page_{};
    page_progress progress_{};
    std::vector<row> rows_{};
    std::size_t next_row_ = 0;
    rewrite_report report_{};
    bool changed_something_ = false;  ///< or may have
    std::optional<error> fault_{};    ///< ends the whole
};

task<result<rewrite_report>> run_rewriting(result<std::unique_ptr<row_rewriting>> what) {
    if (!what) co_return failure{std::move(what).error()};
    auto report = co_await (*what)->run();
    co_return report;
}

}  // namespace

task<result<rewrite_report>> rewrite_rows(std::string_view table, result<std::unique_ptr<row_rewriter const>> rewriter,
                                          rewrite_options options) {
    if (!rewriter) return run_rewriting(failure{std::move(rewriter).error()});
    return run_rewriting(std::make_unique<row_rewriting>(table, *std::move(rewriter), std::move(options)));
}

}  // namespace tablemap::detail
