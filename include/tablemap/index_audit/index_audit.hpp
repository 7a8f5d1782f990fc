// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/base/static_list.hpp"
#include "tablemap/base/entity_key.hpp"
#include "tablemap/detail/mapping/index_rows.hpp"
#include "tablemap/detail/store/task.hpp"
#include "tablemap/mapping/key_of.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

/// Finds and repairs stale rows of indexes: those left by programs that do not know the indexes, and those of an index
/// that was declared when there were entities already.
namespace tablemap::inline v0_1 {

/// The faults of a row of an index.
enum class index_fault : std::uint8_t {
    missing,     ///< an entity implies it, and it is not there
    differing,   ///< it does not hold what its entity implies
    orphaned,    ///< no entity implies it
    held_twice,  ///< two entities have one value of a unique index: the row is the other's
    unreadable,  ///< an entity that cannot be read, or a row that looks like one of an index but names no entity
};

/// "missing" and so on.
std::string_view index_fault_name(index_fault f) noexcept;

/// One row of an index that is stale, or was.
struct index_finding {
    index_fault what{};
    entity_key key{};              ///< of the index's row; of an unreadable entity its own
    std::string_view index{};      ///< its name; empty: an unreadable entity
    std::string entity_row_key{};  ///< of the entity that implies the row, or that an orphaned row is a copy of
    bool repaired = false;
    std::optional<tablemap::error> error{};  ///< why it cannot be read, or was not repaired
};

/// The findings of `verify_indexes` or `rebuild_indexes` so far.
struct index_report {
    std::size_t entities = 0;                                                              ///< read
    std::size_t index_rows = 0;                                                            ///< read
    std::size_t missing = 0, differing = 0, orphaned = 0, held_twice = 0, unreadable = 0;  ///< findings
    std::size_t repaired = 0;                                                              ///< of those
    std::size_t unsettled = 0;              ///< rows that others changed each time, or a relay will change
    std::vector<index_finding> findings{};  ///< see `index_audit_options::findings_kept`

    std::size_t found() const noexcept { return missing + differing + orphaned + held_twice + unreadable; }

    /// True if no row that this run read is still stale. A run with `resume` read only a part.
    bool in_step() const noexcept { return found() == repaired && unsettled == 0; }
};

/// The progress of `verify_indexes` or `rebuild_indexes`.
struct index_progress {
    index_report const& so_far;
    std::string resume;  ///< see `index_audit_options::resume`; empty at the end, and on a store without order
};

/// Options of `verify_indexes` and `rebuild_indexes`.
struct index_audit_options {
    /// Called after every page and its repairs, on the thread that drives the operation. An exception ends the
    /// operation.
    std::function<void(index_progress const&)> progress{};

    /// Called for every finding, after it was repaired if it was; as `progress`.
    std::function<void(index_finding const&)> on_finding{};

    std::size_t findings_kept = 1'000;  ///< in the report, the first ones
    std::size_t at_once = 16;           ///< requests under way
    std::size_t page_rows = 1'000;      ///< the most that are read at once, and repeated after an interruption

    /// The position that an earlier run of either operation on this table, or these partitions, reached. Empty: the
    /// beginning.
    std::string resume{};
};

namespace detail {

struct table_state;

// ---- audited types --------------------------------------------------------------------------------------------------

/// The properties of a type with indexes that the untemplated functions need.
struct audited_type {
    index_set const& indexes;
    static_list<row_type const*> entities;

    /// The row key of the entity that a row of an index is a copy of, or the error of reading the row.
    result<std::string> (*owner_of)(std::string& row, std::string_view row_key);
};

/// True if the row key begins like those of an index of the type.
template <class T> bool may_be_index_row(std::string_view row_key) noexcept {
    for (auto const& i : index_list<T>::list)
        if (row_key.starts_with(i.row_prefix)) return true;
    return false;
}

template <class T> struct index_owner {
    static late_result<T, std::string> find(std::string& row, std::string_view) { return read_owner<T>(row); }
};
template <class... Ts> struct index_owner<std::variant<Ts...>> {
    static late_result<std::variant<Ts...>, std::string> find(std::string& row, std::string_view row_key) {
        late_result<std::variant<Ts...>, std::string> found = fail(library_errc::another_type);
        auto const ask = [&]<class T>(T const*) {
            if constexpr (has_indexes<T>)
                if (!found && may_be_index_row<T>(row_key)) found = read_owner<T>(row);
        };
        (..., ask(static_cast<Ts const*>(nullptr)));
        return found;
    }
};

template <class T>
inline constexpr audited_type audited_type_of{index_set_of<T>, row_types<T>::list, &index_owner<T>::find};

// ---- the audit ------------------------------------------------------------------------------------------------------

/// Reads each partition at most twice: once to compare a sum over the index rows that its entities imply with a sum
/// over the index rows that it holds, and again, if they differ, to find the rows that make them differ. A row that
/// seems stale is read again before it is reported, so that writers at work are not taken for faults. A repair is
/// written on condition that neither the entity nor the row of the index was changed since.
///
/// Holds one page, and 32 KiB for each index, in memory. A store without order is read as one partition.
///
/// No partitions: all of the table. An error in place of them is the result. The table and the type are borrowed.
task<result<index_report>> audit_indexes(table_state const& table, result<std::vector<std::string>> partitions,
                                         audited_type const& type, bool repairs, index_audit_options options);

}  // namespace detail
}  // namespace tablemap
