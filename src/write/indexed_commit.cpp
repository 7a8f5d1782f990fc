// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/write/indexed_commit.hpp"

#include "tablemap/detail/store/retry.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

error of_part(error const& e, std::size_t position) {
    auto d = e.details();
    d.failed_index = position;
    return error{e.code(), std::move(d)};
}

}  // namespace

indexed_commit::indexed_commit(std::string_view table, capabilities const& can, property_cipher const* cipher,
                               std::vector<part> parts)
    : table_(table), can_(can), cipher_(cipher), parts_(std::move(parts)) {}

step indexed_commit::read(environment const& env) {
    began_ = env.now();
    reads_.clear();
    for (auto const& p : parts_) {
        auto const& e = p.write->entity;
        if (needs_read(*p.write)) reads_.emplace_back(get_entity{table_, e.partition_key, e.row_key, {}, true});
    }
    if (reads_.empty()) return plan({});
    at_ = state::reading;
    return step::send(std::span<request const>{reads_});
}

step indexed_commit::resume(environment const& env, std::span<response> answers) {
    switch (at_) {
    case state::waiting: return read(env);
    case state::reading: return plan(answers);
    case state::looking: return after_looks(answers);
    case state::writing: return after_write(env, answers.front());
    }
    return step::done();
}

step indexed_commit::plan(std::span<response> reads) {
    for (auto const& r : reads)
        if (!tells_presence(r)) return fail_with(*r.failure);
    if (lost_ && any_holds_our_id(reads)) return succeed_with({});
    auto fault = plan_all(reads);
    if (!fault) fault = make_group();
    if (!fault) fault = check_limits();
    return fault ? fail_with(*fault) : look();
}

std::optional<error> indexed_commit::plan_all(std::span<response> reads) {
    plans_.clear();
    std::size_t read = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        auto& w = *parts_[i].write;
        auto plan = w.indexes && !needs_read(w) ? write_plan{w.kind, {}, *parts_[i].implied}
                                                : plan_write(w, needs_read(w) ? &reads[read++] : nullptr, cipher_);
        if (!plan) return of_part(plan.error(), i);
        plans_.push_back(std::move(*plan));
    }
    return std::nullopt;
}

std::optional<error> indexed_commit::make_group() {
    group_ = {};
    for (std::size_t i = 0; i < parts_.size(); ++i)
        if (auto r = group_.add(*parts_[i].write, plans_[i]); !r) return r.error();
    return std::nullopt;
}

/// One member may write a row that another erases: the group is made again from all that is known then.
step indexed_commit::look() {
    reads_.clear();
    for (std::size_t i = 0; i < parts_.size(); ++i) add_looks(plans_[i], *parts_[i].write, table_, reads_);
    if (reads_.empty()) return send();
    at_ = state::looking;
    return step::send(std::span<request const>{reads_});
}

step indexed_commit::after_looks(std::span<response> answers) {
    for (auto const& a : answers)
        if (!tells_presence(a)) return fail_with(*a.failure);
    for (std::size_t i = 0; i < parts_.size(); ++i)
        if (auto r = take_looks(plans_[i], *parts_[i].write, answers); !r) return fail_with(of_part(r.error(), i));
    auto const fault = make_group();
    return fault ? fail_with(*fault) : send();
}

std::optional<error> indexed_commit::check_limits() const {
    if (group_.size() > can_.transaction_operations)
        return error{service_errc::invalid_input,
                     {.reason = "a group transaction has at most " + std::to_string(can_.transaction_operations) +
                                " operations; to the " + std::to_string(group_.members()) +
                                " of this one the rows of indexes add " +
                                std::to_string(group_.size() - group_.members()) +
                                "; commit fewer at once, has_room() tells when"}};
    if (group_.body_bytes() > can_.transaction_bytes)
        return error{service_errc::request_body_too_large,
                     {.reason = "this group transaction has " + std::to_string(group_.body_bytes()) + " bytes, " +
                                std::to_string(group_.body_bytes_of_rows()) +
                                " of them in rows of indexes, and the store takes at most " +
                                std::to_string(can_.transaction_bytes) + "; commit fewer at once"}};
    return std::nullopt;
}

step indexed_commit::send() {
    at_ = state::writing;
    sent_ = transact{table_, group_.operations()};
    return step::send(sent_);
}

step indexed_commit::after_write(environment const& env, response& answer) {
    if (answer.ok()) return succeed_with(std::move(answer.etags));
    auto const& met = *answer.failure;
    if (answer.outcome() == outcome::in_doubt) return after_loss(env, met);
    if (group_.repair(met)) return send();
    if (!group_.outdated_member(met) && !group_.changed_row(met)) return fail_with(group_.explain(met));
    auto const until = next_try({}, ++tries_, env.now() - began_, group_.explain(met), env, call_again_remedy);
    return until ? wait_until(*until) : fail_with(until.error());
}

/// The driver has sent the group as often as the call's policy lets it. Writes of any version that are made twice are
/// as made once.
step indexed_commit::after_loss(environment const& env, error const& loss) {
    bool const again = !std::exchange(lost_, true) && std::all_of(parts_.begin(), parts_.end(), [](part const& p) {
        return may_be_repeated(*p.write);
    });
    auto const until = again ? next_look({}, env) : std::nullopt;
    return until ? wait_until(*until) : fail_with(loss);
}

/// Then the whole group was applied.
bool indexed_commit::any_holds_our_id(std::span<response> reads) const {
    std::size_t read = 0;
    return std::any_of(parts_.begin(), parts_.end(), [&](part const& p) {
        if (!needs_read(*p.write)) return false;
        auto& r = reads[read++];
        auto const& token = p.write->entity.operation_id;
        return r.ok() && token && p.write->kind != write_kind::erase && operation_id_in(r.body) == token;
    });
}

step indexed_commit::succeed_with(std::vector<etag> etags) {
    answer_ = {};
    answer_.etags = std::move(etags);
    answer_.etags.resize(parts_.size());
    return step::done();
}

step indexed_commit::wait_until(time_point t) {
    at_ = state::waiting;
    return step::wait_until(t);
}

step indexed_commit::fail_with(error const& e) {
    answer_ = response::failed(lost_ && e.outcome() == outcome::not_applied ? doubt_later(e) : e);
    return step::done();
}

response indexed_commit::take() { return std::move(answer_); }

}  // namespace tablemap::detail
