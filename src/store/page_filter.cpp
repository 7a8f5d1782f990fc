// SPDX-License-Identifier: Apache-2.0
#include "store/page_filter.hpp"

#include "tablemap/edm/names.hpp"
#include "tablemap/filter/odata.hpp"

namespace tablemap::inline v0_1::detail {
namespace {

void append_bound(std::string& filter, std::string_view name, filter::comparison_operator op, std::string_view key) {
    if (!filter.empty()) filter += " and ";
    filter += '(';
    filter::append_odata_comparison(filter, name, op, key);
    filter += ')';
}

void append_bounds(std::string& filter, std::string_view name, key_bounds const& b) {
    using op = filter::comparison_operator;
    if (b.is_exact()) return append_bound(filter, name, op::eq, *b.from);
    if (b.from) append_bound(filter, name, b.from_inclusive ? op::ge : op::gt, *b.from);
    if (b.to) append_bound(filter, name, b.to_inclusive ? op::le : op::lt, *b.to);
}

}  // namespace

result<std::string> odata_filter_of(query_page const& q) {
    std::string filter;
    append_bounds(filter, partition_key_name, q.partition);
    append_bounds(filter, row_key_name, q.row);
    if (!q.where) return filter;
    bool const alone = filter.empty();
    if (!alone) filter += " and (";
    if (auto const r = filter::append_odata(filter, *q.where); !r) return failure{r.error()};
    if (!alone) filter += ')';
    return filter;
}

query_page query_of_nothing(std::string_view table) {
    auto const empty_key = key_bounds::exactly({});
    return {.table = table, .partition = empty_key, .row = empty_key, .top = 1, .current = true};
}

bool is_query_of_nothing(query_page const& q) noexcept {
    auto const is_empty_key = [](key_bounds const& b) { return b.is_exact() && b.from->empty(); };
    return is_empty_key(q.partition) && is_empty_key(q.row) && q.top == 1U && q.current && !q.where;
}

}  // namespace tablemap::detail
