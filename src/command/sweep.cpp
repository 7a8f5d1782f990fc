// SPDX-License-Identifier: Apache-2.0
#include "command/sweep.hpp"

#include "command/report_failure.hpp"

#include "tablemap/patterns/large_collector.hpp"

#include <chrono>
#include <ostream>
#include <string>

namespace tablemap::inline v0_1::command {
namespace {

void print_report(large_report const& r, console& c) {
    c.out() << "blobs: " << r.blobs << "\nin use: " << r.in_use << "\nyoung: " << r.young << "\ndeleted: " << r.deleted
            << "\npermits erased: " << r.permits << "\nchanged meanwhile: " << r.changed
            << "\nof others: " << r.strangers << "\nin doubt: " << r.in_doubt << "\nfailed: " << r.failed << '\n';
}

bool has_counts(large_report const& r) {
    return r.blobs + r.young + r.permits + r.changed + r.strangers + r.in_doubt + r.failed > 0;
}

/// Errors name the table or the container.
std::string failure_text(error const& e, sweep_options const& o) {
    return message_of(e, e.table() == o.container ? "container" : "table");
}

int explain(large_report const& r, sweep_options const& o, console& c) {
    if (r.cursor && (!o.cursor.empty() || r.blobs > 0))
        c.note("the sweep ended early; --from " + *r.cursor + " goes on there");
    if (r.ended_by) return c.fail(failed, failure_text(*r.ended_by, o));
    return c.fail(failed, r.last_failure ? failure_text(*r.last_failure, o) : "not every blob could be looked at");
}

}  // namespace

int sweep(sweep_options const& o, console& c) {
    large_collector_options how{.grace = std::chrono::hours{o.grace_hours}, .per_second = o.per_second};
    how.progress = [&](large_report const& r) { c.progress(o.container + ": " + std::to_string(r.blobs) + " blobs"); };
    large_collector const collector{open_store(o.store), o.table, o.container, how};
    auto const report = collector.sweep_from(o.cursor);
    c.end_progress();
    if (report.complete() || has_counts(report)) print_report(report, c);
    return report.complete() ? done : explain(report, o, c);
}

}  // namespace tablemap::inline v0_1::command
