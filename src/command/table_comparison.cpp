// SPDX-License-Identifier: Apache-2.0
#include "command/table_comparison.hpp"

#include "base/digit_groups.hpp"
#include "command/chosen_rows.hpp"
#include "command/row_importer.hpp"

#include "tablemap/store/stored_row.hpp"

#include <string>
#include <utility>

namespace tablemap::inline v0_1::command {
namespace {

/// The rows of a table, of which one is at hand.
class row_cursor {
public:
    explicit row_cursor(table<dynamic_entity> const& t) : rows_(t.scan().read_ahead()) { advance(); }

    void advance() {
        auto next = value_or_throw(rows_.try_next());
        at_end_ = !next;
        if (next) row_ = std::move(next->value);
    }
    bool at_end() const noexcept { return at_end_; }
    dynamic_entity const& row() const noexcept { return row_; }
    entity_key key() const { return {row_.partition_key, row_.row_key}; }

private:
    query_range<dynamic_entity> rows_;
    dynamic_entity row_{};
    bool at_end_ = false;
};

/// Below 0 if the row of `a` comes first, above if that of `b` does.
int order_of(row_cursor const& a, row_cursor const& b) {
    if (a.at_end() || b.at_end()) return a.at_end() ? 1 : -1;
    entity_key_less const less;
    if (less(a.key(), b.key())) return -1;
    return less(b.key(), a.key()) ? 1 : 0;
}

void compare_next(row_cursor& a, row_cursor& b, table_differences& d) {
    int const order = order_of(a, b);
    auto const note = [&](std::size_t& count, row_cursor const& at) {
        ++count;
        if (!d.first) d.first = at.key();
    };
    if (order < 0) note(d.missing, a);
    if (order > 0) note(d.extra, b);
    if (order == 0 && !find_difference(a.row(), b.row()).empty()) note(d.different, a);
    if (order <= 0) ++d.rows, a.advance();
    if (order >= 0) b.advance();
}

}  // namespace

void require_comparable(table<dynamic_entity> const& a, table<dynamic_entity> const& b) {
    for (auto const* const t : {&a, &b})
        require_key_order(*t, "its tables cannot be compared; --no-verify copies without that");
}

table_differences compare_tables(table<dynamic_entity> const& a, table<dynamic_entity> const& b, console& c) {
    row_cursor x{a}, y{b};
    table_differences d;
    while (!x.at_end() || !y.at_end()) {
        compare_next(x, y, d);
        if (d.rows % 256 == 0) c.progress(a.name() + ": " + detail::counted(d.rows, "row", "rows") + " compared");
    }
    return d;
}

}  // namespace tablemap::inline v0_1::command
