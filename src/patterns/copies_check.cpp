// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/patterns/copies_check.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::size_t most_at_once = 16;

template <class V> void append(std::vector<V>& to, std::vector<V>& from) {
    std::move(from.begin(), from.end(), std::back_inserter(to));
}

}  // namespace

step copies_check_operation::start(environment const& env) { return begin_type(env); }

step copies_check_operation::begin_type(environment const& env) {
    if (type_ == checkers_.size()) return step::done();
    auto rows = checkers_[type_]->rows();
    if (!rows) return fail_with(std::move(rows).error());
    query_ = std::move(*rows);
    from_.reset();
    progress_ = {};
    tries_ = 0;
    began_ = env.now();
    return ask_page();
}

step copies_check_operation::resume(environment const& env, std::span<response> answers) {
    switch (at_) {
    case state::waiting: began_ = env.now(); return ask_page();
    case state::paging: return after_page(env, answers.front());
    case state::reading: return after_sources(env, answers);
    case state::writing: break;
    }
    commit_->resume(env, answers);
    return after_group(env, commit_->take());
}

result<copies_report> copies_check_operation::take() {
    if (fault_) return failure{changed_something_ ? fault_->with(outcome::in_doubt) : *fault_};
    return std::move(report_);
}

step copies_check_operation::ask_page() {
    at_ = state::paging;
    requests_.assign(1, query_for_write(table_->name, partition_key_, query_, from_));
    return step::send(requests_.front());
}

step copies_check_operation::after_page(environment const& env, response& answer) {
    if (!answer.ok()) return fail_with(*answer.failure);
    next_ = std::move(answer.next);
    auto wanted = checkers_[type_]->take_page(answer);
    if (!wanted) return fail_with(std::move(wanted).error());
    sources_ = std::move(*wanted);
    source_etags_.assign(sources_.size(), {});
    asked_ = 0;
    return ask_sources(env);
}

step copies_check_operation::ask_sources(environment const& env) {
    if (asked_ == sources_.size()) return after_comparing(env);
    at_ = state::reading;
    requests_.clear();
    for (; asked_ < sources_.size() && requests_.size() < most_at_once; ++asked_)
        requests_.push_back(read_for_write(table_->name, partition_key_, sources_[asked_]));
    return step::send(requests_);
}

step copies_check_operation::after_sources(environment const& env, std::span<response> answers) {
    for (std::size_t k = 0; k < answers.size(); ++k) {
        auto const i = asked_ - answers.size() + k;
        source_etags_[i] = answers[k].etag;
        if (auto r = checkers_[type_]->take_source(i, sources_[i], answers[k]); !r) return fail_with(r.error());
    }
    return ask_sources(env);
}

step copies_check_operation::after_comparing(environment const& env) {
    auto found = checkers_[type_]->compare(env);
    if (!found) return fail_with(std::move(found).error());
    found_ = std::move(*found);
    written_ = 0;
    if (repairs_) return write_group(env);
    for (auto& s : found_.stale) report_.stale.push_back({partition_key_, std::move(s.version.row_key)});
    return go_on(env);
}

/// As many stale rows as fit into a group with a check of each of their sources.
step copies_check_operation::write_group(environment const& env) {
    if (written_ == found_.stale.size()) return go_on(env);
    group_ = std::make_shared<transaction_core>(table_, env.clock());
    auto const most = table_->store->capabilities().transaction_operations;
    group_rows_.clear();
    std::vector<std::size_t> checked;
    for (group_end_ = written_; group_end_ < found_.stale.size(); ++group_end_) {
        auto const& s = found_.stale[group_end_];
        auto const is_new = [&](std::size_t i) {
            return !source_etags_[i].empty() && std::find(checked.begin(), checked.end(), i) == checked.end();
        };
        auto const more = 1 + static_cast<std::size_t>(std::count_if(s.sources.begin(), s.sources.end(), is_new));
        bool const has_room =
            group_rows_.size() + checked.size() + more <= most && group_->has_room(s.edit.body.size());
        if (group_end_ > written_ && !has_room) break;
        std::copy_if(s.sources.begin(), s.sources.end(), std::back_inserter(checked), is_new);
        group_rows_.push_back(s.version.row_key);
        auto edit = s.edit;
        group_->add(write_of(std::move(edit), s.version, partition_key_), true, {});
    }
    // A source that is written itself, since it holds copies too, is checked by that.
    std::set<std::string> const written{group_rows_.begin(), group_rows_.end()};
    for (auto const i : checked) {
        if (written.contains(sources_[i])) continue;
        group_rows_.push_back(sources_[i]);
        group_->add(check_version(partition_key_, {sources_[i], source_etags_[i]}), true, {});
    }
    commit_.emplace(group_);
    at_ = state::writing;
    auto const next = commit_->start(env);
    return next.what() == step::kind::done ? after_group(env, commit_->take()) : next;
}

step copies_check_operation::after_group(environment const& env, result<std::vector<etag>> const& written) {
    if (written || written.error().outcome() == outcome::applied) {
        changed_something_ = true;
        for (; written_ < group_end_; ++written_)
            report_.stale.push_back({partition_key_, found_.stale[written_].version.row_key});
        return written && take_versions(*written) ? write_group(env) : ask_page();
    }
    auto const& met = written.error();
    changed_something_ = changed_something_ || met.outcome() == outcome::in_doubt;
    // After a lost response the rows themselves tell, like after a conflict.
    bool const again =
        met.outcome() == outcome::in_doubt || is_conflict(met) || met.code() == service_errc::resource_not_found;
    if (!again) return fail_with(met);
    auto const until = next_try({}, ++tries_, env.now() - began_, met, env, call_again_remedy);
    if (!until) return fail_with(until.error());
    at_ = state::waiting;
    return step::wait_until(*until);
}

/// The next groups of the page go on from the versions that this one made. False if they are not known.
bool copies_check_operation::take_versions(std::vector<etag> const& written) {
    for (std::size_t k = 0; k < group_rows_.size(); ++k) {
        if (written[k].empty()) return false;
        for (std::size_t i = 0; i < sources_.size(); ++i)
            if (sources_[i] == group_rows_[k]) source_etags_[i] = written[k];
        for (auto s = written_; s < found_.stale.size(); ++s)
            if (found_.stale[s].version.row_key == group_rows_[k]) found_.stale[s].version.etag = written[k];
    }
    return true;
}

step copies_check_operation::go_on(environment const& env) {
    bool const was_empty = found_.report.checked == 0 && found_.report.unreadable.empty();
    add_to_report(std::move(found_.report));
    tries_ = 0;
    began_ = env.now();
    if (auto stuck = progress_.stuck_at(next_, was_empty, env.options())) return fail_with(*std::move(stuck));
    from_ = std::move(next_);
    next_.reset();
    if (from_) return ask_page();
    ++type_;
    return begin_type(env);
}

void copies_check_operation::add_to_report(copies_report&& of_page) {
    report_.checked += of_page.checked;
    append(report_.without_source, of_page.without_source);
    append(report_.unreadable, of_page.unreadable);
}

step copies_check_operation::fail_with(error const& e) {
    fault_ = e;
    return step::done();
}

}  // namespace tablemap::detail
