// SPDX-License-Identifier: Apache-2.0
#include "tablemap/index_audit/row_rewrite.hpp"

#include "tablemap/detail/wire/reader.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::size_t most_at_once = 8;
constexpr int most_tries = 20;

}  // namespace

rewrite_operation::rewrite_operation(std::string_view table, std::unique_ptr<row_rewriter const> rewriter,
                                     rewrite_options options)
    : table_(table), rewriter_(std::move(rewriter)), options_(std::move(options)) {}

step rewrite_operation::start(environment const&) { return ask_page(); }

step rewrite_operation::resume(environment const& env, std::span<response> answers) {
    if (reads_page_) return after_page(env, answers.front());
    for (std::size_t i = 0; i < answers.size(); ++i) {
        auto& r = rows_[asked_[i]];
        if (r.to_read)
            after_read(r, answers[i]);
        else if (r.looks)
            after_look(r, answers[i]);
        else
            after_write(r, answers[i]);
    }
    if (fault_) return step::done();
    return ask_rows();
}

result<rewrite_report> rewrite_operation::take() {
    if (fault_) return failure{changed_something_ ? fault_->with(outcome::in_doubt) : *fault_};
    return std::move(report_);
}

step rewrite_operation::ask_page() {
    reads_page_ = true;
    requests_.assign(
        1, query_page{
               .table = table_, .where = rewriter_->condition(), .from = next_ ? &*next_ : nullptr, .current = true});
    return step::send(requests_.front());
}

step rewrite_operation::after_page(environment const& env, response& answer) {
    if (!answer.ok()) return fail_with(*answer.failure);
    auto page = read_dynamic_page(answer.body);
    if (!page) return fail_with(std::move(page).error());
    if (auto stuck = progress_.stuck_at(answer.next, page->empty(), env.options())) return fail_with(*std::move(stuck));
    next_ = std::move(answer.next);
    rows_.clear();
    for (auto& e : *page) {
        auto& r = rows_.emplace_back(row{e.partition_key, e.row_key});
        if (!rewrite(r, std::move(e))) finish(r);
        if (fault_) return step::done();
    }
    return ask_rows();
}

step rewrite_operation::ask_rows() {
    reads_page_ = false;
    asked_.clear();
    requests_.clear();
    groups_.clear();
    for (std::size_t i = 0; i < rows_.size() && asked_.size() < most_at_once; ++i) {
        auto& r = rows_[i];
        if (r.tries < 0) continue;
        asked_.push_back(i);
        ask(r);
    }
    if (!requests_.empty()) return step::send(requests_);
    if (options_.progress) options_.progress(report_);
    return next_ ? ask_page() : step::done();
}

void rewrite_operation::ask(row& r) {
    auto const look = std::find_if(r.edit.companions.begin(), r.edit.companions.end(), needs_look);
    r.looks = look != r.edit.companions.end();
    if (r.to_read)
        requests_.emplace_back(get_entity{table_, r.partition_key, r.row_key, {}, true});
    else if (r.looks)
        requests_.emplace_back(get_entity{table_, r.partition_key, look->row_key, {}, true});
    else
        requests_.push_back(write_request(r));
}

request rewrite_operation::write_request(row const& r) {
    auto& group = groups_.emplace_back(group_of(r.edit, r.partition_key, r.row_key, r.etag.text()));
    if (group.size() == 1) return write_entity{table_, group.front()};
    return transact{table_, group};
}

void rewrite_operation::after_write(row& r, response& answer) {
    changed_something_ = changed_something_ || answer.outcome() != outcome::not_applied;
    if (answer.outcome() == outcome::applied) {
        ++report_.rewritten;
        return r.refused ? refuse(r, *r.refused) : finish(r);
    }
    if (answer.outcome() == outcome::not_applied && repair_group(r.edit, *answer.failure)) return;
    auto const why = attribute_failure(r.edit, *answer.failure);
    auto const& code = why.code();
    bool const lost = answer.outcome() == outcome::in_doubt;
    if (lost || code == service_errc::update_condition_not_satisfied) {
        // Either way the row itself tells: it is as it should be, or it has to be rewritten again.
        r.to_read = true;
        if (++r.tries >= most_tries) refuse(r, why);
    } else if (code == service_errc::resource_not_found) {
        ++report_.done_by_others;
        finish(r);
    } else if (code == error_kind::too_large || code == error_kind::invalid_argument ||
               code == library_errc::unique_value_taken) {
        refuse(r, why);  // the row cannot be written like that, and the others may
    } else {
        fault_ = why;
    }
}

void rewrite_operation::after_look(row& r, response& answer) {
    if (!tells_presence(answer)) {
        fault_ = std::move(*answer.failure);
        return;
    }
    if (auto known = take_look(r.edit.companions, r.row_key, answer); !known) fault_ = std::move(known).error();
}

void rewrite_operation::after_read(row& r, response& answer) {
    if (!answer.ok()) {
        if (answer.failure->code() != service_errc::resource_not_found) {
            fault_ = std::move(*answer.failure);
            return;
        }
        ++report_.done_by_others;
        return finish(r);
    }
    auto e = read_dynamic(answer.body);
    if (!e) {
        fault_ = std::move(e).error();
        return;
    }
    if (e->etag.empty()) e->etag = std::move(answer.etag);
    if (rewrite(r, std::move(*e))) return;
    ++report_.done_by_others;
    finish(r);
}

/// False if the row is as it should be. What ends the whole is in `fault_` then.
bool rewrite_operation::rewrite(row& r, stored_entity e) {
    r.to_read = false;
    e.partition_key = r.partition_key;
    e.row_key = r.row_key;
    auto tag = e.etag;
    auto verdict = rewriter_->rewrite(std::move(e));
    if (!verdict) {
        fault_ = std::move(verdict).error();
        return true;
    }
    if (!verdict->edit) {
        if (verdict->refused) refuse(r, *verdict->refused);
        return verdict->refused.has_value();
    }
    r.edit = std::move(*verdict->edit);
    r.refused = std::move(verdict->refused);
    r.etag = std::move(tag);
    return true;
}

void rewrite_operation::refuse(row& r, error const& e) {
    report_.refused.push_back({r.partition_key, r.row_key, e});
    finish(r);
}

step rewrite_operation::fail_with(error const& e) {
    fault_ = e;
    return step::done();
}

}  // namespace tablemap::detail
