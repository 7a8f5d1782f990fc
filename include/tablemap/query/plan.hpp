// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/store/request.hpp"
#include "tablemap/store/store.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap::inline v0_1 {

/// The rows that a query reads and the requests that it sends; `explain()` makes the plan without sending any.
///
/// The filter holds keys and values of the user's data.
struct query_plan {
    /// The kinds, cheapest first.
    enum class kind : std::uint8_t {
        point,      ///< one row
        row_range,  ///< adjacent rows, in each of the partitions
        partition,  ///< whole partitions
        scan,       ///< the whole table
    };

    kind reads = kind::scan;
    std::size_t partitions = 0;         ///< the number of partitions read, each by requests of its own; 0: all, as one
    std::string odata{};                ///< the `$filter` in the service's text, of the first partition; empty: none
    std::vector<std::string> select{};  ///< requested properties beside the keys; empty: all
    std::vector<std::string> warnings{};  ///< hidden costs, each a sentence without its full stop

    /// The plan as text for people, one line for each item. Its wording may change.
    ///
    ///     row range in one partition
    ///     filter: (PartitionKey eq 'Sales') and (RowKey ge '000200') and (RowKey lt '000300') and (Age ge 30)
    ///     select: Email, Age
    ///
    ///     scan of the whole table
    ///     filter: Age gt 60
    ///     select: all properties
    ///     warning: every row of the table is read, since no partition is given
    std::string text() const;

    friend bool operator==(query_plan const&, query_plan const&) = default;
};

namespace detail {

/// The parts of a query that a plan is made from, all borrowed.
struct planned_query {
    std::span<std::string const> partitions{};  ///< none: the whole table
    bool spread = false;                        ///< the partitions are the buckets of one
    key_bounds rows{};
    filter::expression const* where = nullptr;   ///< null: all
    std::span<std::string_view const> select{};  ///< empty: every property
};

/// Makes the plan of a query.
///
/// \return the plan, or an error as `filter::append_odata`
result<query_plan> make_plan(planned_query const& q, capabilities const& can);

/// True if no row can match: two comparisons of one property, joined by `and`, exclude each other.
bool matches_nothing(filter::expression const& e);

}  // namespace detail
}  // namespace tablemap
