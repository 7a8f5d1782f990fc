// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/patterns/rolling_calls.hpp"

#include "patterns/rolling_store.hpp"
#include "store/ask.hpp"
#include "table/service_tasks.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1 {

std::vector<std::string> retention_report::dropped() const {
    std::vector<std::string> names;
    for (auto const& t : tables)
        if (t.end == end::dropped) names.push_back(t.table);
    return names;
}

bool retention_report::complete() const noexcept {
    return std::none_of(tables.begin(), tables.end(), [](table_end const& t) { return t.end == end::kept; });
}

}  // namespace tablemap

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::chrono::seconds longest_deletion{120};
constexpr std::chrono::seconds between_tries{5};

using table_end = retention_report::table_end;
using end = retention_report::end;

/// Interprets the response to the deletion of a table.
table_end ended(std::string table, result<own_doing> const& deleted) {
    if (!deleted && deleted.error().code() == service_errc::table_being_deleted)
        return {std::move(table), end::being_deleted, deleted.error()};
    if (!deleted) return {std::move(table), end::kept, deleted.error()};
    if (!deleted->is_known()) return {std::move(table), end::gone, *deleted->doubt()};
    return {std::move(table), *deleted ? end::dropped : end::gone, {}};
}

/// Deletes a table. `waits`: until a deletion that is under way is over. The name is borrowed.
task<table_end> drop(std::string const& table, bool waits) {
    auto const call = co_await this_call();
    auto const until = call.env.now() + longest_deletion;
    for (;;) {
        auto const deleted = co_await deletion_if_exists(table);
        auto what = ended(table, deleted);
        if (what.end != end::being_deleted || !waits || call.env.now() >= until) co_return what;
        auto const next = call.env.wait_for(call.env.jittered(between_tries, 0.5));
        if (!next) co_return what;
        co_await pause_until(*next);
    }
}

task<result<retention_report>> retention(rolling_names names, result<ticks> limit, bool waits) {
    if (!limit) co_return failure{limit.error()};
    rolling_span const all{};
    auto const periods = co_await existing_periods(names, all);
    if (!periods) co_return failure{periods.error()};
    retention_report report;
    for (auto const start : *periods) {
        if (names.next(start) > *limit) break;
        auto const table = names.name_of(start);
        auto what = co_await drop(table, waits);
        report.tables.push_back(std::move(what));
    }
    co_return report;
}

/// Errors: `library_errc::value_out_of_range`.
result<void> check_keep(tick_duration keep) {
    if (keep >= tick_duration::zero()) return {};
    return fail(library_errc::value_out_of_range,
                {.reason = "tables cannot be kept for a negative time; give the age at which they are dropped, as "
                           "days{30}",
                 .member = "keep"});
}

failure shorter_than_declared() {
    return fail(library_errc::value_out_of_range,
                {.reason = "rolling_options::keep is longer than the retention: late writes would create tables again "
                           "that were dropped; construct all rolling tables with the shorter keep, and call retain()",
                 .member = "keep"});
}

/// The time at or before which the periods ended whose tables are to be dropped.
result<ticks> end_of_dropped(rolling_state const& s, std::optional<tick_duration> keep) {
    auto const& declared = s.options.keep;
    if (!keep) keep = declared;
    if (!keep)
        return fail(library_errc::unsupported, {.reason = "retain() without a duration needs rolling_options::keep; "
                                                          "set it, or call retain(keep)"});
    if (auto const good = check_keep(*keep); !good) return failure{good.error()};
    if (declared && *keep < *declared) return shorter_than_declared();
    return time_before(s.options.now(), *keep);
}

}  // namespace

std::shared_ptr<rolling_state const> make_rolling_state(store_ptr s, std::string prefix, table_per per,
                                                        rolling_options&& o) {
    rolling_names names{std::move(prefix), per};
    if (auto const good = check_keep(o.keep.value_or(tick_duration{0})); !good)
        throw good.error().in("construct", names.prefix());
    if (!o.now) o.now = &ticks::now;
    auto store = make_rolling_store(std::move(s), names, o);
    return std::make_shared<rolling_state const>(rolling_state{std::move(names), std::move(store), std::move(o)});
}

task<result<std::vector<ticks>>> existing_periods(rolling_names names, rolling_span span) {
    auto const all = co_await names_of_tables(names.prefix());
    if (!all) co_return failure{all.error()};
    std::vector<ticks> periods;
    for (auto const& name : *all) {
        auto const start = names.parse(name);
        if (start && names.meets(*start, span)) periods.push_back(*start);
    }
    std::sort(periods.begin(), periods.end());
    co_return periods;
}

service_call<retention_report> retain_call(rolling_state const& s, std::optional<tick_duration> keep,
                                           retain_options o) {
    auto limit = end_of_dropped(s, keep);
    return {s.store, "retain", s.names.prefix(), retention(s.names, std::move(limit), o.wait_for_deletions)};
}

service_call<std::vector<ticks>> list_call(rolling_state const& s, rolling_span const& span) {
    return {s.store, "list tables", s.names.prefix(), existing_periods(s.names, span)};
}

result<retention_report> run_retention(rolling_state const& s, std::optional<tick_duration> keep, retain_options o,
                                       call_options const& with) {
    return run(*s.store, retain_call(s, keep, o), with);
}

result<std::vector<ticks>> list_periods(rolling_state const& s, rolling_span const& span, call_options const& with) {
    return run(*s.store, list_call(s, span), with);
}

}  // namespace tablemap::detail
