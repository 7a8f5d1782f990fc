// SPDX-License-Identifier: Apache-2.0
#include "page/gathering.hpp"

#include "base/ascii.hpp"
#include "page/findings.hpp"
#include "page/html.hpp"
#include "page/row_facts.hpp"
#include "patterns/companion_kinds.hpp"
#include "tablemap/detail/patterns/outbox_core.hpp"
#include "tablemap/detail/table/table_internals.hpp"
#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/patterns/hot_partitions.hpp"
#include "tablemap/table/service.hpp"
#include "tablemap/table/table.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::page {
namespace {

constexpr std::size_t most_tables = 200;

using rows_of_table = table<dynamic_entity>;

std::optional<inspect::schema_check> check_of(gathering const& how, std::string const& table) {
    if (!how.schema || !how.schema->has_table(table)) return {};
    return inspect::schema_check{*how.schema, table, {}};
}

/// Takes the rows up to the limit; the table is complete if there is no row behind it.
void read_rows(rows_of_table const& t, gathering const& how, table_report& to) {
    row_facts facts{check_of(how, t.name())};
    to.complete = true;
    auto const rows = how.exact ? t.scan() : t.scan().top(how.rows + 1);
    for (auto& row : rows.read_ahead()) {
        if (!how.exact && facts.rows() == how.rows) {
            to.complete = false;
            break;
        }
        facts.add(std::move(row.value));
        if (facts.rows() % 256 == 0) how.progress(t.name() + ": " + with_separators(facts.rows()) + " rows");
    }
    facts.write_to(to, how.type_property);
}

/// Of a table that was not read whole, a sample tells more about the distribution of rows than its beginning.
void read_sample(store_ptr const& store, gathering const& how, table_report& to) {
    auto const sample = sample_partitions(store, to.name, {.rows = how.rows, .hottest = largest_named});
    for (auto const& f : sample.findings)
        to.findings.push_back({f.level == lint_level::warning ? weight::warning : weight::hint, "hot_partition",
                               std::string{f.reason()} + "; " + std::string{f.remedy()}});
    if (to.complete) return;
    to.sampled = true;
    to.largest.clear();
    for (auto const& p : sample.hottest) to.largest.push_back({p.partition_key, p.rows, 0, p.share, p.more});
}

bool has_outbox(table_report const& t) {
    return std::ranges::any_of(t.kinds, [](auto const& k) { return k.name == outbox_kind; });
}

void read_outbox(rows_of_table const& t, table_report& to) {
    detail::outbox_place const place{detail::table_internals::shared_state(t), {}};
    auto const all = std::vector<std::string>{};
    detail::outbox_status_call call{place.table, detail::read_outbox_status(place, all)};
    auto const status = value_or_throw(detail::run(*call.store(), call, call_options{}));
    to.outbox = {status.partitions, status.pending, status.parked, status.unreadable,
                 std::chrono::duration_cast<std::chrono::seconds>(status.lag)};
}

table_report report_on(store_ptr const& store, std::string const& name, gathering const& how) {
    table_report made{.name = name};
    rows_of_table const t{store, name};
    read_rows(t, how, made);
    read_sample(store, how, made);
    if (has_outbox(made)) read_outbox(t, made);
    add_findings(made);
    return made;
}

void require_order(store const& s) {
    if (s.capabilities().ordered_results) return;
    throw error{library_errc::unsupported,
                {.reason = "the store does not answer in the order of keys, so partitions cannot be counted"}};
}

std::vector<std::string> without_repeats(std::vector<std::string> const& names) {
    std::vector<std::string> once;
    for (auto const& name : names)
        if (!detail::any_equal_ignoring_case(once, name)) once.push_back(name);
    return once;
}

/// Those of the schema are not among the ones that are left out.
void leave_out_tables(gathering const& how, std::vector<std::string>& names, report& to) {
    if (names.size() <= most_tables) return;
    // Not that of std::ranges, which clang++ 14 cannot compile with the library of g++ 12.
    std::stable_partition(names.begin(), names.end(),
                          [&](auto const& name) { return how.schema && how.schema->has_table(name); });
    to.tables_left_out = names.size() - most_tables;
    names.resize(most_tables);
    std::ranges::sort(names);
}

std::vector<std::string> tables_to_read(store_ptr const& store, gathering const& how, report& to) {
    if (!how.tables.empty()) return without_repeats(how.tables);
    auto names = table_service{store}.tables();
    if (how.schema) to.missing = how.schema->tables();
    std::erase_if(to.missing, [&](auto const& table) { return detail::any_equal_ignoring_case(names, table); });
    leave_out_tables(how, names, to);
    return names;
}

}  // namespace

report gather_report(store_ptr const& store, gathering const& how) {
    require_order(*store);
    report made{.title = how.title, .made = ticks::now()};
    for (auto const& name : tables_to_read(store, how, made)) made.tables.push_back(report_on(store, name, how));
    return made;
}

}  // namespace tablemap::page
