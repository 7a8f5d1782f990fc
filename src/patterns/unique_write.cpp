// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/patterns/unique_write.hpp"

#include "patterns/value_claims.hpp"
#include "store/ask.hpp"
#include "store/retry.hpp"

#include <array>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

/// One run of `write_valued`.
class unique_writing {
public:
    unique_writing(unique_state const& table, entity_key const& own, valued_editor& edit, environment const& env)
        : table_(table), own_(own), edit_(edit), env_(env), rows_(table, env), claims_(table, own, env) {}

    task<result<std::optional<etag>>> run(modify_options options) {
        for (int tries = 1;; ++tries) {
            auto const began = env_.now();
            forget_try();
            response stored;
            if (edit_.reads()) {
                auto const what = read_request();
                stored = co_await ask(what);
                if (!stored.ok()) co_return failure{*std::move(stored.failure)};
            }
            auto const change = edit_.edit(edit_.reads() ? &stored : nullptr, env_);
            if (!change) co_return failure{change.error()};
            if (!change->write) co_return std::nullopt;
            auto written = co_await carry_out(*change);
            if (written) co_return *std::move(written);
            if (!may_repeat_) co_return failure{std::move(written).error()};
            auto const remedy = edit_.repeats() ? more_tries_remedy : call_again_remedy;
            auto const until = next_try(options, tries, env_.now() - began, written.error(), env_, remedy);
            if (!until) co_return failure{until.error()};
            co_await pause_until(*until);
        }
    }

private:
    request read_request() const {
        return get_entity{table_.entities->name, own_.partition_key, own_.row_key, {}, true};
    }

    void forget_try() {
        may_repeat_ = false;
        token_ = {};
        guard_ = {};
        claims_.begin(token_);
        lost_.clear();
    }

    task<result<etag>> carry_out(valued_change const& change) {
        auto const wanted = gained_by(change);
        if (wanted.empty()) {
            auto stored = co_await write_alone(change);
            co_return stored;
        }
        auto const begun = co_await begin(change);
        if (!begun) co_return failure{begun.error().with(outcome::not_applied)};
        // In the order of their declaration, so that no two writers wait for each other.
        for (auto const& w : wanted) {
            auto const reserved = co_await claims_.reserve(w);
            if (reserved && *reserved) continue;
            co_await give_back();
            auto const why = reserved ? changed_meanwhile() : reserved.error();
            co_return failure{why.with(outcome::not_applied)};
        }
        auto stored = co_await write_guarded(*change.write, wanted);
        if (stored)
            co_await end();
        else if (stored.error().outcome() == outcome::not_applied)
            co_await give_back();
        co_return stored;
    }

    static std::vector<wanted_value> gained_by(valued_change const& change) {
        std::vector<wanted_value> wanted;
        for (std::size_t i = 0; i < change.after.size(); ++i)
            if (!change.after[i].empty() && change.after[i] != change.before[i]) wanted.push_back({i, change.after[i]});
        return wanted;
    }

    // ---- the reservations that the entity loses ---------------------------------------------------------------------

    void add_reads_of_lost(valued_change const& change, std::vector<request>& to) const {
        for (std::size_t i = 0; i < change.before.size(); ++i)
            if (!change.before[i].empty() && change.after[i] != change.before[i])
                to.emplace_back(get_entity{table_.reservations->name, change.before[i], "reservation", {}, true});
    }

    /// They are read before the write, so that each is released under the etag that it had while the entity had the
    /// value: the entity may get the value back before the release is carried out.
    result<void> take_lost(valued_change const& change, std::span<response> answers) {
        for (auto& answer : answers) {
            if (is_absent(answer)) continue;
            if (!answer.ok()) return failure{*answer.failure};
            entity<reservation> r;
            if (!decode_into(answer.body, r)) continue;  // not ours: verify() reports it
            r.etag = std::move(answer.etag);
            bool const ours = owner_of(r.value) == own_ && (r.value.confirmed || change.was_read);
            if (ours) lost_.push_back(std::move(r));
        }
        return {};
    }

    // ---- a write without new values ---------------------------------------------------------------------------------

    task<result<etag>> write_alone(valued_change const& change) {
        std::vector<request> reads;
        add_reads_of_lost(change, reads);
        auto answers = co_await ask_all(reads);
        if (auto r = take_lost(change, answers); !r) co_return failure{r.error().with(outcome::not_applied)};
        auto stored = co_await send_alone(*change.write);
        if (stored)
            co_await end();
        else
            may_repeat_ = edit_.repeats() && is_conflict(stored.error());
        co_return stored;
    }

    /// After a lost response the row tells: it has our operation id, or still its old etag. Then it is sent once more.
    task<result<etag>> send_alone(encoded_write const& w) {
        auto const what = rows_.to_entities(w);
        auto answer = co_await ask(what);
        if (answer.ok()) co_return std::move(answer.etag);
        bool const may_tell = w.kind == write_kind::replace || w.kind == write_kind::merge;
        auto const met = *answer.failure;
        if (met.outcome() != outcome::in_doubt || !may_tell) co_return failure{met};
        auto const read = read_request();
        auto found = co_await ask(read);
        if (!found.ok()) co_return failure{met};
        if (w.entity.operation_id && operation_id_in(found.body) == w.entity.operation_id) co_return etag{};
        if (found.etag.text() != w.if_match) co_return failure{met};
        answer = co_await ask(what);
        if (answer.ok()) co_return std::move(answer.etag);
        co_return failure{met};
    }

    // ---- guard ------------------------------------------------------------------------------------------------------

    task<result<void>> begin(valued_change const& change) {
        token_ = random_guid(env_.clock());
        claims_.begin(token_);
        reservation_guard const guard{own_.partition_key, token_, rows_.end_of_time()};
        auto const insert = rows_.insert_of(guard);
        if (insert.fault) co_return failure{*insert.fault};
        std::vector<request> first{rows_.to_entities(insert)};
        add_reads_of_lost(change, first);
        auto answers = co_await ask_all(first);
        auto etag = co_await know_guard(answers.front(), first.front());
        if (!etag) co_return failure{std::move(etag).error()};
        guard_.value = guard;
        guard_.etag = *std::move(etag);
        auto const kept = take_lost(change, std::span{answers}.subspan(1));
        if (!kept) co_await give_back();
        co_return kept;
    }

    /// The etag of the guard, whose insert got this response. Nobody else makes one of this key. If neither the insert
    /// nor the reads after it are answered the guard may stay: it keeps nobody waiting, and a repair erases it.
    task<result<etag>> know_guard(response& inserted, request const& insert) {
        for (bool may_repeat = true;; may_repeat = false) {
            if (inserted.ok()) co_return std::move(inserted.etag);
            auto const& met = *inserted.failure;
            if (met.outcome() != outcome::in_doubt && met.code() != service_errc::entity_already_exists)
                co_return failure{met};
            auto found = co_await rows_.find_guard(own_.partition_key, token_);
            if (!found) co_return failure{std::move(found).error()};
            if (*found) co_return std::move((*found)->etag);
            if (!may_repeat) co_return failure{met};
            inserted = co_await ask(insert);
        }
    }

    /// The entity itself has the value already: it is not as the caller knows it.
    error changed_meanwhile() {
        if (!edit_.reads()) return error{service_errc::entity_already_exists};
        may_repeat_ = true;
        return error{service_errc::update_condition_not_satisfied};
    }

    // ---- the entity -------------------------------------------------------------------------------------------------

    /// The guard lets one of several copies of the group pass, so it may be sent again.
    task<result<etag>> write_guarded(encoded_write const& w, std::vector<wanted_value> const& wanted) {
        auto const guard = rows_.erase_of(guard_);
        std::array<write_operation, 2> const operations{w.operation(), guard.operation()};
        request const group = transact{table_.entities->name, operations};
        auto answer = co_await ask(group);
        std::optional<error> lost;
        if (answer.outcome() == outcome::in_doubt) {
            lost = std::move(answer.failure);
            answer = co_await ask(group);
        }
        if (answer.ok()) co_return answer.etags.empty() ? etag{} : std::move(answer.etags.front());
        if (!lost && answer.outcome() != outcome::in_doubt) {
            may_repeat_ = is_outdated(*answer.failure);
            co_return failure{without_place(*answer.failure)};
        }
        auto const met = lost ? *lost : *answer.failure;
        auto told = co_await tell(wanted, met);
        co_return told;
    }

    /// Tells whether a group was applied whose response was lost. If the guard is there, it was not; then the guard
    /// is erased, so that it never will be.
    task<result<etag>> tell(std::vector<wanted_value> const& wanted, error const& lost) {
        auto const guard = co_await rows_.find_guard(own_.partition_key, token_);
        if (!guard) co_return failure{lost};
        if (*guard && (*guard)->etag == guard_.etag) {
            auto const erase = rows_.erase_of(guard_);
            auto const what = rows_.to_entities(erase);
            auto const erased = co_await ask(what);
            if (!erased.ok()) co_return failure{lost};
            may_repeat_ = true;
            co_return failure{lost.with(outcome::not_applied)};
        }
        auto const values = co_await rows_.values_of(own_);
        if (!values || !*values) co_return failure{lost};
        for (auto const& w : wanted)
            if ((**values)[w.number] != w.text) co_return failure{lost};
        // While the reservation has our token, nobody but us can have given the entity the value.
        auto const reserved = co_await rows_.find(wanted.front().text, true);
        bool const ours = reserved && *reserved && claims_.is_ours((*reserved)->value);
        if (ours) co_return etag{};
        co_return failure{lost};
    }

    // ---- afterwards -------------------------------------------------------------------------------------------------

    /// Confirms what the entity has, and releases what it has no more. If that fails the next writer of the value does
    /// it.
    task<> end() {
        std::vector<encoded_write> writes;
        for (auto const& r : claims_.held()) writes.push_back(rows_.confirmation_of(r));
        for (auto const& r : lost_) writes.push_back(rows_.erase_of(r));
        co_await send_all(writes);
    }

    /// The guard first: without it no copy of the group is carried out any more.
    task<> give_back() {
        auto const erase = rows_.erase_of(guard_);
        auto const what = rows_.to_entities(erase);
        auto const erased = co_await ask(what);
        if (!erased.ok() && !(is_absent(erased) && erased.outcome() == outcome::not_applied)) co_return;
        std::vector<encoded_write> writes;
        for (auto const& r : claims_.held()) writes.push_back(rows_.erase_of(r));
        co_await send_all(writes);
    }

    task<> send_all(std::vector<encoded_write> const& writes) const {
        std::vector<request> all;
        all.reserve(writes.size());
        for (auto const& w : writes) all.push_back(rows_.to_reservations(w));
        co_await ask_all(all);
    }

    unique_state const& table_;
    entity_key const& own_;
    valued_editor& edit_;
    environment const& env_;
    reservations rows_;
    value_claims claims_;
    // Of one try:
    bool may_repeat_ = false;
    guid token_{};
    entity<reservation_guard> guard_{};
    std::vector<entity<reservation>> lost_{};  ///< to be released
};

}  // namespace

task<result<std::optional<etag>>> write_valued(unique_state const& table, entity_key const& own, modify_options options,
                                               valued_editor& edit) {
    auto const call = co_await this_call();
    unique_writing writing{table, own, edit, call.env};
    auto stored = co_await writing.run(options);
    co_return stored;
}

}  // namespace tablemap::detail
