// SPDX-License-Identifier: Apache-2.0
#include "command/chosen_rows.hpp"

#include "tablemap/detail/table/table_internals.hpp"

#include <utility>

namespace tablemap::inline v0_1::command {
namespace {

/// The names are known at run time only, so they do not pass through `query_range::select`.
query_range<dynamic_entity> selected(query_range<dynamic_entity> const& rows, std::vector<std::string> names) {
    auto query = detail::table_internals::query(rows);
    query->select(std::move(names));
    return detail::table_internals::range<query_range<dynamic_entity>>(std::move(query));
}

}  // namespace

query_range<dynamic_entity> chosen_rows(table<dynamic_entity> const& t, row_choice const& choice) {
    auto rows = choice.partition ? t.query(partition(*choice.partition)) : t.scan();
    if (!choice.filter.empty()) rows = rows.where(raw_filter::from_trusted_text(choice.filter));
    if (choice.top) rows = rows.top(*choice.top);
    return choice.select.empty() ? rows : selected(rows, choice.select);
}

void require_key_order(table<dynamic_entity> const& t, std::string const& what) {
    if (detail::table_internals::state(t).store->capabilities().ordered_results) return;
    throw error{library_errc::unsupported,
                {.reason = "the store does not answer in the order of keys, so " + what, .table = t.name()}};
}

}  // namespace tablemap::inline v0_1::command
