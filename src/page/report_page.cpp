// SPDX-License-Identifier: Apache-2.0
#include "page/report_page.hpp"

#include "page/charts.hpp"
#include "page/findings.hpp"
#include "page/frame.hpp"
#include "page/table_section.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace tablemap::inline v0_1::page {
namespace {

struct totals {
    std::uint64_t rows = 0, bytes = 0, partitions = 0, most_rows = 0;
    bool exact = true;
};

totals totals_of(report const& r) {
    totals sum{.exact = r.tables_left_out == 0};
    for (auto const& t : r.tables) {
        sum.rows += t.rows, sum.bytes += t.bytes, sum.partitions += t.partitions;
        sum.most_rows = std::max(sum.most_rows, t.rows);
        sum.exact = sum.exact && t.complete;
    }
    return sum;
}

/// "2014-07-31 09:30 UTC"
std::string minute_of(ticks t) {
    auto text = t.text().substr(0, 16);
    std::ranges::replace(text, 'T', ' ');
    return text + " UTC";
}

void write_header(html& to, report const& r) {
    to.add("<header>\n<p class=\"over\">tablemap report</p>\n<h1>").text(r.title).add("</h1>\n<p class=\"soft\">Made ");
    to.text(minute_of(r.made)).add("</p>\n</header>\n");
}

void write_totals(html& to, report const& r, totals const& sum) {
    to.add("<dl class=\"tiles\"><div class=\"tile\"><dt>Tables</dt><dd>").number(r.tables.size() + r.tables_left_out);
    to.add("</dd></div><div class=\"tile\"><dt>Rows</dt><dd>");
    write_at_least(to, sum.rows, sum.exact);
    to.add("</dd></div><div class=\"tile\"><dt>Size</dt><dd>");
    write_bytes_at_least(to, sum.bytes, sum.exact);
    to.add("</dd></div><div class=\"tile\"><dt>Partitions</dt><dd>");
    write_at_least(to, sum.partitions, sum.exact);
    to.add("</dd></div></dl>\n");
}

/// All findings, warnings first, each with the name of its table.
std::vector<attention> all_findings(report const& r) {
    std::vector<attention> all;
    auto const add = [&](std::string const& table, attention a) {
        a.text = table + ": " + a.text;
        all.push_back(std::move(a));
    };
    for (auto const& t : r.tables)
        for (auto const& a : t.findings) add(t.name, a);
    for (auto const& name : r.missing) add(name, attention_to_missing_table());
    std::ranges::stable_sort(all, std::ranges::greater{}, &attention::level);
    return all;
}

void write_attention(html& to, report const& r) {
    to.add("<div class=\"card wide\">\n<h3>What needs attention</h3>\n");
    auto const all = all_findings(r);
    if (all.empty())
        to.add("<p class=\"good\">Nothing in the rows that were read.</p>\n");
    else
        write_findings(to, all);
    to.add("</div>\n");
}

void write_overview_row(html& to, table_report const& t, std::size_t number, std::uint64_t most) {
    to.add("<tr><td><a href=\"#t").number(number).add("\">").text(t.name).add("</a></td><td class=\"n\">");
    write_at_least(to, t.rows, t.complete);
    to.add("</td><td class=\"n\">");
    write_bytes_at_least(to, t.bytes, t.complete);
    to.add("</td><td class=\"n\">");
    write_at_least(to, t.partitions, t.complete);
    to.add("</td><td class=\"bar optional\">");
    draw_bar(to, most == 0 ? 0 : static_cast<double>(t.rows) / static_cast<double>(most));
    to.add("</td></tr>\n");
}

void write_overview(html& to, report const& r, std::uint64_t most) {
    to.add("<div class=\"card wide\">\n<h3>Tables</h3>\n<table><thead><tr><th>Table</th><th class=\"n\">Rows</th>"
           "<th class=\"n\">Size</th><th class=\"n\">Partitions</th><th class=\"optional\">Rows of the largest</th>"
           "</tr></thead><tbody>\n");
    for (std::size_t i = 0; i < r.tables.size(); ++i) write_overview_row(to, r.tables[i], i + 1, most);
    to.add("</tbody></table>\n");
    if (r.tables_left_out > 0)
        to.add("<p class=\"note\">").number(r.tables_left_out).add(" more tables are not in this report.</p>\n");
    to.add("</div>\n");
}

}  // namespace

std::string report_page(report const& r) {
    html to;
    begin_page(to, r.title);
    write_header(to, r);
    to.add("<main>\n");
    auto const sum = totals_of(r);
    write_totals(to, r, sum);
    to.add("<div class=\"cards\">\n");
    write_attention(to, r);
    write_overview(to, r, sum.most_rows);
    to.add("</div>\n");
    for (std::size_t i = 0; i < r.tables.size(); ++i) write_table_section(to, r.tables[i], i + 1, r.browsable);
    to.add("</main>\n<footer>Sizes are by the service's formula. A number with + is that of the rows that were read; "
           "the table has more.</footer>\n");
    end_page(to);
    return std::move(to).take();
}

}  // namespace tablemap::page
