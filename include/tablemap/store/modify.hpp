// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/operation.hpp"
#include "tablemap/store/retry.hpp"

#include <concepts>
#include <optional>
#include <string>
#include <utility>

namespace tablemap::detail {

/// What an editor makes of the entity that was read: the whole entity to write, and the operation token in it.
struct edited_entity {
    std::string body;
    std::optional<guid> token{};
};

/// Turns an answer to `get_entity` into what is to be written, possibly again after a conflict, and makes the operation's
/// value once that is stored.
template <class E>
concept editor = requires(E& e, response& read, environment const& env, etag&& stored) {
    typename E::value_type;
    { e.edit(read, env) } -> std::same_as<result<edited_entity>>;
    { e.finish(std::move(stored)) } -> std::same_as<typename E::value_type>;
};

/// How often and how fast `modify` goes on after conflicts.
struct conflict_policy {
    int attempts = 50;
    std::chrono::milliseconds first_wait{4};
    std::chrono::milliseconds longest_wait{500};
};

/// Read, change, write with If-Match; again after a conflict, with jittered waits.
///
/// After a lost answer the row is read again: with its old etag the write was not applied, and cannot be any more once a new
/// one is; with our token it was; anything else leaves the outcome in doubt, and the editor is not called twice for it.
template <editor Edit> class modify_operation {
public:
    using value_type = typename Edit::value_type;

    /// The table's name is borrowed; the keys are kept.
    modify_operation(std::string_view table, std::string partition_key, std::string row_key, Edit edit,
                     conflict_policy policy = {})
        : table_(table),
          partition_key_(std::move(partition_key)),
          row_key_(std::move(row_key)),
          edit_(std::move(edit)),
          policy_(policy) {}

    step start(environment const&) { return read(); }

    step resume(environment const& env, std::span<response> answers) {
        switch (at_) {
        case state::waiting: return read();
        case state::reading: return edit_and_write(env, answers.front());
        case state::writing: return after_write(env, answers.front());
        case state::checking: return after_check(env, answers.front());
        }
        return step::done();
    }

    result<value_type> take() { return std::move(*result_); }

private:
    enum class state { reading, writing, checking, waiting };

    step read(state s = state::reading) {
        at_ = s;
        request_.emplace<get_entity>(get_entity{table_, partition_key_, row_key_, {}, true});
        return step::send(request_);
    }

    step write() {
        at_ = state::writing;
        request_.emplace<write_entity>(write_entity{table_,
                                                    {.kind = write_kind::replace,
                                                     .partition_key = partition_key_,
                                                     .row_key = row_key_,
                                                     .body = edited_.body,
                                                     .if_match = read_etag_.text(),
                                                     .token = edited_.token}});
        return step::send(request_);
    }

    step edit_and_write(environment const& env, response& answer) {
        if (!answer.ok()) return fail_with(std::move(*answer.failure));
        auto edited = edit_.edit(answer, env);
        if (!edited) return fail_with(std::move(edited).error());
        edited_ = std::move(*edited);
        read_etag_ = std::move(answer.etag);
        return write();
    }

    step after_write(environment const& env, response& answer) {
        if (answer.ok()) return finish(std::move(answer.etag));
        if (answer.outcome() == outcome::in_doubt) {
            lost_ = std::move(answer.failure);
            return ++tries_ < policy_.attempts ? read(state::checking) : fail_with(std::move(*lost_));
        }
        if (lost_) return fail_with(doubt(*answer.failure));
        if (answer.failure->code() == service_errc::update_condition_not_satisfied)
            return wait_before_next(env, std::move(*answer.failure));
        return fail_with(std::move(*answer.failure));
    }

    step after_check(environment const&, response& answer) {
        if (!answer.ok()) return fail_with(doubt(*answer.failure));
        if (answer.etag == read_etag_) return write();
        // Applied, but the row may have been changed since by a writer without tokens: its etag is not known to be ours.
        if (edited_.token && token_in(answer.body) == edited_.token) return finish({});
        return fail_with(std::move(*lost_));
    }

    step wait_before_next(environment const& env, error conflict) {
        if (++tries_ >= policy_.attempts)
            return fail_with(error{library_errc::too_many_conflicts,
                                   {.reason = "it gave up after " + std::to_string(tries_) + " tries"}});
        auto const doublings = std::min(tries_ - 1, 20);
        auto const longest = std::min<std::chrono::nanoseconds>(
            std::chrono::nanoseconds{policy_.first_wait} * (std::int64_t{1} << doublings), policy_.longest_wait);
        auto const until = env.wait_for(env.jittered(longest, 1.0));
        if (!until)
            return fail_with(
                error{library_errc::deadline_exceeded, {.reason = "the last try met: " + conflict.code().message()}});
        at_ = state::waiting;
        return step::wait_until(*until);
    }

    step finish(tablemap::etag&& e) {
        result_ = edit_.finish(std::move(e));
        return step::done();
    }

    step fail_with(error e) {
        result_ = failure{std::move(e)};
        return step::done();
    }

    std::string_view table_;
    std::string partition_key_, row_key_;
    Edit edit_;
    conflict_policy policy_;
    state at_ = state::reading;
    request request_{};
    tablemap::etag read_etag_{};
    edited_entity edited_{};
    std::optional<error> lost_{};
    std::optional<result<value_type>> result_{};
    int tries_ = 0;
};

}  // namespace tablemap::detail
