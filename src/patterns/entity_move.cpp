// SPDX-License-Identifier: Apache-2.0
#include "patterns/entity_move.hpp"

#include "base/ascii.hpp"
#include "patterns/met_faults.hpp"
#include "store/ask.hpp"
#include "store/refusals.hpp"
#include "tablemap/detail/mapping/json.hpp"
#include "tablemap/detail/write/index_keeping.hpp"

#include <array>
#include <cstdint>
#include <new>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

/// One run of `move_entity`.
class entity_move {
public:
    entity_move(relay_core const& relay, partition_lease& lease, std::string_view partition_key,
                effect_row const& effect, move_order const& order, move_steps& steps, environment const& env)
        : relay_(relay),
          lease_(lease),
          partition_key_(partition_key),
          effect_(effect),
          order_(order),
          steps_(steps),
          env_(env),
          trace_key_(trace_key(order.move)) {}

    task<result<move_outcome>> run() {
        if (auto const fault = check()) co_return failed(*fault);
        for (int tries = 1;; ++tries) {
            auto const began = env_.now();
            overtaken_.reset();
            auto outcome = co_await guarded_attempt();
            if (!overtaken_) co_return outcome;
            constexpr std::string_view fewer_writers_remedy =
                "call it again when fewer others write to the entity that moves";
            auto const until = next_try({}, tries, env_.now() - began, *overtaken_, env_, fewer_writers_remedy);
            if (!until) co_return failed(until.error());
            co_await pause_until(*until);
        }
    }

private:
    enum class target_row : std::uint8_t { gone, ours, anothers };

    /// The end of an attempt; nothing if it goes on.
    using ending = std::optional<result<move_outcome>>;

    std::optional<error> check() const {
        bool const within =
            equal_ignoring_case(source_table().name, target_table().name) && partition_key_ == order_.to_partition;
        if (!within) return std::nullopt;
        return error{service_errc::invalid_input,
                     {.reason = "source and target are in one partition of one table; erase the one and insert the "
                                "other in one transaction instead"}};
    }

    /// An exception of the program's mapping, such as that of a computed property, fails the move only.
    task<result<move_outcome>> guarded_attempt() {
        std::optional<error> thrown;
        try {
            auto outcome = co_await attempt();
            co_return outcome;
        } catch (std::bad_alloc const&) {
            throw;
        } catch (...) {
            thrown = failure_of_handler();
        }
        co_return failed(*thrown);
    }

    /// Sets `overtaken_` if all has to be read again.
    task<result<move_outcome>> attempt() {
        std::array<request, 2> const reads{get_entity{source_table().name, partition_key_, effect_.entity, {}, true},
                                           get_entity{source_table().name, partition_key_, trace_key_, {}, true}};
        auto found = co_await ask_all(reads);
        auto& source = found.front();
        auto const& trace = found.back();
        if (!trace.ok() && !is_absent(trace)) co_return failed(*trace.failure);
        if (!source.ok() && !is_absent(source)) co_return failed(*source.failure);
        result<move_outcome> outcome;
        if (trace.ok())
            outcome = co_await confirm();
        else if (source.ok())
            outcome = co_await move(source);
        else
            outcome = co_await withdraw();
        co_return outcome;
    }

    // ---- the source is there ----------------------------------------------------------------------------------------

    task<result<move_outcome>> move(response& source) {
        if (auto const taken = steps_.take_source(source.body); !taken) co_return failed(taken.error());
        auto const not_put = co_await put_target();
        if (not_put) co_return *not_put;
        // The commit point. The head is in the group, so nobody commits it who has lost the lease.
        head_change const change{.needs_all_rows = true};
        std::vector<encoded_write> const rows{trace_row(), steps_.erase_source()};
        auto const written = co_await lease_.write(change, rows);
        if (!written && is_overtaken(written.error())) co_return again(written.error());
        if (!written) co_return failure{written.error()};
        if (*written == partition_lease::writing::lost) {
            co_await take_back_target();
            co_return move_outcome{.lease_lost = true};
        }
        auto outcome = co_await confirm();
        co_return outcome;
    }

    /// Each attempt writes the tentative row anew. Another relay, whose lease is over, may have read an older one and
    /// be about to replace or erase that: its etag is outdated then.
    task<ending> put_target() {
        auto fresh = steps_.insert_target(env_.clock());
        auto const inserted = co_await write(std::move(fresh));
        if (inserted) {
            steps_.wrote_target(*inserted);
            co_return ending{};
        }
        auto const& why = inserted.error();
        bool const is_there = why.code() == service_errc::entity_already_exists;
        if (!is_there && why.outcome() != outcome::in_doubt) co_return ending{failed(why)};
        auto const row = co_await read_target();
        if (!row) co_return ending{failed(row.error())};
        if (*row == target_row::gone) co_return ending{is_there ? again(why) : failed(why)};
        if (*row == target_row::anothers) co_return ending{failed(occupied())};
        auto end = co_await replace_target();
        co_return end;
    }

    task<ending> replace_target() {
        auto const not_held = co_await keep_lease();
        if (not_held) co_return not_held;
        auto anew = steps_.replace_target(env_.clock());
        auto const replaced = co_await write(std::move(anew));
        if (!replaced)
            co_return ending{is_overtaken(replaced.error()) ? again(replaced.error()) : failed(replaced.error())};
        steps_.wrote_target(*replaced);
        co_return ending{};
    }

    /// Renews the lease. If it is still held, the tentative row that was read before is not one that another relay has
    /// committed, and will not become one: that relay would write it anew.
    task<ending> keep_lease() {
        head_change const nothing{};
        std::vector<encoded_write> const no_rows;
        auto const renewed = co_await lease_.write(nothing, no_rows);
        if (!renewed) co_return ending{failure{renewed.error()}};
        if (*renewed == partition_lease::writing::lost) co_return ending{move_outcome{.lease_lost = true}};
        co_return ending{};
    }

    /// Another relay has the lease, and may have ended the move before the row was written: then nobody else erases
    /// it. One that is at the move has written the row anew, or will read that it is gone. If this fails, a tentative
    /// row is left, which readers tell from an entity.
    ///
    /// The lease is lost also if only the response to the group was: the row may be the entity then, and the trace is
    /// there, or was until the mark was taken off, which gave the row another etag. A group that was not carried out
    /// cannot be later, since it names a head that another relay has replaced.
    task<> take_back_target() {
        request const reading = get_entity{source_table().name, partition_key_, trace_key_, {}, true};
        auto const trace = co_await ask(reading);
        if (!is_absent(trace)) co_return;
        auto erase = steps_.erase_target();
        co_await write(std::move(erase));
    }

    task<result<target_row>> read_target() {
        request const reading = get_entity{target_table().name, order_.to_partition, order_.to_row, {}, true};
        auto found = co_await ask(reading);
        if (is_absent(found)) co_return target_row::gone;
        if (!found.ok()) co_return failure{*found.failure};
        auto const is_ours = steps_.take_target(found.body);
        if (!is_ours) co_return failure{is_ours.error()};
        co_return *is_ours ? target_row::ours : target_row::anothers;
    }

    static error occupied() {
        return error{service_errc::entity_already_exists,
                     {.reason = "another row has the key that the entity is to be moved to; erase or move that one "
                                "first, then put the effect back"}};
    }

    encoded_write trace_row() const {
        dynamic_entity e{std::string{partition_key_}, trace_key_};
        e.set("Entity", effect_.entity);
        encoded_write w{.kind = write_kind::insert};
        w.fault = fault_of(encode(e, w.entity));
        return w;
    }

    // ---- the source is not there ------------------------------------------------------------------------------------

    /// A target that is gone, or has no mark of this move, is another writer's by now.
    task<result<move_outcome>> confirm() {
        auto const confirmed = co_await steps_.confirm_target();
        bool const is_gone = !confirmed && confirmed.error().code() == service_errc::resource_not_found;
        if (!confirmed && !is_gone) co_return failed(confirmed.error());
        encoded_write erase{.kind = write_kind::erase, .if_match = std::string{any_etag}};
        erase.entity.partition_key = std::string{partition_key_};
        erase.entity.row_key = trace_key_;
        co_return move_outcome{.trace = std::move(erase)};
    }

    /// Somebody erased the source before it was moved, or the move is done and only its effect is left.
    task<result<move_outcome>> withdraw() {
        auto const row = co_await read_target();
        if (!row) co_return failed(row.error());
        if (*row != target_row::ours) co_return move_outcome{};
        auto const not_held = co_await keep_lease();
        if (not_held) co_return *not_held;
        auto erase = steps_.erase_target();
        auto const erased = co_await write(std::move(erase));
        if (!erased && is_overtaken(erased.error())) co_return again(erased.error());
        if (!erased) co_return failed(erased.error());
        co_return move_outcome{};
    }

    // ---- both -------------------------------------------------------------------------------------------------------

    task<result<etag>> write(encoded_write w) {
        if (w.fault) co_return failure{*w.fault};
        if (w.indexes) {
            auto written = co_await write_indexed(target_table(), std::move(w));
            co_return written;
        }
        request const writing = write_entity{target_table().name, w.operation()};
        auto answer = co_await ask(writing);
        if (!answer.ok()) co_return failure{*std::move(answer.failure)};
        co_return std::move(answer.etag);
    }

    move_outcome again(error const& met) {
        overtaken_ = met;
        return {};
    }
    static move_outcome failed(error const& why) {
        if (is_refusal_of_rights(why)) return {.refused = why};
        return {.end = {.failure = why.source() == error_source::library && why.code() == library_errc::effect_failed
                                       ? why
                                       : failure_of_handler(why)}};
    }

    table_state const& source_table() const noexcept { return *relay_.place.table; }
    table_state const& target_table() const noexcept { return steps_.target_table(); }

    relay_core const& relay_;
    partition_lease& lease_;
    std::string_view partition_key_;
    effect_row const& effect_;
    move_order const& order_;
    move_steps& steps_;
    environment const& env_;
    std::string trace_key_;
    std::optional<error> overtaken_{};  ///< why all has to be read again
};

}  // namespace

task<result<move_outcome>> move_entity(relay_core const& relay, partition_lease& lease, std::string_view partition_key,
                                       effect_row const& effect, effect_handler const& handler) {
    auto const call = co_await this_call();
    move_order order;
    if (auto r = read_json(effect.json, order); !r)
        co_return move_outcome{.end = {.failure = std::move(r).error(), .unreadable = true}};
    auto const steps = handler.move(order);
    entity_move move{relay, lease, partition_key, effect, order, *steps, call.env};
    auto outcome = co_await move.run();
    co_return outcome;
}

}  // namespace tablemap::detail
