// SPDX-License-Identifier: Apache-2.0
#include "page/row_pages.hpp"

#include "page/frame.hpp"
#include "tablemap/detail/wire/writer.hpp"
#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/table/table.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::page {
namespace {

constexpr std::size_t partitions_of_page = 25;
constexpr std::size_t rows_of_page = 50;
constexpr std::size_t most_columns = 40;

using shown_table = table<dynamic_entity>;

void begin_rows(html& to, std::string const& table, markup what) {
    begin_page(to, table);
    to.add("<header>\n<p class=\"over\">tablemap</p>\n<h1>").text(table).add("</h1>\n<nav><a href=\"/\">Report</a>");
    to.add("<a href=\"/-/partitions?table=").parameter(table).add("\">Partitions</a>");
    to.add("<a href=\"/-/rows?table=").parameter(table).add("\">All rows</a></nav>\n</header>\n<main>\n");
    to.add("<div class=\"card\">\n<h3>").add(what).add("</h3>\n");
}

std::string end_rows(html& to) {
    to.add("</div>\n</main>\n<footer></footer>\n");
    end_page(to);
    return std::move(to).take();
}

std::optional<std::string> partition_after(shown_table const& t, std::optional<std::string> const& key) {
    auto const rows = key ? t.scan().where(raw_filter{"PartitionKey gt {}", *key}) : t.scan();
    auto const first = rows.first();
    return first ? std::optional{first->value.partition_key} : std::nullopt;
}

struct shown_rows {
    std::vector<entity<dynamic_entity>> rows{};
    std::optional<std::string> cursor{};
};

shown_rows read_page(shown_table const& t, row_place const& at) {
    auto rows = (at.partition ? t.query(partition(*at.partition)) : t.scan()).page_size(rows_of_page);
    if (!at.cursor.empty()) rows = rows.from(at.cursor);
    shown_rows found;
    while (found.rows.size() < rows_of_page) {
        auto next = value_or_throw(rows.try_next());
        if (!next) return found;
        found.rows.push_back(*std::move(next));
    }
    found.cursor = rows.cursor();
    return found;
}

/// The names of properties, in the order in which they are met.
std::vector<std::string> columns_of(std::vector<entity<dynamic_entity>> const& rows) {
    std::vector<std::string> names;
    for (auto const& row : rows)
        for (auto const& p : detail::properties_of(row.value)) {
            if (names.size() == most_columns) return names;
            if (std::ranges::find(names, p.name) == names.end()) names.push_back(p.name);
        }
    return names;
}

/// The text of a value, without the quotes of JSON.
std::string shown_value(property_value const& v) {
    if (auto const* const text = std::get_if<std::string>(&v)) return *text;
    std::string out;
    detail::append_any_value(out, v);
    return out.starts_with('"') ? out.substr(1, out.size() - 2) : out;
}

void write_value(html& to, property_value const* v) {
    to.add("<td>");
    if (v) to.key(shown_value(*v));
    to.add("</td>");
}

void write_row(html& to, dynamic_entity const& row, std::vector<std::string> const& columns, bool with_partition) {
    to.add("<tr>");
    if (with_partition) to.add("<td>").key(row.partition_key).add("</td>");
    to.add("<td>").key(row.row_key).add("</td>");
    for (auto const& name : columns) write_value(to, row.find(name));
    to.add("</tr>\n");
}

void write_head(html& to, std::vector<std::string> const& columns, bool with_partition) {
    to.add("<div class=\"scroll\"><table class=\"rows\"><thead><tr>");
    if (with_partition) to.add("<th>PartitionKey</th>");
    to.add("<th>RowKey</th>");
    for (auto const& name : columns) to.add("<th>").text(name).add("</th>");
    to.add("</tr></thead><tbody>\n");
}

void write_next_rows(html& to, row_place const& at, std::string const& cursor) {
    to.add("<p><a href=\"/-/rows?table=").parameter(at.table);
    if (at.partition) to.add("&amp;partition=").parameter(*at.partition);
    to.add("&amp;cursor=").parameter(cursor).add("\">Further rows</a></p>\n");
}

}  // namespace

std::string partitions_page(store_ptr const& store, row_place const& at) {
    shown_table const t{store, at.table};
    html to;
    begin_rows(to, at.table, "Partitions");
    to.add("<table><tbody>\n");
    auto key = partition_after(t, at.after);
    for (std::size_t i = 0; key && i < partitions_of_page; key = partition_after(t, key), ++i) {
        to.add("<tr><td><a href=\"/-/rows?table=").parameter(at.table).add("&amp;partition=").parameter(*key);
        to.add("\">").key(*key).add("</a></td></tr>\n");
        if (i + 1 == partitions_of_page) {
            to.add("</tbody></table>\n<p><a href=\"/-/partitions?table=").parameter(at.table).add("&amp;after=");
            to.parameter(*key).add("\">Further partitions</a></p>\n");
            return end_rows(to);
        }
    }
    to.add("</tbody></table>\n");
    return end_rows(to);
}

std::string rows_page(store_ptr const& store, row_place const& at) {
    auto const found = read_page(shown_table{store, at.table}, at);
    auto const columns = columns_of(found.rows);
    html to;
    begin_rows(to, at.table, "Rows");
    if (at.partition) to.add("<p class=\"soft\">Partition ").key(*at.partition).add("</p>\n");
    write_head(to, columns, !at.partition);
    for (auto const& row : found.rows) write_row(to, row.value, columns, !at.partition);
    to.add("</tbody></table></div>\n");
    if (found.rows.empty()) to.add("<p class=\"soft\">There are no rows.</p>\n");
    if (columns.size() == most_columns)
        to.add("<p class=\"note\">Only ").number(most_columns).add(" properties have columns.</p>\n");
    if (found.cursor) write_next_rows(to, at, *found.cursor);
    return end_rows(to);
}

}  // namespace tablemap::page
