// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/read/query_state.hpp"
#include "tablemap/detail/store/task.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// Takes rows of a query.
class row_taker {
public:
    /// Takes rows of the pages at hand. True if it needs no more; else pages are fetched, and it is called again.
    /// Errors: those of a row.
    virtual result<bool> take(query_state& from) = 0;

protected:
    ~row_taker() = default;
};

/// Reads a query on until `to` needs no more. Errors: those of the query, of the store, and of a row. All is borrowed.
task<result<void>> read_rows(query_state& query, row_taker& to);

/// Takes the next entity, or the end, as `query_state::advance`. The query is borrowed.
task<result<void>> advance(query_state& query);

/// Takes the entities of the pages at hand, until there are `most` of them. True at the end, too.
template <class T> result<bool> take_entities(query_state& from, std::vector<entity<T>>& to, std::size_t most) {
    while (to.size() < most) {
        auto there = from.take();
        if (!there || !*there) return there;
        auto* const e = current_of<T>(from);
        if (!e) break;
        to.push_back(std::move(*e));
    }
    return true;
}

}  // namespace tablemap::detail
