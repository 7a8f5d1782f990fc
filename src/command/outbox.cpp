// SPDX-License-Identifier: Apache-2.0
#include "command/outbox.hpp"

#include "base/digit_groups.hpp"
#include "command/report_failure.hpp"

#include "patterns/relay_queue.hpp"
#include "tablemap/detail/patterns/relay_core.hpp"
#include "tablemap/detail/table/table_internals.hpp"
#include "tablemap/detail/wire/writer.hpp"
#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/queue/queue.hpp"
#include "tablemap/table/table.hpp"

#include <chrono>
#include <ostream>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::command {
namespace {

detail::outbox_place place_of(outbox_options const& o) {
    table<dynamic_entity> const rows{open_store(o.store), o.table};
    return {detail::table_internals::shared_state(rows), o.queue};
}

int print_status(outbox_options const& o, console& c) {
    auto const place = place_of(o);
    auto const none = std::vector<std::string>{};
    detail::outbox_status_call call{place.table, detail::read_outbox_status(place, none)};
    auto const status = value_or_throw(detail::run(*call.store(), call, call_options{}));
    auto const lag = std::chrono::duration_cast<std::chrono::seconds>(status.lag).count();
    c.out() << "partitions: " << status.partitions << "\npending: " << status.pending << "\nparked: " << status.parked
            << "\nlag: " << lag << " s\nunreadable: " << status.unreadable << '\n';
    return status.parked == 0 && status.unreadable == 0 ? done : no;
}

int put_back(outbox_options const& o, console& c) {
    relay_options how;
    auto const core = std::make_shared<detail::relay_core const>(detail::relay_core{place_of(o), std::move(how), {}});
    detail::relay_call<put_back_report> call{core, "put_back", detail::put_back_all(core)};
    auto const report = value_or_throw(detail::run(*call.store(), call, call_options{}));
    c.out() << "effects put back: " << report.effects << "\npartitions: " << report.partitions
            << "\nbusy partitions: " << report.busy_partitions << "\nmessages left: " << report.messages_left << '\n';
    if (report.last_failure) return c.fail(failed, message_of(*report.last_failure));
    return report.busy_partitions == 0 && report.messages_left == 0 ? done : no;
}

void print_message(queue_message const& m, console& c) {
    std::string line = "{\"inserted\":";
    detail::append_value(line, m.inserted);
    line += ",\"dequeueCount\":" + std::to_string(m.dequeue_count) + ",\"text\":";
    detail::append_json_string(line, m.text);
    c.out() << line << "}\n";
}

/// Relays create the poison queue when they first put a message into it. So a queue without one may be a good sign.
int report_no_poison(queue const& relays, queue const& poison, console& c) {
    auto const absent = "there is no queue " + poison.name();
    if (!relays.exists()) return c.fail(no, absent + ", nor a queue " + relays.name() + "; name a queue of relays");
    c.note(absent + ", so no message was put into it yet");
    return done;
}

}  // namespace

int outbox_work(outbox_options const& o, console& c) { return o.put_back ? put_back(o, c) : print_status(o, c); }

int poison(poison_options const& o, console& c) {
    auto const store = open_store(o.store);
    queue const messages{store, detail::poison_queue(o.queue)};
    if (!messages.exists()) return report_no_poison({store, o.queue}, messages, c);
    auto const found = messages.peek(o.top);
    for (auto const& m : found) print_message(m, c);
    auto const all = messages.approximate_count();
    if (all > found.size())
        c.note("the queue has about " + detail::counted(all, "message", "messages") +
               "; those that a receiver holds are not printed");
    return found.empty() && all == 0 ? done : no;
}

}  // namespace tablemap::inline v0_1::command
