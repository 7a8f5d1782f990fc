// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "patterns/list_findings.hpp"
#include "patterns/list_store.hpp"

#include <cstddef>

namespace tablemap::inline v0_1::detail {

/// Makes a damaged list anew from the entities. All is borrowed.
class list_rebuild {
public:
    /// `of_entities`: the query for all entities.
    list_rebuild(list_state const& table, query_page const& of_entities, environment const& env, list_findings& found)
        : table_(table), of_entities_(of_entities), env_(env), found_(found), lists_(table, env) {}

    /// In one write, so that a look-up finds the damage or all entities. While the list is damaged nobody else writes
    /// it. False if another repair was faster.
    task<result<bool>> run(list_address const& at, stored_list const& damaged) const;

private:
    task<result<list_lines>> lines_for(list_address const& at) const;
    task<result<bool>> write(list_address const& at, stored_list const& damaged, list_lines const& lines) const;
    result<std::size_t> add_owners(response& page, list_address const& at, list_lines& lines) const;

    list_state const& table_;
    query_page const& of_entities_;
    environment const& env_;
    list_findings& found_;
    list_store lists_;
};

}  // namespace tablemap::detail
