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

namespace tablemap::inline v0_1 {

/// The tries of `modify` and `retry_on_conflict` after conflicts. Waits are random, from nothing to a bound that
/// doubles from try to try; it begins with the time that the try took, or `first_wait` if that is longer, and ends at
/// `longest_wait`.
struct modify_options {
    int attempts = 50;  ///< in total; 1: the first conflict is the error
    std::chrono::milliseconds first_wait{4};
    std::chrono::milliseconds longest_wait{500};
};

}  // namespace tablemap

namespace tablemap::inline v0_1::detail {

/// True if reading again and repeating a change may help: another writer was faster, and nothing was applied.
bool is_conflict(error const& e) noexcept;

inline constexpr std::string_view more_tries_remedy =
    "allow more in modify_options, or spread what is written over several entities";
/// The remedy for functions that take no `modify_options`.
inline constexpr std::string_view call_again_remedy =
    "call it again when fewer others write to it, or spread what is written over several entities";

/// The time of the next try after this many tries, the last of which took `took` and met this conflict; jittered. The
/// remedy is the advice of the error after too many tries.
///
/// \return the time, or error `library_errc::too_many_conflicts`, `deadline_exceeded`
result<time_point> next_try(modify_options const& options, int tries, std::chrono::nanoseconds took,
                            error const& conflict, environment const& env, std::string_view remedy = more_tries_remedy);

/// The time to read whether a write was applied whose response was lost; nothing if the deadline comes before.
std::optional<time_point> next_look(modify_options const& options, environment const& env);

/// The error of a write after this later one, when an earlier try may have been applied: in doubt. The code is the
/// later one's if a unique value is taken, since no earlier try can cause that; else the one of a lost response, see
/// `doubt`.
error doubt_later(error const& later);

/// The result of an editor: the entity to write, the kind of the write, the operation id in it, and the rows that are
/// written with it.
struct edited_entity {
    write_kind kind{};  ///< insert, replace, merge or erase
    std::string body{};
    std::optional<guid> operation_id{};
    std::vector<companion> companions{};
};

/// The group transaction that writes an entity and its companions. All is borrowed.
std::vector<write_operation> group_of(edited_entity const& e, std::string_view partition_key, std::string_view row_key,
                                      std::string_view if_match);

/// Removes from such a group the operations that cannot be carried out because an index lacks a row; false if the group
/// was refused for another reason.
bool repair_group(edited_entity& e, error const& refusal);

/// Marks a row of such a group to be read again, if the group was refused because the row changed; false if it was
/// refused for another reason.
bool look_again_in_group(edited_entity& e, error const& refusal);

/// The error of a single write that was sent as such a group: it names the index instead of the place in the group,
/// which the user does not know.
error attribute_failure(edited_entity const& e, error const& refusal);

/// The treatment of an entity that is not there.
enum class absence : std::uint8_t {
    an_error,
    an_insert,  ///< the editor makes the entity
    expected,   ///< the editor makes the entity, and nothing is read before; an existing entity is the error
};

/// The cases in which an edit is repeated on the entity as it is then.
enum class repetition : std::uint8_t {
    never,            ///< an entity that changed since it was read is the error
    after_conflicts,  ///< after conflicts, when nothing was applied
    after_losses,     ///< after conflicts and lost responses: the edit made twice has the same effect as once
};

/// The rules of an edit.
struct edit_rules {
    absence when_absent = absence::an_error;
    repetition repeated = repetition::after_conflicts;
    std::string_view remedy = more_tries_remedy;  ///< see `next_try`. Borrowed
};

/// Turns a response to `get_entity` into the write, possibly again after a conflict; false if there is nothing to
/// write. The write comes in empty. Makes the operation's value once the write is stored, or from the entity that was
/// read if there was nothing to write.
template <class E>
concept editor = requires(E& e, response& read, environment const& env, edited_entity& write, etag&& stored) {
    typename E::value_type;
    { e.edit(read, env, write) } -> std::same_as<result<bool>>;
    { e.finish(std::move(stored)) } -> std::same_as<typename E::value_type>;
    { e.unchanged() } -> std::same_as<typename E::value_type>;
};

/// An editor that also makes an entity where there is none, as the response says; the response is null if nothing was
/// read.
template <class E>
concept creating_editor = editor<E> && requires(E& e, response* read, environment const& env, edited_entity& write) {
    { e.create(read, env, write) } -> std::same_as<result<void>>;
};

/// The requests of `modify`, independent of the edited type: the same ordinary code for all.
class modify_steps {
public:
    /// The table's name is borrowed; the keys are kept.
    modify_steps(std::string_view table, std::string partition_key, std::string row_key, modify_options const& options,
                 edit_rules const& rules);

    step read(environment const& env);

    /// Takes the response to the last step. Nothing if the editor has to go on: the row was read, or is `absent`.
    std::optional<step> resume(environment const& env, std::span<response> answers);

    bool absent() const noexcept { return absent_; }
    bool expects_absence() const noexcept { return rules_.when_absent == absence::expected; }

    /// An empty write for the editor to fill in.
    edited_entity& new_edit() { return edited_ = {}; }

    /// Writes what the editor has filled in, or fails with its error.
    step write(result<void> const& edited);
    step begin_write(environment const& env, result<void> const& edited);
    step fail_with(error const& e);

    /// The error, if the operation failed. If not, the etag of the write may be taken; it is empty if an operation id
    /// showed that the write was applied.
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
    bool may_resend_ = false;  ///< after the lost response
    std::optional<error> fault_{};
    tablemap::etag stored_{};
    int tries_ = 0;
};

/// Read, change, write with If-Match; again after a conflict, with jittered waits. Companions are written in one group
/// transaction with the entity, so that after a lost response they are in the same state as the entity. Rows that might
/// be another entity's are read in between, all at once. If one of them was changed after that, it is read again, and
/// the same write is sent once more: the entity's etag in it ensures that the entity is still the one that was read.
///
/// After a response that stayed lost in all tries of the call's policy, even if that allows only one, the row is read
/// once more. If it has our operation id, the write was applied. If it has its old etag, the write was not applied, and
/// no longer can be once a new write is, which is sent once; an insert is repeated if there still is no row and the
/// call's policy says so (`repeat_in_doubt`). For any other row the edit is made again if the rules allow it after
/// losses, and sent once; else the outcome is in doubt. With `attempts` of 1 the row is read for its operation id only,
/// and nothing is sent again.
template <editor Edit> class modify_operation {
public:
    using value_type = typename Edit::value_type;

    modify_operation(std::string_view table, std::string partition_key, std::string row_key, Edit edit,
                     modify_options const& options = {},
                     edit_rules const& rules = {creating_editor<Edit> ? absence::an_insert : absence::an_error})
        : steps_(table, std::move(partition_key), std::move(row_key), options, rules), edit_(std::move(edit)) {}

    step start(environment const& env) {
        if constexpr (creating_editor<Edit>)
            if (steps_.expects_absence()) return steps_.begin_write(env, edit_.create(nullptr, env, steps_.new_edit()));
        return steps_.read(env);
    }

    step resume(environment const& env, std::span<response> answers) {
        if (auto next = steps_.resume(env, answers)) return *next;
        if constexpr (creating_editor<Edit>)
            if (steps_.absent()) return steps_.write(edit_.create(&answers.front(), env, steps_.new_edit()));
        auto const edited = edit_.edit(answers.front(), env, steps_.new_edit());
        if (!edited) return steps_.fail_with(edited.error());
        if (*edited) return steps_.write({});
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
