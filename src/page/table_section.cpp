// SPDX-License-Identifier: Apache-2.0
#include "page/table_section.hpp"

#include "page/charts.hpp"
#include "page/findings.hpp"
#include "page/types_of_property.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace tablemap::inline v0_1::page {
namespace {

constexpr std::size_t most_differences = 40;

constexpr markup warning_word = "Warning", hint_word = "Hint", error_word = "Error", note_word = "Note";

double share_of(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

void begin_card(html& to, markup title) { to.add("<div class=\"card\">\n<h3>").add(title).add("</h3>\n"); }
void begin_wide_card(html& to, markup title) { to.add("<div class=\"card wide\">\n<h3>").add(title).add("</h3>\n"); }
void end_card(html& to) { to.add("</div>\n"); }

void write_tiles(html& to, table_report const& t) {
    to.add("<dl class=\"tiles\"><div class=\"tile\"><dt>Rows</dt><dd>");
    write_at_least(to, t.rows, t.complete);
    to.add("</dd></div><div class=\"tile\"><dt>Size</dt><dd>");
    write_bytes_at_least(to, t.bytes, t.complete);
    to.add("</dd></div><div class=\"tile\"><dt>Partitions</dt><dd>");
    write_at_least(to, t.partitions, t.complete);
    to.add("</dd></div><div class=\"tile\"><dt>Size of a row</dt><dd>");
    to.bytes(t.rows == 0 ? 0 : t.bytes / t.rows).add("</dd></div><div class=\"tile\"><dt>Largest row</dt><dd>");
    write_bytes_at_least(to, t.extremes.row_bytes, t.complete);
    to.add("</dd></div></dl>\n");
}

void write_link(html& to, std::string const& table, std::string const& partition) {
    to.add("<a href=\"/-/rows?table=").parameter(table).add("&amp;partition=").parameter(partition);
    to.add("\">").key(partition).add("</a>");
}

void write_partition(html& to, table_report const& t, partition_fact const& p, bool browsable) {
    to.add("<tr><td>");
    browsable ? write_link(to, t.name, p.key) : void(to.key(p.key));
    to.add("</td><td class=\"n\">");
    write_at_least(to, p.rows, !p.more);
    to.add("</td><td class=\"n\">").percent(p.share).add("</td><td class=\"bar\">");
    draw_bar(to, share_of(p.rows, t.largest.front().rows));
    to.add("</td></tr>\n");
}

void write_largest(html& to, table_report const& t, bool browsable) {
    begin_card(to, "Largest partitions");
    to.add("<table><thead><tr><th>Partition key</th><th class=\"n\">Rows</th><th class=\"n\">Share</th>"
           "<th><span class=\"soft\">of the largest</span></th></tr></thead><tbody>\n");
    for (auto const& p : t.largest) write_partition(to, t, p, browsable);
    to.add("</tbody></table>\n");
    if (t.sampled) to.add("<p class=\"note\">Rows and shares of a sample from several places of the table.</p>\n");
    end_card(to);
}

void write_class(html& to, size_class const& c, std::uint64_t most) {
    to.add("<tr><td>").number(c.least);
    if (c.most == std::numeric_limits<std::uint64_t>::max())
        to.add(" and more");
    else if (c.most > c.least)
        to.add(" to ").number(c.most);
    to.add("</td><td class=\"n\">").number(c.partitions).add("</td><td class=\"bar\">");
    draw_bar(to, share_of(c.partitions, most));
    to.add("</td></tr>\n");
}

void write_sizes(html& to, table_report const& t) {
    begin_card(to, "Partitions by size");
    to.add("<table><thead><tr><th>Rows of a partition</th><th class=\"n\">Partitions</th><th></th></tr></thead>"
           "<tbody>\n");
    auto const most = std::ranges::max(t.sizes, {}, &size_class::partitions).partitions;
    for (auto const& c : t.sizes) write_class(to, c, most);
    to.add("</tbody></table>\n");
    if (!t.complete) to.add("<p class=\"note\">Only the rows that were read count.</p>\n");
    end_card(to);
}

void write_slices(html& to, table_report const& t) {
    begin_wide_card(to, "Rows in the order of partition keys");
    draw_slices(to, t.slices);
    to.add("<div class=\"ends\"><span>").key(t.slices.front().first);
    to.add("</span><span>").key(t.slices.back().last).add("</span></div>\n<p class=\"note\">Each column is ");
    to.number(t.slices.front().partitions);
    if (t.slices.front().partitions == 1)
        to.add(" partition");
    else
        to.add(" partitions that follow each other");
    to.add("; the highest has ").number(std::ranges::max(t.slices, {}, &key_slice::rows).rows).add(" rows.");
    if (!t.complete) to.add(" Only the rows that were read, at the beginning of the table, are shown.");
    to.add("</p>\n");
    end_card(to);
}

void write_kinds(html& to, table_report const& t) {
    begin_card(to, "Kinds of rows");
    to.add("<table><tbody>\n");
    for (auto const& k : t.kinds) {
        to.add("<tr><td>").key(k.name).add("</td><td class=\"n\">");
        write_at_least(to, k.rows, t.complete);
        to.add("</td><td class=\"bar\">");
        draw_bar(to, share_of(k.rows, t.rows));
        to.add("</td></tr>\n");
    }
    to.add("</tbody></table>\n");
    if (!t.type_property.empty())
        to.add("<p class=\"note\">Told apart by the property ").key(t.type_property).add(".</p>\n");
    end_card(to);
}

void write_types(html& to, property_fact const& p) {
    bool first = true;
    for (auto const& s : types_of(p)) {
        if (!first) to.add(", ");
        to.text(short_name(s.type));
        if (p.types() > 1) to.add("&nbsp;").percent(s.share);
        first = false;
    }
}

void write_property(html& to, property_fact const& p, std::uint64_t rows) {
    to.add("<tr><td>").key(p.name).add("</td><td class=\"types\">");
    write_types(to, p);
    if (p.types() > 1) to.add(" <span class=\"badge warning\">").number(p.types()).add(" types</span>");
    to.add("</td><td class=\"n\">").percent(share_of(p.total(), rows)).add("</td><td class=\"bar optional\">");
    draw_types(to, p, rows);
    to.add("</td></tr>\n");
}

void write_properties(html& to, table_report const& t) {
    begin_wide_card(to, "Properties and their types");
    to.add("<table><thead><tr><th>Property</th><th>Type</th><th class=\"n\">Rows that have it</th>"
           "<th class=\"optional\"></th></tr></thead><tbody>\n");
    for (auto const& p : t.properties) write_property(to, p, t.rows);
    to.add("</tbody></table>\n");
    if (t.more_properties) to.add("<p class=\"note\">The table has more property names than are counted here.</p>\n");
    end_card(to);
}

void write_index(html& to, index_fact const& i) {
    to.add("<tr><td>").key(i.beginning).add("</td><td>").key(i.type).add("</td><td class=\"n\">").number(i.rows);
    if (!i.known) {
        to.add("</td><td class=\"n none\" colspan=\"3\">not comparable</td></tr>\n");
        return;
    }
    to.add("</td><td class=\"n\">").number(i.differing).add("</td><td class=\"n\">").number(i.without_entity);
    to.add("</td><td class=\"n\">").number(i.entities_without).add("</td></tr>\n");
}

void write_indexes(html& to, table_report const& t) {
    begin_wide_card(to, "Indexes");
    to.add("<div class=\"scroll\"><table><thead><tr><th>Row keys begin with</th><th>Of type</th>"
           "<th class=\"n\">Rows</th><th class=\"n\">Differing</th><th class=\"n\">Without<br>entity</th>"
           "<th class=\"n\">Entities<br>without</th></tr></thead><tbody>\n");
    for (auto const& i : t.indexes) write_index(to, i);
    to.add("</tbody></table></div>\n<p class=\"note\">Compared without the types of a program. Rows of a unique index "
           "cannot be compared so, and an index with a condition has no row of some entities. "
           "<code>verify_indexes</code> knows the types.</p>\n");
    if (t.partitions_not_compared > 0)
        to.add("<p class=\"note\">Not compared, because they are too large or were not read whole: ")
            .number(t.partitions_not_compared)
            .add(" partitions.</p>\n");
    end_card(to);
}

void write_outbox(html& to, outbox_fact const& o) {
    begin_card(to, "Outbox");
    to.add("<dl class=\"facts\"><div><dt>Pending</dt><dd>").number(static_cast<std::uint64_t>(o.pending));
    to.add("</dd></div><div><dt>Parked</dt><dd>").number(static_cast<std::uint64_t>(o.parked));
    to.add("</dd></div><div><dt>Oldest pending</dt><dd>").number(static_cast<std::uint64_t>(o.lag.count()));
    to.add("&nbsp;s</dd></div><div><dt>Partitions</dt><dd>").number(o.partitions).add("</dd></div></dl>\n");
    end_card(to);
}

void write_finding(html& to, attention const& a, markup word) {
    if (a.level == weight::warning)
        to.add("<li><span class=\"badge warning\">");
    else
        to.add("<li><span class=\"badge hint\">");
    to.add(word).add("</span><span>").text(a.text);
    if (a.partition_key) to.text(a.rows > 1 ? " (first: partition " : " (partition ").key(*a.partition_key).add(")");
    to.add("</span></li>\n");
}

void write_entity(html& to, inspect::checked_entity const& e, bool complete) {
    to.add("<tr><td>").key(e.name);
    for (auto const rows : {e.rows, e.older, e.unreadable}) {
        to.add("</td><td class=\"n\">");
        write_at_least(to, rows, complete);
    }
    to.add("</td></tr>\n");
}

void write_other_rows(html& to, markup what, std::uint64_t rows, bool complete) {
    if (rows == 0) return;
    to.add("<tr><td class=\"none\">").add(what).add("</td><td class=\"n\">");
    write_at_least(to, rows, complete);
    to.add("</td><td></td><td></td></tr>\n");
}

void write_difference(html& to, inspect::drift const& d) {
    write_finding(to, attention_to(d), d.level == inspect::drift_level::error ? error_word : note_word);
}

void write_differences(html& to, inspect::schema_report const& r) {
    if (r.drifts.empty()) {
        to.add("<p class=\"good\">The rows that were read do not differ from the schema.</p>\n");
        return;
    }
    to.add("<ul class=\"findings\">\n");
    for (auto const& d : std::span{r.drifts}.first(std::min(r.drifts.size(), most_differences)))
        write_difference(to, d);
    to.add("</ul>\n");
    if (r.drifts.size() > most_differences || r.left_out > 0)
        to.add("<p class=\"note\">More differs than is listed here. <code>tablemap check</code> lists more.</p>\n");
}

void write_drift(html& to, inspect::schema_report const& r, bool complete) {
    begin_wide_card(to, "Entities of the schema");
    to.add("<table><thead><tr><th>Entity</th><th class=\"n\">Rows</th><th class=\"n\">Of older versions</th>"
           "<th class=\"n\">Unreadable</th></tr></thead><tbody>\n");
    for (auto const& e : r.entities) write_entity(to, e, complete);
    write_other_rows(to, "rows of their indexes", r.index_rows, complete);
    write_other_rows(to, "rows that are kept beside entities", r.companions, complete);
    write_other_rows(to, "rows of no entity", r.unclaimed, complete);
    to.add("</tbody></table>\n");
    write_differences(to, r);
    end_card(to);
}

void write_cards(html& to, table_report const& t, bool browsable) {
    to.add("<div class=\"cards\">\n");
    write_largest(to, t, browsable);
    to.add("<div class=\"stack\">\n");
    write_sizes(to, t);
    write_kinds(to, t);
    if (t.outbox) write_outbox(to, *t.outbox);
    to.add("</div>\n");
    if (t.slices.size() > 1) write_slices(to, t);
    if (!t.properties.empty()) write_properties(to, t);
    if (t.drift) write_drift(to, *t.drift, t.complete);
    if (!t.indexes.empty()) write_indexes(to, t);
    to.add("</div>\n");
}

}  // namespace

void write_at_least(html& to, std::uint64_t n, bool exact) {
    to.number(n);
    if (!exact) to.add("+");
}

void write_bytes_at_least(html& to, std::uint64_t n, bool exact) {
    to.bytes(n);
    if (!exact) to.add("+");
}

void write_findings(html& to, std::vector<attention> const& all) {
    to.add("<ul class=\"findings\">\n");
    for (auto const& a : all) write_finding(to, a, a.level == weight::warning ? warning_word : hint_word);
    to.add("</ul>\n");
}

void write_table_section(html& to, table_report const& t, std::size_t number, bool browsable) {
    to.add("<section id=\"t").number(number).add("\">\n<div class=\"head\"><h2>").text(t.name).add("</h2>");
    if (!t.complete) to.add("<span class=\"soft\">the first ").number(t.rows).add(" rows were read</span>");
    if (browsable)
        to.add("<a href=\"/-/partitions?table=")
            .parameter(t.name)
            .add("\">Partitions</a><a href=\"/-/rows?table=")
            .parameter(t.name)
            .add("\">Rows</a>");
    to.add("</div>\n");
    if (t.rows == 0) {
        to.add("<p class=\"soft\">The table has no rows.</p>\n</section>\n");
        return;
    }
    write_tiles(to, t);
    write_cards(to, t, browsable);
    to.add("</section>\n");
}

}  // namespace tablemap::page
