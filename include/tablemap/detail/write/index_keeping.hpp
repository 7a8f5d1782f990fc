// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/index_check.hpp"
#include "tablemap/detail/write/single_request.hpp"
#include "tablemap/detail/write/write_encoder.hpp"
#include "tablemap/detail/write/modify_row.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// Writes of entities that have rows in indexes. The stored entity is read first, to know which rows to erase, then
/// those rows of unique indexes that have to be changed or erased, so that no row of another entity is touched (see
/// `companion`). The entity and all of its rows are written in one group transaction under the etags that were read. An
/// insert reads nothing.
namespace tablemap::inline v0_1::detail {

/// Adds the rows to an edited entity that have to be written beside it: those that only the encoded entity `stored`
/// implies are erased, those that are new or differ are written. Rows of unique indexes may have to be read before.
/// `stored` is null if there was none. It and the body may grow in capacity. Errors: as for reading the entities, and
/// those of `index_set::add_rows`.
result<void> keep_indexes(edited_entity& e, std::string* stored, index_set const& indexes,
                          property_cipher const* cipher);

/// The same for a value that is changed in its place: nothing is decoded again if the indexes are `exact`.
class index_change {
public:
    /// Both may be null, and are borrowed.
    index_change(index_set const* indexes, property_cipher const* cipher) noexcept;

    /// Notes the rows of the value before the change; there are none before an insert.
    void begin(void const* value, bool outdated);

    /// Adds the rows to write. `stored`: as for `keep_indexes`. Errors: as there.
    result<void> end(void const* value, std::string* stored, edited_entity& e);

private:
    index_set const* indexes_;
    property_cipher const* cipher_;
    std::vector<index_row> before_;
    result<void> begun_;
};

/// The form in which a write of an entity is sent, with its companions.
struct write_plan {
    write_kind kind{};
    std::string if_match{};
    std::vector<companion> companions{};
};

/// True if the stored entity has to be read first.
inline bool needs_read(encoded_write const& w) noexcept { return w.indexes && w.kind != write_kind::insert; }

/// True if the user named no version: after a conflict the entity is read again, and the write planned again.
inline bool is_of_any_version(encoded_write const& w) noexcept {
    return w.if_match == any_etag || w.kind == write_kind::upsert_replace || w.kind == write_kind::upsert_merge;
}

/// True if the write is planned again after a conflict, from what is stored then.
inline bool may_be_planned_again(encoded_write const& w) noexcept { return w.indexes && is_of_any_version(w); }

/// True if the write may be repeated after a lost response, whatever is stored then. An erase may not: it could erase
/// an entity that somebody inserted since.
inline bool may_be_repeated(encoded_write const& w) noexcept {
    return is_of_any_version(w) && w.kind != write_kind::erase;
}

/// Plans a write; rows of unique indexes may have to be read before. `read` is the response to `get_entity`; null if
/// none is needed. The bodies may grow in capacity, the cipher may be null. Errors: that of the read;
/// `service_errc::entity_already_exists`, `resource_not_found` and `update_condition_not_satisfied` as the store would
/// answer; those of `keep_indexes`.
result<write_plan> plan_write(encoded_write& w, response* read, property_cipher const* cipher);

/// A write of an entity as an editor; it gives the etag.
class index_keeper final : public row_editor {
public:
    using value_type = etag;

    /// The cipher, which may be null, is borrowed.
    index_keeper(encoded_write w, property_cipher const* cipher);

    result<bool> edit(response* read, environment const& env, edited_entity& write) override;
    etag finish(etag&& stored);
    etag unchanged();

private:
    encoded_write write_;
    property_cipher const* cipher_;
};

/// Carries out a write of an entity with rows in indexes, unless it is needless. The cipher and the table's name are
/// borrowed from the state.
///
/// \return the new etag; empty if nothing was sent, or an operation id showed that the write was applied
task<result<etag>> write_indexed(table_state const& table, encoded_write w);

/// The same, interpreted by `Finish` as the response to a single write.
template <class Finish>
task<result<finished_value<Finish>>> write_indexed(table_state const& table, encoded_write w, Finish finish) {
    response answer;
    auto const writing = write_indexed(table, std::move(w));
    auto stored = co_await writing;
    if (stored)
        answer.etag = *std::move(stored);
    else
        answer.failure = std::move(stored).error();
    co_return finished(finish, answer);
}

}  // namespace tablemap::detail
