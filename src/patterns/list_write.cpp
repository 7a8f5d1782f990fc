// SPDX-License-Identifier: Apache-2.0
#include "patterns/list_store.hpp"
#include "store/ask.hpp"
#include "store/retry.hpp"
#include "tablemap/detail/write/write_group.hpp"
#include "tablemap/store/observer.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

/// A list in the partition of the entity that gains or loses it.
struct changed_list {
    list_address at;
    bool gains;
};

/// One run of `write_valued`. The entity is the first operation of the group: a store that looks at them in order
/// refuses the group because of a list only if the entity was as the write needs it.
class listed_writing {
public:
    listed_writing(list_state const& table, entity_key const& own, valued_editor& edit, environment const& env)
        : table_(table), own_(own), edit_(edit), env_(env), lists_(table, env) {}

    task<result<std::optional<etag>>> run(modify_options options) {
        for (int tries = 1;; ++tries) {
            auto const began = env_.now();
            response stored;
            if (edit_.reads()) {
                auto const what = read_request();
                stored = co_await ask(what);
                bool const may_create = edit_.creates() && is_absent(stored);
                if (!stored.ok() && !may_create) co_return failure{*std::move(stored.failure)};
            }
            auto const change = edit_.edit(edit_.reads() ? &stored : nullptr, env_);
            if (!change) co_return failure{change.error()};
            if (!change->write) co_return std::nullopt;
            forget_try();
            auto written = co_await carry_out(*change);
            if (written) {
                co_await tell_relays();
                co_return *std::move(written);
            }
            if (!may_repeat_) co_return failure{std::move(written).error()};
            constexpr std::string_view fewer_writers_remedy = "call it again when fewer others write entities of this "
                                                              "value, or list a value that fewer entities have";
            auto const remedy = edit_.repeats() ? more_tries_remedy : fewer_writers_remedy;
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
        id_ = random_guid(env_.clock());
        changes_.clear();
        writes_.clear();
        intent_.reset();
    }

    task<result<etag>> carry_out(valued_change const& change) {
        find_changes(change);
        auto const prepared = co_await prepare();
        if (!prepared) {
            co_await drop_new_blobs();
            co_return failure{prepared.error().with(outcome::not_applied)};
        }
        auto stored = co_await send(*change.write);
        co_return stored;
    }

    // ---- before sending ---------------------------------------------------------------------------------------------

    void find_changes(valued_change const& change) {
        list_lines elsewhere;
        for (std::size_t i = 0; i < change.after.size(); ++i) {
            auto const &before = change.before[i], &after = change.after[i];
            if (before == after) continue;
            for (auto const* value : {&before, &after}) {
                if (value->empty()) continue;
                if (is_local(table_, i))
                    changes_.push_back({address_of(table_, i, own_.partition_key, *value), value == &after});
                else
                    elsewhere.insert(*value);
            }
        }
        if (!elsewhere.empty()) intent_ = insert_of({intent_key(id_), own_, std::move(elsewhere), ticks::now()});
    }

    task<result<void>> prepare() {
        if (intent_ && intent_->fault) co_return failure{*intent_->fault};
        std::vector<list_address> places;
        for (auto const& c : changes_) places.push_back(c.at);
        auto const stored = co_await lists_.read_all(places);
        if (!stored) co_return failure{stored.error()};
        for (std::size_t i = 0; i < changes_.size(); ++i) {
            auto const done = co_await prepare(changes_[i], (*stored)[i]);
            if (!done) co_return failure{done.error()};
        }
        co_return result<void>{};
    }

    /// A list that has to hold the entity is always written, so that whoever is about to remove it there meets a
    /// conflict.
    task<result<void>> prepare(changed_list const& change, stored_list const& stored) {
        auto lines = stored.lines;
        auto const line = line_of(table_, change.at.index, own_);
        bool const changes = change.gains ? (lines.insert(line), true) : lines.erase(line) > 0;
        if (!changes) co_return result<void>{};
        auto w = co_await lists_.prepare(change.at, stored, lines, id_);
        if (!w) co_return failure{std::move(w).error()};
        writes_.push_back(*std::move(w));
        co_return result<void>{};
    }

    // ---- sending ----------------------------------------------------------------------------------------------------

    /// A group with a write under an etag may be sent again: it is refused the second time. Another one could be
    /// applied again after others have removed what it stored.
    task<result<etag>> send(encoded_write const& w) {
        std::vector<write_operation> operations{w.operation()};
        for (auto const& l : writes_) operations.push_back(l.row.operation());
        if (intent_) operations.push_back(intent_->operation());
        auto const group = request_of(table_.entities->name, operations);
        auto answer = co_await ask(group);
        std::optional<error> lost;
        if (answer.outcome() == outcome::in_doubt && operations.size() > 1 && may_be_sent_again(operations)) {
            lost = std::move(answer.failure);
            answer = co_await ask(group);
        }
        if (answer.ok()) {
            co_await drop_old_blobs();
            co_return std::move(answer.etags.empty() ? answer.etag : answer.etags.front());
        }
        bool const refused = answer.outcome() != outcome::in_doubt;
        if (refused && (!lost || shows_that_none_was_applied(w, *answer.failure))) {
            may_repeat_ = may_repeat_after(*answer.failure);
            co_await drop_new_blobs();
            co_return failure{without_place(*answer.failure)};
        }
        auto const met = lost ? *lost : *answer.failure;
        bool const applied = co_await was_applied(w);
        if (!applied) co_return failure{without_place(met)};
        co_await drop_old_blobs();
        co_return etag{};
    }

    bool may_be_sent_again(std::vector<write_operation> const& operations) const {
        auto const& policy = env_.options().retry;
        if (policy && policy->repeat_in_doubt) return true;
        return std::any_of(operations.begin(), operations.end(), [](auto const& o) { return is_conditional(o.kind); });
    }

    /// True if another writer of a list was faster, or one of the entity that may be edited again.
    bool may_repeat_after(error const& e) const noexcept {
        if (!is_overtaken(e)) return false;
        return e.failed_index().value_or(0) > 0 || edit_.repeats();
    }

    /// A later copy of the group met a list with another etag: the entity is as it was, and the list keeps the earlier
    /// copy from being applied. A list that was in the way of an insert may go again, and does not.
    bool shows_that_none_was_applied(encoded_write const& w, error const& e) const noexcept {
        auto const place = e.failed_index().value_or(0);
        if (!is_conditional(w.kind) || !is_overtaken(e) || place == 0 || place > writes_.size()) return false;
        return is_conditional(writes_[place - 1].row.kind);
    }

    /// After a lost response. True if a row that only this write can have stored is there.
    task<bool> was_applied(encoded_write const& w) {
        if (intent_) {
            request const what =
                get_entity{table_.entities->name, own_.partition_key, intent_->entity.row_key, {}, true};
            auto const found = co_await ask(what);
            if (found.ok()) co_return true;
        }
        for (auto const& l : writes_) {
            if (l.row.kind == write_kind::erase) continue;
            bool const ours = co_await is_ours(l.row.entity.row_key);
            if (ours) co_return true;
        }
        if (!w.entity.operation_id) co_return false;
        auto const what = read_request();
        auto found = co_await ask(what);
        co_return found.ok() && operation_id_in(found.body) == w.entity.operation_id;
    }

    task<bool> is_ours(std::string_view row_key) {
        for (auto const& c : changes_) {
            if (c.at.row_key != row_key) continue;
            request const what = get_entity{table_.entities->name, own_.partition_key, row_key, {}, true};
            auto found = co_await ask(what);
            co_return found.ok() && read_list_row(table_, c.at, found.body, std::move(found.etag)).write == id_;
        }
        co_return false;
    }

    /// A message that is lost is one that a sweep has to do without.
    task<> tell_relays() {
        auto const queue = queue_of(table_);
        if (!intent_ || queue.name.empty()) co_return;
        auto const told = co_await announce_once(queue, own_.partition_key);
        if (!told) report(told.error());
    }

    void report(error const& fault) const {
        auto const& store = *table_.entities->store;
        if (!store.context().observer) return;
        store.context().observer->index_pass_done({.table = table_.entities->name,
                                                   .store = store.capabilities().name,
                                                   .error = fault.code(),
                                                   .message = fault.what()});
    }

    // ---- blobs ------------------------------------------------------------------------------------------------------

    task<> drop_new_blobs() {
        for (auto const& w : writes_) co_await lists_.drop(w.new_blob);
    }
    task<> drop_old_blobs() {
        for (auto const& w : writes_) co_await lists_.drop(w.old_blob);
    }

    list_state const& table_;
    entity_key const& own_;
    valued_editor& edit_;
    environment const& env_;
    list_store lists_;
    // Of one try:
    bool may_repeat_ = false;
    guid id_{};
    std::vector<changed_list> changes_{};
    std::vector<list_write> writes_{};
    std::optional<encoded_write> intent_{};
};

}  // namespace

task<result<std::optional<etag>>> write_valued(list_state const& table, entity_key const& own, modify_options options,
                                               valued_editor& edit) {
    auto const call = co_await this_call();
    listed_writing writing{table, own, edit, call.env};
    auto stored = co_await writing.run(options);
    co_return stored;
}

}  // namespace tablemap::detail
