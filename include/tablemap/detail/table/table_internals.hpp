// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/write/single_request.hpp"

#include <utility>

namespace tablemap::inline v0_1::detail {

/// The access of other classes to the insides of tables and ranges.
struct table_internals {
    template <class Table> static table_state const& state(Table const& t) noexcept { return *t.shared_state(); }
    template <class Table> static auto const& shared_state(Table const& t) noexcept { return t.shared_state(); }
    /// The query of a range, from its beginning.
    template <class Range> static auto query(Range const& r) { return r.fresh(); }

    /// A range over a query.
    template <class Range, class State> static Range range(State query) { return Range{std::move(query)}; }
};

}  // namespace tablemap::detail
