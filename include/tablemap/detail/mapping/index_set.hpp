// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/base/static_list.hpp"
#include "tablemap/base/entity_key.hpp"
#include "tablemap/detail/mapping/encode.hpp"
#include "tablemap/detail/mapping/row_type.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The indexes of a type as data for ordinary functions.
namespace tablemap::inline v0_1::detail {

/// One index as data for ordinary functions.
struct index_type {
    std::string_view name;
    std::string_view row_prefix;  ///< the text that its rows' keys begin with
    bool unique;
    bool whole;            ///< its rows hold all members
    bool sealed;           ///< they hold encrypted members: two encodings of one row differ
    row_type const* rows;  ///< the type of its rows, for reading; borrowed

    /// The row key of the entity that one of its rows is a copy of. The row may grow in capacity. Errors: as for
    /// reading it.
    result<std::string> (*owner_of)(std::string& row);
};

/// One index in another partition or table.
struct elsewhere_type {
    std::string_view name;
    std::string_view table;       ///< empty: that of the entities
    std::string_view row_prefix;  ///< the text that its rows' keys begin with
    bool sealed;                  ///< as `index_type::sealed`
    row_type const* rows;         ///< as `index_type::rows`

    /// The key of the entity that one of its rows is a copy of; as `index_type::owner_of`.
    result<entity_key> (*owner_of)(std::string& row);
};

/// The purpose of an entity's rows in indexes.
enum class row_use : std::uint8_t {
    write,    ///< all of them
    compare,  ///< the entity is stored: a value that no key can hold has no row
    erase,    ///< the same, and only their keys are made
};

/// A row of an index, made from its entity.
struct index_row {
    std::size_t index;  ///< its number in the `index_set`; those elsewhere follow on the others
    encoded_entity entity{};
    bool outdated = false;  ///< the entity is of an older version, and so the stored row may be
    entity_key owner{};     ///< of a row elsewhere: that of the entity
};

/// The indexes of a type, or of all types of a variant.
struct index_set {
    static_list<index_type> list;
    static_list<elsewhere_type> elsewhere;

    /// True if a value has the same rows before it is stored as after it was read. If not, only what is stored counts:
    /// those who look for rows later read that.
    bool exact;

    /// Appends the rows of a value, which is of the set's type: first those in its partition, then those elsewhere. The
    /// cipher may be null. Errors: as `make_key` and `encode`, with the index in the reason.
    result<void> (*add_rows_of_value)(void const* value, row_use use, std::vector<index_row>& rows,
                                      property_cipher const* cipher);

    /// The same of an encoded entity, which may lack properties, and may grow in capacity. Errors: as for reading the
    /// entity, too.
    result<void> (*add_rows)(std::string& entity, row_use use, std::vector<index_row>& rows,
                             property_cipher const* cipher);

    bool is_elsewhere(index_row const& r) const noexcept { return r.index >= list.size(); }
    elsewhere_type const& elsewhere_of(index_row const& r) const noexcept { return elsewhere[r.index - list.size()]; }

    /// The most rows that a write of one kind adds to the group of an entity: one in each index of the partition, and
    /// one for the relay.
    std::size_t rows_in_partition() const noexcept { return list.size() + (elsewhere.empty() ? 0 : 1); }
};

error in_index(error const& e, std::string_view index);

}  // namespace tablemap::detail
