// SPDX-License-Identifier: Apache-2.0
#include "faults/told.hpp"

#include "tablemap/table/bulk_writer.hpp"

namespace tablemap::test {
namespace {

/// Two groups.
std::vector<worker> const newcomers{numbered(100),
                                    numbered(101),
                                    numbered(102),
                                    {.department = "Audit", .id = 100},
                                    {.department = "Audit", .id = 101}};

std::string row_of(worker const& w) {
    std::string partition, row;
    value_or_throw(detail::encode_keys(w, partition, row));
    return partition + '/' + row;
}

/// The outcome of all rows together: none, all, or some are stored.
outcome outcome_of(bulk_ledger const& l) {
    if (l.complete()) return outcome::applied;
    bool const nothing = l.count(row_state::stored) + l.count(row_state::in_doubt) == 0;
    return nothing ? outcome::not_applied : outcome::in_doubt;
}

template <class Report> std::optional<error> failure_of(Report const& report) {
    try {
        report.require_complete();
        return std::nullopt;
    } catch (error const& e) {
        return e;
    }
}

seen reported(bulk_report const& report, std::vector<worker> const& rows) {
    seen s;
    if (auto const why = failure_of(report)) s.failure = why->with(outcome_of(report.ledger));
    for (std::size_t i = 0; i < rows.size(); ++i) s.rows[row_of(rows[i])] = report.ledger.state(i);
    return s;
}

seen reported(erase_report const& report) {
    seen s;
    if (auto const why = failure_of(report)) s.failure = why->with(outcome::in_doubt);
    if (!s.failure) s.value = std::to_string(report.erased() + report.gone());
    return s;
}

seen write_mixed(stage& s) {
    bulk_writer writer{s.table, {}, s.options};
    auto const e = worker_entity{first, s.known.etag};
    writer.insert(newcomer);
    writer.upsert_replace(numbered(2));
    writer.replace(e);
    writer.erase_any({"Sales", 3});
    writer.upsert_merge(numbered(100));
    return reported(writer.finish(), {newcomer, numbered(2), first, numbered(3), numbered(100)});
}

auto sales(stage& s) { return s.table.query(partition("Sales")).page_size(3); }

}  // namespace

operation_list bulk_writes() {
    using enum after_loss;
    return {
        {.name = "insert_many",
         .knows = by_token,
         .run = [](stage& s) { return reported(s.table.insert_many(newcomers, {}, s.options), newcomers); },
         .run_async =
             [](stage& s) { return reported(s.async.insert_many(newcomers, s.options, in_future).get(), newcomers); },
         .once_only = true,
         .in_pieces = true},
        {.name = "upsert_many",
         .knows = repeats,
         .run = [](stage& s) { return reported(s.table.upsert_many(newcomers, {}, s.options), newcomers); },
         .run_async =
             [](stage& s) { return reported(s.async.upsert_many(newcomers, s.options, in_future).get(), newcomers); },
         .in_pieces = true},
        {.name = "bulk_writer", .knows = by_token, .run = write_mixed, .in_pieces = true},
        {.name = "erase_where",
         .knows = by_itself,
         .run = [](stage& s) { return reported(s.table.erase_where(sales(s), {}, s.options)); },
         .run_async =
             [](stage& s) {
                 return reported(
                     s.async.erase_where(s.async.query(partition("Sales")).page_size(3), s.options, in_future).get());
             },
         .looks_itself = true,
         .in_pieces = true},
    };
}

}  // namespace tablemap::test
