// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/patterns/outbox_core.hpp"

#include "base/ascii.hpp"
#include "patterns/outbox_rows.hpp"
#include "store/ask.hpp"
#include "store/refusals.hpp"
#include "store/retry.hpp"
#include "tablemap/detail/write/commit.hpp"
#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/detail/write/modify_row.hpp"
#include "write/indexed_commit.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

error refusal(service_errc code, std::string reason, std::optional<std::size_t> position = {}) {
    return error{code, {.reason = std::move(reason), .failed_index = position}};
}

/// One run of `commit_with_effects`, without the message. The head is the first operation of the group: a store that
/// looks at them in order refuses the group because of the head if that was changed, and because of an operation of
/// the user only if it was not.
class outbox_commit {
public:
    outbox_commit(std::shared_ptr<transaction_core> what, std::vector<encoded_effect> effects,
                  modify_options const& options, environment const& env)
        : what_(std::move(what)),
          effects_(std::move(effects)),
          options_(options),
          env_(env),
          id_(random_guid(env.clock())),
          committed_(ticks::now()) {}

    task<result<outbox_receipt>> run() {
        if (auto const fault = check()) co_return failed(*fault);
        compose();
        for (int tries = 1;; ++tries) {
            auto const began = env_.now();
            request const reading = get_entity{what_->table(), partition_key_, outbox_head_key, {}, true};
            auto found = co_await ask(reading);
            auto const head = read_head(found);
            if (!head) co_return failed(head.error());
            if (lost_) {
                auto const applied = co_await was_applied(*head);
                if (!applied) co_return failed(applied.error());
                if (*applied) co_return succeeded({});
            }
            if (auto const fault = number(*head)) co_return failed(*fault);
            auto answer = co_await send();
            if (answer.ok()) co_return succeeded(std::move(answer.etags));
            if (!is_about_head(*answer.failure) && answer.outcome() != outcome::in_doubt)
                co_return failed(without_head(*answer.failure));
            if (answer.outcome() == outcome::in_doubt) lost_ = answer.failure;
            constexpr std::string_view fewer_writers_remedy =
                "call it again when fewer others write to the outbox of this partition";
            auto const next =
                next_try(options_, tries, env_.now() - began, of_head(*answer.failure), env_, fewer_writers_remedy);
            if (!next) co_return failed(lost_ ? *lost_ : next.error());
            co_await pause_until(*next);
        }
    }

private:
    // ---- before sending ---------------------------------------------------------------------------------------------

    std::optional<error> check() const {
        auto const items = what_->items();
        auto const most = what_->store()->capabilities().transaction_operations;
        if (1 + items.size() + effects_.size() > most)
            return refusal(service_errc::invalid_input,
                           "a group transaction has at most " + std::to_string(most) + " operations, and these " +
                               std::to_string(items.size()) + " with " + std::to_string(effects_.size()) +
                               " effects and the head of the outbox are more; commit fewer at once");
        for (std::size_t i = 0; i < items.size(); ++i)
            if (items[i].write.entity.row_key.starts_with(outbox_prefix))
                return refusal(service_errc::invalid_input,
                               "the row key begins as those of the rows of outboxes; choose another one", i);
        for (auto const& e : effects_) {
            if (e.fault) return e.fault->at(e.type);
            if (e.position >= items.size())
                return refusal(service_errc::invalid_input,
                               "caused_by(...) names a position that the transaction does not have; pass what the "
                               "function returned that added the operation");
            if (e.moves && items[e.position].write.kind == write_kind::erase)
                return refusal(service_errc::invalid_input,
                               "the transaction erases the entity that is to be moved, which the relay reads and "
                               "erases; replace or merge it here",
                               e.position);
        }
        return std::nullopt;
    }

    /// All operations, of which the head and the keys of the effects depend on the head that is read.
    void compose() {
        auto const items = what_->items();
        partition_key_ = std::string{what_->partition_key()};
        all_.reserve(1 + items.size() + effects_.size());
        all_.push_back({.write = {}, .has_keys = true, .to = {}});
        all_.insert(all_.end(), items.begin(), items.end());
        for (std::size_t i = 0; i < effects_.size(); ++i) all_.push_back({.write = {}, .has_keys = true, .to = {}});
    }

    std::optional<error> number(outbox_head const& head) {
        read_etag_ = head.etag;
        first_ = head.next;
        auto next = head;
        next.next += count();
        next.pending += count();
        next.last_commit = id_;
        all_.front().write = write_of(next, partition_key_);
        for (std::size_t i = 0; i < effects_.size(); ++i) {
            auto& w = all_[all_.size() - effects_.size() + i].write;
            w = write_of(write_kind::insert, row_of(i), effect_state::pending, partition_key_);
            if (w.fault) return w.fault->at(effects_[i].type);
        }
        return check_size();
    }

    effect_row row_of(std::size_t i) const {
        auto const& e = effects_[i];
        return {.sequence = first_ + static_cast<std::int64_t>(i),
                .type = std::string{e.type},
                .json = e.json,
                .entity = what_->items()[e.position].write.entity.row_key,
                .commit = id_,
                .committed = committed_};
    }

    std::optional<error> check_size() const {
        std::size_t bytes = 0;
        for (auto const& i : all_) bytes += i.write.entity.body.size();
        auto const most = what_->store()->capabilities().transaction_bytes;
        if (bytes <= most) return std::nullopt;
        return refusal(service_errc::request_body_too_large, "this group transaction has " + std::to_string(bytes) +
                                                                 " bytes with its effects, and the store "
                                                                 "takes at most " +
                                                                 std::to_string(most) + "; commit fewer at once");
    }

    std::int64_t count() const noexcept { return static_cast<std::int64_t>(effects_.size()); }

    // ---- sending ----------------------------------------------------------------------------------------------------

    task<response> send() {
        response answer;
        if (what_->has_indexes()) {
            answer = co_await commit_indexed(what_->table(), what_->store()->capabilities(), what_->cipher(), all_);
        } else {
            std::vector<write_operation> operations;
            for (auto const& i : all_) operations.push_back(i.write.operation());
            request const group = transact{what_->table(), operations};
            answer = co_await ask(group);
        }
        co_return answer;
    }

    /// Nothing was applied, because the head is not the one that was read.
    static bool is_about_head(error const& e) noexcept { return is_overtaken(e) && e.failed_index() == std::size_t{0}; }

    /// After a lost response: true if the group was applied, false if it was not and the head that was read keeps it
    /// from being applied later, or the same group may be sent again. Errors: in doubt.
    task<result<bool>> was_applied(outbox_head const& now) {
        if (now.last_commit == id_) co_return true;
        if (now.etag == read_etag_) co_return false;
        if (now.next > first_) {
            for (auto const s : {effect_state::pending, effect_state::parked}) {
                auto const key = effect_key(s, first_);
                request const reading = get_entity{what_->table(), partition_key_, key, {}, true};
                auto found = co_await ask(reading);
                auto const owner = commit_of(found, s);
                if (!owner) continue;
                if (*owner != id_) lost_.reset();
                co_return *owner == id_;
            }
            co_return failure{*lost_};  // a relay has applied the first effect, ours or another's
        }
        lost_.reset();
        co_return false;
    }

    static std::optional<guid> commit_of(response& found, effect_state s) {
        if (!found.ok()) return std::nullopt;
        auto const row = read_dynamic(found.body);
        if (!row) return std::nullopt;
        auto const effect = read_effect(*row, s);
        return effect ? std::optional{effect->commit} : std::nullopt;
    }

    // ---- after sending ----------------------------------------------------------------------------------------------

    /// The etags of the user's operations; none are known after a lost response.
    result<outbox_receipt> succeeded(std::vector<etag> etags) {
        if (!etags.empty()) etags.erase(etags.begin());
        outbox_receipt r{.first_sequence = effects_.empty() ? 0 : first_};
        r.etags = what_->succeeded(std::move(etags));
        return r;
    }

    failure failed(error const& e) {
        return failure{what_->failed(lost_ && e.outcome() == outcome::not_applied ? doubt_later(e) : e)};
    }

    /// The places of the user's operations are those of the transaction.
    static error without_head(error const& e) {
        auto const at = e.failed_index();
        if (!at) return e;
        auto d = e.details();
        d.failed_index = *at == 0 ? std::nullopt : std::optional{*at - 1};
        return error{e.code(), std::move(d)};
    }
    static error of_head(error const& e) {
        auto d = e.details();
        d.failed_index.reset();
        return error{e.code(), std::move(d)};
    }

    std::shared_ptr<transaction_core> what_;
    std::vector<encoded_effect> effects_;
    modify_options const& options_;
    environment const& env_;
    guid id_;
    ticks committed_;
    std::string partition_key_{};
    std::vector<transaction_item> all_{};
    etag read_etag_{};
    std::int64_t first_ = 0;
    std::optional<error> lost_{};  ///< the response to an earlier try
};

task<result<outbox_receipt>> commit_group(std::shared_ptr<transaction_core> what, std::vector<encoded_effect> effects,
                                          modify_options options) {
    auto const call = co_await this_call();
    outbox_commit commit{std::move(what), std::move(effects), options, call.env};
    auto receipt = co_await commit.run();
    co_return receipt;
}

/// Effects in another table or store would never be found.
bool is_of_table(outbox_place const& place, transaction_core const& what) noexcept {
    return what.store() == place.table->store && equal_ignoring_case(what.table(), place.table->name);
}

/// An ordinary commit: without effects there is nothing to keep in order.
task<result<outbox_receipt>> commit_alone(std::shared_ptr<transaction_core> what) {
    auto etags = co_await commit(std::move(what));
    if (!etags) co_return failure{etags.error()};
    outbox_receipt receipt;
    receipt.etags = *std::move(etags);
    co_return receipt;
}

}  // namespace

task<result<outbox_receipt>> commit_with_effects(outbox_place place, std::shared_ptr<transaction_core> what,
                                                 std::vector<encoded_effect> effects, modify_options options) {
    if (auto fault = what->fault()) co_return failure{*std::move(fault)};
    if (!is_of_table(place, *what))
        co_return failure{what->failed(refusal(service_errc::invalid_input,
                                               "the transaction is of another table or of another store object than "
                                               "the outbox; make both from one table<T>"))};
    if (effects.empty()) {
        auto receipt = co_await commit_alone(what);
        co_return receipt;
    }
    auto const queue = queue_of(place);
    std::string partition_key{what->partition_key()};
    auto receipt = co_await commit_group(what, std::move(effects), options);
    if (!receipt || place.queue.empty()) co_return receipt;
    auto const announced = co_await announce(queue, std::move(partition_key));
    if (!announced) receipt->not_queued = announced.error();
    co_return receipt;
}

}  // namespace tablemap::detail
