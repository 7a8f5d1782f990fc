// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/entity_key.hpp"
#include "tablemap/detail/write/companion.hpp"
#include "tablemap/detail/store/environment.hpp"
#include "tablemap/detail/store/task.hpp"
#include "tablemap/store/modify.hpp"

#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

/// The write of an edit under this etag, without its companions. All is borrowed.
write_operation operation_of(edited_entity const& e, entity_key const& key, std::string_view if_match) noexcept;

/// The error of a group of one entity: its user knows no place in a group.
error without_place(error const& e);

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

/// Turns the entity that was read into the write, possibly again after a conflict.
class row_editor {
public:
    /// \return false if there is nothing to write
    ///
    /// `read` is the response to `get_entity`, which says whether there is an entity; null if nothing was read. The
    /// write comes in empty.
    virtual result<bool> edit(response* read, environment const& env, edited_entity& write) = 0;

protected:
    row_editor() = default;
    row_editor(row_editor const&) = default;
    row_editor(row_editor&&) = default;
    ~row_editor() = default;
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
///
/// \return the etag of the write, empty if an operation id showed that it was applied; nothing if there was nothing to
/// write
/// \par Lifetime
/// The table's name, the key and the editor are borrowed.
task<result<std::optional<etag>>> modify_row(std::string_view table, entity_key const& key, row_editor& editor,
                                             modify_options options, edit_rules rules);

/// An editor that makes a value of what was written.
template <class E>
concept editor = std::derived_from<E, row_editor> && requires(E& e, etag&& stored) {
    typename E::value_type;
    { e.finish(std::move(stored)) } -> std::same_as<typename E::value_type>;
    { e.unchanged() } -> std::same_as<typename E::value_type>;
};

/// `modify_row`, and the value that the editor makes. An error of the key is the result. The table's name is borrowed.
template <editor Edit>
task<result<typename Edit::value_type>> modify_with(std::string_view table, late_result<Edit, entity_key> key,
                                                    Edit edit, modify_options options = {}, edit_rules rules = {}) {
    if (!key) co_return failure{std::move(key).error()};
    auto stored = co_await modify_row(table, *key, edit, options, rules);
    if (!stored) co_return failure{std::move(stored).error()};
    if (*stored) co_return edit.finish(**std::move(stored));
    co_return edit.unchanged();
}

}  // namespace tablemap::detail
