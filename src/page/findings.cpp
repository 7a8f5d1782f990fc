// SPDX-License-Identifier: Apache-2.0
#include "page/findings.hpp"

#include "base/ascii.hpp"
#include "page/drift_text.hpp"
#include "page/html.hpp"
#include "page/types_of_property.hpp"
#include "tablemap/edm/limits.hpp"
#include "tablemap/edm/names.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::page {
namespace {

constexpr std::chrono::minutes late_after{5};
constexpr std::size_t most_named = 5;

std::string types_text(property_fact const& p) {
    std::string list;
    for (auto const& s : types_of(p))
        list += (list.empty() ? "" : ", ") + std::string{short_name(s.type)} + " in " + counted(s.rows, "row", "rows");
    return "the property " + p.name + " has several types (" + list + "); rewrite the rows of the rarer ones";
}

/// Of a member of the schema only that knows which types it reads.
bool has_odd_types(table_report const& t, property_fact const& p) {
    return p.types() > 1 && !(t.drift && t.drift->properties.contains(p.name));
}

void add_several_types(table_report& t) {
    std::size_t found = 0;
    for (auto const& p : t.properties)
        if (has_odd_types(t, p) && ++found <= most_named)
            t.findings.push_back({weight::warning, "types", types_text(p)});
    if (found > most_named)
        t.findings.push_back(
            {weight::warning, "types",
             counted(found - most_named, "more property has several types", "more properties have several types")});
}

// ---- names ----------------------------------------------------------------------------------------------------------

std::string listed(std::vector<std::string> const& names) {
    auto const shown = std::min(names.size(), most_named);
    std::string list;
    for (std::size_t i = 0; i < shown; ++i) list += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    return names.size() == shown ? list : list + " and " + with_separators(names.size() - shown) + " more";
}

void add_names_alike(table_report& t) {
    std::map<std::string, std::vector<std::string>> names;
    for (auto const& p : t.properties) names[detail::lower_case(p.name)].push_back(p.name);
    for (auto const& [name, same] : names)
        if (same.size() > 1)
            t.findings.push_back({weight::warning, "names_alike",
                                  "the properties " + listed(same) +
                                      " differ only in the case of letters, and are read as different ones; give the "
                                      "rows of the rarer ones the name of the other"});
}

void add_odd_names(table_report& t) {
    std::vector<std::string> odd;
    for (auto const& p : t.properties)
        if (!detail::is_identifier(p.name)) odd.push_back(p.name);
    if (odd.empty()) return;
    t.findings.push_back({weight::hint, "name",
                          (odd.size() == 1 ? "the property " : "the properties ") + listed(odd) +
                              (odd.size() == 1 ? " has a name" : " have names") +
                              " that no member can have; read by a member of type extras, or by dynamic_entity"});
}

// ---- types of rows --------------------------------------------------------------------------------------------------

void add_rows_without_type(table_report& t) {
    if (t.rows_without_type == 0 || t.drift) return;  // a schema tells its types apart as it declares
    t.findings.push_back({t.type_property_certain ? weight::warning : weight::hint, "no_type",
                          counted(t.rows_without_type, "row lacks", "rows lack") + " the property " + t.type_property +
                              ", by which types are told apart; a query of a type does not find " +
                              (t.rows_without_type == 1 ? "it" : "them")});
}

// ---- schema ---------------------------------------------------------------------------------------------------------

void add_unclaimed(table_report& t, std::uint64_t rows) {
    if (rows == 0) return;
    t.findings.push_back(
        {weight::warning, "no_entity",
         counted(rows, "row is", "rows are") + " of no entity of the schema; the command check tells which"});
}

void add_drift(table_report& t, inspect::schema_report const& r) {
    add_unclaimed(t, r.unclaimed);
    std::size_t found = 0;
    for (auto const& d : r.drifts)
        if (d.level == inspect::drift_level::error && d.rule != "no_entity" && ++found <= most_named)
            t.findings.push_back(attention_to(d));
    if (found <= most_named) return;
    std::string const at_least = r.left_out > 0 ? "at least " : "";
    t.findings.push_back({weight::warning, "schema",
                          at_least + counted(found - most_named, "more difference", "more differences") +
                              " from the schema; the command check lists them"});
}

// ---- limits ---------------------------------------------------------------------------------------------------------

/// A hint from three quarters of a limit on, a warning from nineteen twentieths.
void add_near_limit(table_report& t, std::string_view rule, std::uint64_t value, std::uint64_t limit,
                    std::string const& before, std::string const& after,
                    std::optional<std::string> partition_key = {}) {
    if (value * 4 < limit * 3) return;
    auto const level = value * 20 < limit * 19 ? weight::hint : weight::warning;
    t.findings.push_back({level, rule,
                          before + with_separators(value) + " of the " + with_separators(limit) + ' ' + after,
                          std::move(partition_key)});
}

void add_limits_of_rows(table_report& t) {
    auto const& e = t.extremes;
    add_near_limit(t, "row_size", e.row_bytes, limits::entity_bytes, "the largest row has ",
                   "bytes that a row may have; divide it, or move large values into blobs", e.partition_of_largest);
    add_near_limit(t, "property_count", e.properties, limits::properties, "a row has ",
                   "properties that a row may have; divide it into several rows");
    std::string const keys = "characters that a key may have; make the values in it shorter, or hash them";
    add_near_limit(t, "key_length", e.partition_key_units, limits::key_units, "a partition key has ", keys);
    add_near_limit(t, "key_length", e.row_key_units, limits::key_units, "a row key has ", keys);
}

void add_limits_of_values(table_report& t) {
    for (auto const& p : t.properties) {
        add_near_limit(t, "value_size", p.longest_text, limits::string_units,
                       "a text of the property " + p.name + " has ",
                       "characters that a text may have; move it into a blob");
        add_near_limit(t, "value_size", p.largest_binary, limits::binary_bytes,
                       "a value of the property " + p.name + " has ",
                       "bytes that a binary value may have; move it into a blob");
    }
}

// ---- indexes and outboxes -------------------------------------------------------------------------------------------

std::string index_name(index_fact const& i) { return " of the index of " + i.type + " at " + i.beginning; }

void add_index(table_report& t, index_fact const& i) {
    if (!i.known) return;
    std::string const remedy = "; rebuild_indexes repairs this";
    if (i.without_entity > 0)
        t.findings.push_back({weight::warning, "index",
                              counted(i.without_entity, "row", "rows") + index_name(i) +
                                  (i.without_entity == 1 ? " has" : " have") + " no entity" + remedy});
    if (i.differing > 0)
        t.findings.push_back({weight::warning, "index",
                              counted(i.differing, "row", "rows") + index_name(i) +
                                  (i.differing == 1 ? " differs" : " differ") + " from the entity" + remedy});
    if (i.entities_without > 0)
        t.findings.push_back({weight::hint, "index",
                              counted(i.entities_without, "entity", "entities") + " of " + i.type +
                                  (i.entities_without == 1 ? " has" : " have") + " no row in the index at " +
                                  i.beginning + "; rebuild_indexes adds it, unless the index has a condition"});
}

void add_outbox(table_report& t, outbox_fact const& o) {
    if (o.parked > 0)
        t.findings.push_back({weight::warning, "outbox",
                              counted(static_cast<std::uint64_t>(o.parked), "effect is", "effects are") +
                                  " parked; repair the cause and put them back"});
    if (o.unreadable > 0)
        t.findings.push_back(
            {weight::warning, "outbox",
             counted(o.unreadable, "partition has", "partitions have") + " an outbox that cannot be read"});
    if (o.lag >= late_after)
        t.findings.push_back({weight::warning, "outbox",
                              "the oldest pending effect waits for " +
                                  counted(static_cast<std::uint64_t>(o.lag.count()), "second", "seconds") +
                                  "; see that a relay runs"});
}

}  // namespace

attention attention_to(inspect::drift const& d) {
    auto const level = d.level == inspect::drift_level::error ? weight::warning : weight::hint;
    attention a{.level = level, .rule = "schema", .text = drift_text(d), .entity = d.entity, .member = d.member};
    if (d.rows > 0) a.rows = d.rows, a.partition_key = d.partition_key;
    return a;
}

attention attention_to_missing_table() {
    return {weight::warning, "no_table",
            "the schema names this table, which the store does not have; create it, or correct the schema"};
}

void add_findings(table_report& t) {
    add_several_types(t);
    add_names_alike(t);
    add_odd_names(t);
    add_rows_without_type(t);
    add_limits_of_rows(t);
    add_limits_of_values(t);
    for (auto const& i : t.indexes) add_index(t, i);
    if (t.outbox) add_outbox(t, *t.outbox);
    if (t.drift) add_drift(t, *t.drift);
}

}  // namespace tablemap::page
