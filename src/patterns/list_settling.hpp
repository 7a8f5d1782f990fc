// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "patterns/list_store.hpp"

#include <cstddef>
#include <optional>

namespace tablemap::inline v0_1::detail {

/// Makes lists equal to an entity: for relays and repairs. All is borrowed.
class list_settling {
public:
    list_settling(list_state const& table, environment const& env) : table_(table), env_(env), lists_(table, env) {}

    /// Adds the entity to those of these lists whose value it has, and removes it from the others. Reads the lists
    /// first, then the entity, and writes a list only as it was read: whoever gives the entity a value later writes
    /// that list later. So a list that has to hold the entity is always written. After a conflict it begins again.
    ///
    /// A list that has no room left does not keep the others from being settled.
    ///
    /// \return the number of lists that were written. Errors: `library_errc::value_too_large`. In doubt if the response
    /// to a write was lost and no later try tells what became of it.
    task<result<std::size_t>> settle(entity_key const& own, list_lines const& values) const;

    /// The values of an entity; none if it is not there.
    task<result<value_keys>> values_of(entity_key const& own) const;

    /// The number of the index that a value's key belongs to; nothing for one that the program does not declare.
    std::optional<std::size_t> index_of(std::string_view value) const;

private:
    std::vector<list_address> addresses_of(entity_key const& own, list_lines const& values) const;
    task<result<std::size_t>> settle_some(entity_key const& own, std::vector<list_address> const& all) const;
    task<result<std::optional<std::size_t>>> try_to_settle(entity_key const& own, std::vector<list_address> const& all,
                                                           bool& lost_a_write) const;
    task<result<bool>> write(list_address const& at, stored_list const& old, list_lines const& lines,
                             bool& lost_a_write) const;

    list_state const& table_;
    environment const& env_;
    list_store lists_;
};

}  // namespace tablemap::detail
