// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/patterns/copies_steps.hpp"

#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/detail/wire/writer.hpp"
#include "tablemap/detail/write/value_editor.hpp"
#include "tablemap/mapping/dynamic.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

/// Advice on writing in several groups.
constexpr std::string_view remedy_of(copies_writes const& what) {
    return what.unlinks ? "; let modify link those rows elsewhere or nowhere, each by itself, and then call "
                          "erase_unless_copied()"
                        : "; write it through a tablemap::table and then call refresh_copies(), which works in several "
                          "groups and not at once";
}

std::optional<error> find_excess(capabilities const& can, copies_writes const& what) {
    auto const count = what.others.size() + what.unchanged.size() + (what.own ? 1 : 0);
    if (count > can.transaction_operations)
        return error{service_errc::invalid_input,
                     {.reason = std::to_string(count) + " rows would have to be written together, " +
                                std::to_string(what.others.size()) +
                                " of them for the copies in them, and a group transaction has at most " +
                                std::to_string(can.transaction_operations) + std::string{remedy_of(what)}}};
    std::size_t bytes = what.own ? what.own->entity.body.size() : 0;
    for (auto const& w : what.others) bytes += w.entity.body.size();
    if (bytes <= can.transaction_bytes) return std::nullopt;
    return error{service_errc::request_body_too_large,
                 {.reason = "the rows that hold copies of this one have " + std::to_string(bytes) +
                            " bytes to be written together, and the store takes at most " +
                            std::to_string(can.transaction_bytes) + std::string{remedy_of(what)}}};
}

error explained(error const& e, std::string_view where) {
    auto details = e.details();
    details.reason.insert(0, where);
    return error{e.code(), std::move(details)};
}

}  // namespace

step copies_operation::start(copies_editor& edit, environment const& env) {
    began_ = env.now();
    if (how_ == own_row::given) return begin(edit, env, nullptr);
    at_ = state::reading;
    requests_.assign(1, read_for_write(table_->name, own_.partition_key, own_.row_key));
    return step::send(requests_.front());
}

step copies_operation::resume(copies_editor& edit, environment const& env, std::span<response> answers) {
    switch (at_) {
    case state::waiting: return start(edit, env);
    case state::reading:
        if (!answers.front().ok()) return fail_with(*answers.front().failure);
        return begin(edit, env, &answers.front());
    case state::gathering: return after_reads(edit, env, answers);
    case state::committing: break;
    }
    if (commit_) {
        commit_->resume(env, answers);
        return after_write(env, commit_->take());
    }
    auto& answer = answers.front();
    if (answer.failure) return after_write(env, failure{std::move(*answer.failure)});
    return after_write(env, std::vector<etag>{std::move(answer.etag)});
}

step copies_operation::begin(copies_editor& edit, environment const& env, response* own) {
    auto wanted = edit.begin(own, env);
    if (!wanted) return fail_with(std::move(wanted).error());
    reads_ = std::move(*wanted);
    next_.assign(reads_.holders.size(), std::nullopt);
    progress_.assign(reads_.holders.size(), {});
    asked_.clear();
    for (std::size_t i = 0; i < reads_.sources.size() + reads_.holders.size(); ++i) asked_.push_back(i);
    return ask(edit, env);
}

step copies_operation::ask(copies_editor& edit, environment const& env) {
    if (asked_.empty()) return write(edit, env);
    at_ = state::gathering;
    requests_.clear();
    for (auto const i : asked_) {
        if (i < reads_.sources.size()) {
            requests_.push_back(read_for_write(table_->name, own_.partition_key, reads_.sources[i]));
        } else {
            auto const at = i - reads_.sources.size();
            requests_.emplace_back(query_for_write(table_->name, own_.partition_key, reads_.holders[at], next_[at]));
        }
    }
    return step::send(requests_);
}

step copies_operation::after_reads(copies_editor& edit, environment const& env, std::span<response> answers) {
    std::vector<std::size_t> more;
    for (std::size_t k = 0; k < answers.size(); ++k) {
        auto& answer = answers[k];
        auto const i = asked_[k];
        if (i < reads_.sources.size()) {
            if (auto r = edit.take_source(i, answer); !r) return fail_with(std::move(r).error());
            continue;
        }
        if (!answer.ok()) return fail_with(*answer.failure);
        auto const at = i - reads_.sources.size();
        auto const rows = edit.take_holders(at, answer, env);
        if (!rows) return fail_with(rows.error());
        if (auto stuck = progress_[at].stuck_at(answer.next, *rows == 0, env.options()))
            return fail_with(*std::move(stuck));
        next_[at] = std::move(answer.next);
        if (next_[at]) more.push_back(i);
    }
    asked_ = std::move(more);
    return ask(edit, env);
}

step copies_operation::write(copies_editor& edit, environment const& env) {
    auto what = edit.compose(env);
    if (!what) return may_be_repeated(what.error()) ? retry(env, what.error()) : fail_with(std::move(what).error());
    if (!what->own && what->others.empty()) return step::done();
    if (what->own && what->own->fault) return fail_with(*what->own->fault);
    if (auto const excess = find_excess(table_->store->capabilities(), *what)) return fail_with(*excess);
    return send(std::move(*what), env);
}

step copies_operation::send(copies_writes&& what, environment const& env) {
    at_ = state::committing;
    commit_.reset();
    writes_own_ = what.own.has_value();
    if (what.own && what.others.empty() && what.unchanged.empty()) {
        single_ = std::move(what.own);
        requests_.assign(1, write_entity{table_->name, single_->operation()});
        return step::send(requests_.front());
    }
    group_ = std::make_shared<transaction_core>(table_, env.clock());
    if (what.own) group_->add(std::move(*what.own), true, {});
    for (auto& w : what.others) group_->add(std::move(w), true, {});
    for (auto const& v : what.unchanged) group_->add(check_version(own_.partition_key, v), true, {});
    commit_.emplace(group_);
    auto const next = commit_->start(env);
    return next.what() == step::kind::done ? after_write(env, commit_->take()) : next;
}

step copies_operation::after_write(environment const& env, result<std::vector<etag>> etags) {
    if (!etags) {
        if (may_be_repeated(etags.error())) return retry(env, etags.error());
        return fail_with(std::move(etags).error());
    }
    written_ = true;
    if (writes_own_ && !etags->empty()) stored_ = std::move(etags->front());
    return step::done();
}

step copies_operation::retry(environment const& env, error const& met) {
    auto const until = next_try(options_, ++tries_, env.now() - began_, met, env,
                                how_ == own_row::read ? more_tries_remedy : call_again_remedy);
    if (!until) return fail_with(until.error());
    at_ = state::waiting;
    return step::wait_until(*until);
}

/// A row that is gone has another version too.
bool copies_operation::may_be_repeated(error const& e) const noexcept {
    bool const faster =
        e.outcome() == outcome::not_applied &&
        (e.code() == service_errc::update_condition_not_satisfied || e.code() == service_errc::resource_not_found);
    return faster && (how_ == own_row::read || e.failed_index().value_or(0) > 0);
}

step copies_operation::fail_with(error const& e) {
    fault_ = e;
    return step::done();
}

request read_for_write(std::string_view table, std::string_view partition_key, std::string_view row_key) {
    return get_entity{table, partition_key, row_key, {}, true};
}

query_page query_for_write(std::string_view table, std::string_view partition_key, copies_query const& what,
                           std::optional<continuation> const& next) {
    return {.table = table,
            .partition = key_bounds::exactly(partition_key),
            .row = what.keys.row_bounds(),
            .where = what.where ? &*what.where : nullptr,
            .from = next ? &*next : nullptr,
            .current = true};
}

encoded_write check_version(std::string_view partition_key, row_version const& version) {
    encoded_write w{.kind = write_kind::merge, .if_match = version.etag.text()};
    w.entity.partition_key = partition_key;
    w.entity.row_key = version.row_key;
    begin_entity(w.entity.body, w.entity.partition_key, w.entity.row_key);
    w.fault = fault_of(finish_entity(w.entity, 0));
    return w;
}

error changed_meanwhile() {
    return error{service_errc::update_condition_not_satisfied,
                 {.reason = "a row was changed between two reads of it", .failed_index = 1}};
}

result<std::string> rows_in_page::body(std::string const& row_key) {
    if (!rows_) {
        auto read = read_dynamic_page(page_);
        if (!read) return failure{std::move(read).error()};
        rows_.emplace();
        for (auto& row : *read) {
            auto key = row.row_key;
            rows_->emplace(std::move(key), std::move(row));
        }
    }
    auto const found = rows_->find(row_key);
    if (found == rows_->end()) return failure{changed_meanwhile()};
    return body_of(found->second);
}

result<std::optional<edited_entity>> compose_in_page(rows_in_page& page, bool outdated,
                                                     std::span<row_type const* const> types,
                                                     encoded_state const& before, encoded_state const& after,
                                                     property_cipher const* cipher) {
    auto const difference = compare(before, after);
    if (!difference.changed && difference.removed.empty()) return std::nullopt;
    std::string row;
    if (outdated || !difference.removed.empty()) {
        // The whole row is written, with what the type does not know of it.
        auto whole = page.body(before.entity.row_key);
        if (!whole) return failure{std::move(whole).error()};
        row = std::move(*whole);
    }
    edited_entity edit;
    auto const changed = compose_edit(row, outdated, types, before, after, cipher, edit);
    if (!changed) return failure{changed.error()};
    return *changed ? std::optional{std::move(edit)} : std::nullopt;
}

error of_source(error const& e, std::string_view link) {
    return explained(e, "the row that member '" + std::string{link} + "' links to is not good: ");
}

error of_holder(error const& e, std::string_view link) {
    return explained(e, "a row that may hold copies of this one, by its member '" + std::string{link} +
                            "', is not good, and verify_copies() tells which: ");
}

encoded_write write_of(edited_entity&& e, row_version const& version, std::string_view partition_key) {
    encoded_write w{.kind = e.kind, .if_match = version.etag.text()};
    w.entity.partition_key = partition_key;
    w.entity.row_key = version.row_key;
    w.entity.body = std::move(e.body);
    w.entity.operation_id = e.operation_id;
    return w;
}

}  // namespace tablemap::detail
