// SPDX-License-Identifier: Apache-2.0
#include "page/findings.hpp"

#include "page/html.hpp"
#include "page/types_of_property.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace tablemap::inline v0_1::page {
namespace {

constexpr std::chrono::minutes late_after{5};
constexpr std::size_t most_named = 5;

std::string counted(std::uint64_t n, std::string const& one, std::string const& many) {
    return with_separators(n) + ' ' + (n == 1 ? one : many);
}

std::string drift_text(property_fact const& p) {
    std::string list;
    for (auto const& s : types_of(p))
        list += (list.empty() ? "" : ", ") + std::string{short_name(s.type)} + " in " + counted(s.rows, "row", "rows");
    return "the property " + p.name + " has several types (" + list + "); rewrite the rows of the rarer ones";
}

void add_drift(table_report& t) {
    std::size_t found = 0;
    for (auto const& p : t.properties)
        if (p.types() > 1 && ++found <= most_named) t.findings.push_back({weight::warning, drift_text(p)});
    if (found > most_named)
        t.findings.push_back({weight::warning, counted(found - most_named, "more property has several types",
                                                       "more properties have several types")});
}

std::string index_name(index_fact const& i) { return " of the index of " + i.type + " at " + i.beginning; }

void add_index(table_report& t, index_fact const& i) {
    if (!i.known) return;
    std::string const remedy = "; rebuild_indexes repairs this";
    if (i.without_entity > 0)
        t.findings.push_back({weight::warning, counted(i.without_entity, "row", "rows") + index_name(i) +
                                                   (i.without_entity == 1 ? " has" : " have") + " no entity" + remedy});
    if (i.differing > 0)
        t.findings.push_back({weight::warning, counted(i.differing, "row", "rows") + index_name(i) +
                                                   (i.differing == 1 ? " differs" : " differ") + " from the entity" +
                                                   remedy});
    if (i.entities_without > 0)
        t.findings.push_back({weight::hint, counted(i.entities_without, "entity", "entities") + " of " + i.type +
                                                (i.entities_without == 1 ? " has" : " have") +
                                                " no row in the index at " + i.beginning +
                                                "; rebuild_indexes adds it, unless the index has a condition"});
}

void add_outbox(table_report& t, outbox_fact const& o) {
    if (o.parked > 0)
        t.findings.push_back(
            {weight::warning, counted(static_cast<std::uint64_t>(o.parked), "effect is", "effects are") +
                                  " parked; repair the cause and put them back"});
    if (o.unreadable > 0)
        t.findings.push_back({weight::warning, counted(o.unreadable, "partition has", "partitions have") +
                                                   " an outbox that cannot be read"});
    if (o.lag >= late_after)
        t.findings.push_back(
            {weight::warning, "the oldest pending effect waits for " +
                                  counted(static_cast<std::uint64_t>(o.lag.count()), "second", "seconds") +
                                  "; see that a relay runs"});
}

}  // namespace

void add_findings(table_report& t) {
    add_drift(t);
    for (auto const& i : t.indexes) add_index(t, i);
    if (t.outbox) add_outbox(t, *t.outbox);
}

}  // namespace tablemap::page
