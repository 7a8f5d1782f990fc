// SPDX-License-Identifier: Apache-2.0
#include "patterns/effect_failure.hpp"
#include "patterns/met_faults.hpp"
#include "patterns/option_check.hpp"
#include "patterns/relay_pass.hpp"

#include "tablemap/base/redaction.hpp"
#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/store/observer.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

/// Works on some partitions, and adds what was done to a report. False if the next ones need not be tried.
task<bool> relay_each(relay_core const& relay, std::vector<std::string> partitions, relay_report& total,
                      met_faults& faults) {
    for (auto const& p : partitions) {
        message_hold no_message;
        auto const pass = co_await relay_partition(relay, p, no_message);
        add(total, pass.report);
        if (!faults.go_on_after(pass.fault)) co_return false;
    }
    co_return true;
}

}  // namespace

result<std::vector<std::string>> partitions_in(response& page) {
    if (!page.ok()) return failure{*page.failure};
    auto const rows = read_dynamic_page(page.body);
    if (!rows) return failure{rows.error()};
    std::vector<std::string> all;
    for (auto const& r : *rows) all.push_back(r.partition_key);
    return all;
}

relay_queue queue_of(relay_core const& relay) noexcept {
    constexpr std::chrono::seconds longest = std::chrono::hours{7 * 24};
    auto queue = queue_of(relay.place);
    queue.hidden = std::min(relay.options.lease, longest);
    queue.deliveries = relay.options.foreign_dequeues;
    return queue;
}

result<void> check_options(relay_options const& o) {
    using namespace std::chrono_literals;
    if (o.lease < 1s || o.lease > longest_lease)
        return failure{out_of_range("lease", "a lease takes 1 second to 14 days")};
    if (o.clock_margin < 0s || o.clock_margin > longest_lease)
        return failure{out_of_range("clock_margin", "the margin is 0 seconds to 14 days")};
    if (o.retry_wait < 0ms || o.longest_retry_wait < o.retry_wait || o.longest_retry_wait > std::chrono::hours{14 * 24})
        return failure{out_of_range("retry_wait", "waits are not negative, and the longest is not below the first and "
                                                  "at most 14 days")};
    if (o.attempts < 1) return failure{out_of_range("attempts", "an effect is tried at least once")};
    if (o.page_size < 1 || o.page_size > limits::page_entities)
        return failure{out_of_range("page_size", "a page has 1 to 1,000 rows")};
    if (o.idle_wait <= 0ms || o.longest_idle_wait < o.idle_wait || o.sweep_every <= 0ms)
        return failure{
            out_of_range("idle_wait", "waits are longer than nothing, and the longest is not below the first")};
    if (!o.now) return failure{out_of_range("now", "leases are compared with a time; leave the default")};
    return {};
}

error failure_of_handler() {
    try {
        throw;
    } catch (error const& e) {
        return failure_of_handler(e);
    } catch (std::exception const& e) {
        return error{library_errc::effect_failed,
                     {.reason = "the handler threw an exception; the row of the effect holds its text",
                      .server_text = redacted(cut(e.what(), longest_reason))}};
    } catch (...) {
        return error{library_errc::effect_failed, {.reason = "the handler threw what is no std::exception"}};
    }
}

error failure_of_handler(error const& e) { return error{library_errc::effect_failed, {.reason = e.what()}}; }

void notify(relay_core const& relay, relay_report const& done, std::optional<error> const& fault,
            std::chrono::nanoseconds took) {
    auto const& store = *relay.place.table->store;
    if (!store.context().observer) return;
    outbox_event const event{.table = relay.place.table->name,
                             .store = store.capabilities().name,
                             .applied = done.applied,
                             .failed = done.failed,
                             .parked = done.parked,
                             .bad_rows = done.bad_rows,
                             .pending = done.pending,
                             .lag = done.lag,
                             .error = fault ? fault->code() : std::error_code{},
                             .message = fault ? std::string_view{fault->what()} : std::string_view{},
                             .took = took};
    store.context().observer->outbox_pass_done(event);
}

void add(relay_report& total, relay_report const& pass) {
    total.applied += pass.applied;
    total.failed += pass.failed;
    total.parked += pass.parked;
    total.bad_rows += pass.bad_rows;
    total.passes += pass.passes;
    total.pending += pass.pending;
    total.lag = std::max(total.lag, pass.lag);
    total.end = pass.end;
    if (pass.last_failure) total.last_failure = pass.last_failure;
}

task<result<relay_report>> relay_partitions(relay_ptr relay, result<std::vector<std::string>> partitions) {
    if (!partitions) co_return failure{partitions.error()};
    relay_report total;
    met_faults faults;
    co_await relay_each(*relay, *std::move(partitions), total, faults);
    if (faults.first()) co_return failure{*faults.first()};
    co_return total;
}

task<sweep_end> sweep_into(relay_core const& relay, relay_report& total) {
    auto const call = co_await this_call();
    met_faults faults;
    filter::expression const is_pending =
        filter::comparison{"Pending", filter::comparison_operator::gt, std::int64_t{0}};
    std::optional<continuation> from;
    do {
        query_page const page{.table = relay.place.table->name,
                              .row = key_bounds::exactly(outbox_head_key),
                              .where = &is_pending,
                              .from = from ? &*from : nullptr,
                              .current = true};
        request const reading = page;
        auto answer = co_await ask(reading);
        auto partitions = partitions_in(answer);
        if (!partitions) {
            if (!call.env.why_stop()) notify(relay, {}, partitions.error(), {});
            co_return sweep_end{faults.first() ? faults.first() : std::optional{partitions.error()}, false};
        }
        bool const go_on = co_await relay_each(relay, *std::move(partitions), total, faults);
        if (!go_on) co_return sweep_end{faults.first(), false};
        from = std::move(answer.next);
    } while (from);
    co_return sweep_end{faults.first()};
}

task<result<relay_report>> relay_sweep(relay_ptr relay) {
    relay_report total;
    auto const end = co_await sweep_into(*relay, total);
    if (end.fault) co_return failure{*end.fault};
    co_return total;
}

}  // namespace tablemap::detail
