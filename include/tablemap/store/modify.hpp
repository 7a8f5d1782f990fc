// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/companion.hpp"
#include "tablemap/detail/store/operation.hpp"
#include "tablemap/detail/store/retry.hpp"

#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tablemap {

/// How `modify` and `retry_on_conflict` go on after conflicts. Waits are random, from nothing to a bound that doubles from try to try; it begins with
/// the time that the try took, or `first_wait` if that is longer, and ends at `longest_wait`.
struct modify_options {
    int attempts = 50;  ///< in all; 1: the first conflict is the error
    std::chrono::milliseconds first_wait{4};
    std::chrono::milliseconds longest_wait{500};
};

}  // namespace tablemap

namespace tablemap::detail {

/// True if reading again and repeating a change may help: someone was faster, and nothing was applied.
bool is_conflict(error const& e) noexcept;

inline constexpr std::string_view more_tries_remedy =
    "allow more in modify_options, or spread what is written over several entities";
/// Where no `modify_options` can be given.
inline constexpr std::string_view call_again_remedy =
    "call it again when fewer others write to it, or spread what is written over several entities";

/// When to try again after so many tries, the last of which took so long and met this conflict; jittered. The remedy is what
/// an error tells to do when there were too many. Errors: `library_errc::too_many_conflicts`, `deadline_exceeded`.
result<time_point> next_try(modify_options const& options, int tries, std::chrono::nanoseconds took,
                            error const& conflict, environment const& env, std::string_view remedy = more_tries_remedy);

/// When to look what became of a write whose answer was lost; nothing if the deadline comes before.
std::optional<time_point> next_look(modify_options const& options, environment const& env);

/// The error of a write for this later one, where an earlier try may have been applied: in doubt. Named is the later one if a
/// unique value is taken, which no earlier try is the reason for; else that an answer was lost, see `doubt`.
error doubt_later(error const& later);

/// The result of an editor: the entity to write, the kind of the write, the operation id in it, and the rows that are
/// written with it.
struct edited_entity {
    write_kind kind{};  ///< insert, replace, merge or erase
    std::string body{};
    std::optional<guid> operation_id{};
    std::vector<companion> companions{};
};

/// The group transaction that writes an entity and what stands beside it. All is borrowed.
std::vector<write_operation> group_of(edited_entity const& e, std::string_view partition_key, std::string_view row_key,
                                      std::string_view if_match);

/// Takes out of such a group what cannot be carried out because an index lacks a row; false if that is not why it was refused.
bool repair_group(edited_entity& e, error const& refusal);

/// Makes a row of such a group one to be read again, if the group was refused because it changed; false if that is not why.
bool look_again_in_group(edited_entity& e, error const& refusal);

/// Why one write was refused that was sent as such a group: its place there says nothing to the user, but the index does.
error attribute_failure(edited_entity const& e, error refusal);

/// What an entity means to an operation that is not there.
enum class absence : std::uint8_t {
    an_error,
    an_insert,  ///< the editor makes it
    expected,   ///< the editor makes it, and nothing is read before; an entity that is there is the error
};

/// When an edit is made again, of what is read then.
enum class repetition : std::uint8_t {
    never,            ///< an entity that changed since it was read is the error
    after_conflicts,  ///< nothing was applied
    after_losses,     ///< and after conflicts: made twice, it is as made once
};

/// What an edit is allowed.
struct edit_rules {
    absence when_absent = absence::an_error;
    repetition repeated = repetition::after_conflicts;
    std::string_view remedy = more_tries_remedy;  ///< see `next_try`. Borrowed
};

/// Turns an answer to `get_entity` into what is to be written, if anything is, possibly again after a conflict. Makes the
/// operation's value once that is stored, or of what was read if nothing was to be written.
template <class E>
concept editor = requires(E& e, response& read, environment const& env, etag&& stored) {
    typename E::value_type;
    { e.edit(read, env) } -> std::same_as<result<std::optional<edited_entity>>>;
    { e.finish(std::move(stored)) } -> std::same_as<typename E::value_type>;
    { e.unchanged() } -> std::same_as<typename E::value_type>;
};

/// An editor that also makes an entity where there is none, which the answer says; null if nothing was read.
template <class E>
concept creating_editor = editor<E> && requires(E& e, response* read, environment const& env) {
    { e.create(read, env) } -> std::same_as<result<edited_entity>>;
};

/// The requests of `modify`, which need not know what is edited: the same ordinary code for all.
class modify_steps {
public:
    /// The table's name is borrowed; the keys are kept.
    modify_steps(std::string_view table, std::string partition_key, std::string row_key, modify_options const& options,
                 edit_rules const& rules);

    step read(environment const& env);

    /// Takes the answer to the last step. Nothing if that is for the editor: the row was read, or is `absent`.
    std::optional<step> resume(environment const& env, std::span<response> answers);

    bool absent() const noexcept { return absent_; }
    bool expects_absence() const noexcept { return rules_.when_absent == absence::expected; }
    step write(result<edited_entity>&& e);
    step begin_write(environment const& env, result<edited_entity>&& e);
    step fail_with(error e);

    /// Why it failed, if it did. Else the etag of what was written may be taken; it is empty if a token told that it was ours.
    std::optional<error>& fault() noexcept { return fault_; }
    etag& stored() noexcept { return stored_; }

private:
    enum class state { reading, looking, writing, waiting_to_check, checking, waiting_to_look, waiting };

    step send_read(state s);
    step look_and_write();
    step send_write();
    step after_looks(std::span<response> answers);
    std::optional<step> after_read(response& answer);
    step after_write(environment const& env, response& answer);
    step after_loss(environment const& env, error&& loss);
    step after_check(response& answer);
    step wait_before_next(environment const& env, error const& conflict, state then);
    bool is_outdated(error const& e) const noexcept;
    bool may_repeat() const noexcept;
    bool holds_our_id(response& read) const;
    bool inserting() const noexcept { return edited_.kind == write_kind::insert; }
    bool leaves_id() const noexcept { return edited_.operation_id && edited_.kind != write_kind::erase; }

    std::string_view table_;
    std::string partition_key_, row_key_;
    modify_options options_;
    edit_rules rules_;
    bool absent_ = false;
    state at_ = state::reading;
    request request_{};
    std::vector<request> looks_{};
    time_point began_{};
    tablemap::etag read_etag_{};
    edited_entity edited_{};
    std::vector<write_operation> group_{};
    std::optional<error> lost_{};
    bool may_resend_ = false;  ///< after the lost answer
    std::optional<error> fault_{};
    tablemap::etag stored_{};
    int tries_ = 0;
};

/// Read, change, write with If-Match; again after a conflict, with jittered waits. What is written beside the entity goes into
/// one group transaction with it, so what is known of the entity after a lost answer holds for all of them. Rows that might be
/// another entity's are read between, all at once. One of them that was changed after that is read again, and the same write is
/// sent once more: the entity's etag in it tells whether the entity is still the one that was read.
///
/// After an answer that stayed lost in all tries of the call's policy, even if that allows one alone, the row is read once more:
/// with our token the write was applied. With its old etag it was not, and cannot be any more once a new one is, which is sent
/// once; an insert is repeated where there still is no row if the call's policy says so (`repeat_in_doubt`). Of any other row the edit is made again if it may be after losses, and
/// sent once; else the outcome is in doubt. With `attempts` of 1 the row is read for the sake of a token only, and nothing is sent again.
template <editor Edit> class modify_operation {
public:
    using value_type = typename Edit::value_type;

    modify_operation(std::string_view table, std::string partition_key, std::string row_key, Edit edit,
                     modify_options const& options = {},
                     edit_rules const& rules = {creating_editor<Edit> ? absence::an_insert : absence::an_error})
        : steps_(table, std::move(partition_key), std::move(row_key), options, rules), edit_(std::move(edit)) {}

    step start(environment const& env) {
        if constexpr (creating_editor<Edit>)
            if (steps_.expects_absence()) return steps_.begin_write(env, edit_.create(nullptr, env));
        return steps_.read(env);
    }

    step resume(environment const& env, std::span<response> answers) {
        if (auto next = steps_.resume(env, answers)) return *next;
        if constexpr (creating_editor<Edit>)
            if (steps_.absent()) return steps_.write(edit_.create(&answers.front(), env));
        auto edited = edit_.edit(answers.front(), env);
        if (!edited) return steps_.fail_with(std::move(edited).error());
        if (*edited) return steps_.write(std::move(**edited));
        unchanged_ = true;
        return step::done();
    }

    result<value_type> take() {
        if (auto& fault = steps_.fault()) return failure{std::move(*fault)};
        return unchanged_ ? edit_.unchanged() : edit_.finish(std::move(steps_.stored()));
    }

private:
    modify_steps steps_;
    Edit edit_;
    bool unchanged_ = false;
};

}  // namespace tablemap::detail
