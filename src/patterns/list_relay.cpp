// SPDX-License-Identifier: Apache-2.0
#include "patterns/list_settling.hpp"
#include "patterns/option_check.hpp"
#include "patterns/poison_reading.hpp"
#include "patterns/relay_loop.hpp"
#include "patterns/sweeps.hpp"
#include "store/ask.hpp"
#include "store/page_reading.hpp"
#include "tablemap/store/observer.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::size_t intents_of_a_page = 100;

/// The intents of one entity in a page.
struct entity_work {
    list_lines values{};
    std::vector<std::string> rows{};  ///< of the intents that this program can carry out whole
    bool has_unknown = false;         ///< another one names a value that this program does not declare
};

/// One run of `relay_lists`. Any number of them may work on one partition: the etags of the lists keep them in order.
class list_relaying {
public:
    list_relaying(list_state const& table, environment const& env, message_hold& message)
        : table_(table), env_(env), message_(message), settling_(table, env) {}

    task<result<void>> run(key_bounds partitions) {
        auto const end = end_of_prefix(intent_beginning);
        query_page what{
            .table = table_.entities->name, .partition = partitions, .top = intents_of_a_page, .current = true};
        what.row = {.from = intent_beginning, .to = *end};
        page_reading pages{what, env_};
        while (!pages.ended()) {
            auto const rows = co_await pages.next_rows();
            if (!rows) co_return failure{rows.error()};
            auto const done = co_await work_on(*rows);
            if (!done) co_return failure{done.error()};
        }
        co_return result<void>{};
    }

    index_entity_relay_report const& done() const noexcept { return report_; }
    std::size_t entities() const noexcept { return entities_; }

    /// The last fault that this relay met. An intent that only other relays carry out is none.
    std::optional<error> const& fault() const noexcept { return fault_; }
    bool leaves_intents() const noexcept { return leaves_intents_; }

private:
    task<result<void>> work_on(std::vector<stored_entity> const& rows) {
        std::map<entity_key, entity_work> work;
        for (auto const& row : rows) {
            auto intent = read_list_intent(row);
            if (!intent) {
                note(intent.error());
                continue;
            }
            if (!is_of_this_type(intent->entity)) {
                leaves_intents_ = true;
                continue;
            }
            report_.lag = std::max<std::chrono::nanoseconds>(report_.lag, age_of(intent->written));
            auto& w = work[intent->entity];
            auto const is_known = [&](auto const& v) { return settling_.index_of(v).has_value(); };
            if (std::all_of(intent->values.begin(), intent->values.end(), is_known))
                w.rows.push_back(std::move(intent->row_key));
            else
                w.has_unknown = true;
            w.values.merge(intent->values);
        }
        for (auto const& [own, w] : work) {
            co_await message_.renew_if_needed();
            if (w.has_unknown) leave();
            auto const done = co_await work_on(own, w);
            if (done) ++entities_;
            if (done) continue;
            if (!is_of_partition(done.error())) co_return failure{done.error()};
            note(done.error());
        }
        co_return result<void>{};
    }

    task<result<void>> work_on(entity_key const& own, entity_work const& w) {
        auto const lists = co_await settling_.settle(own, w.values);
        if (!lists) co_return failure{lists.error()};
        report_.lists += *lists;
        auto const erased = co_await erase(own.partition_key, w.rows);
        co_return erased;
    }

    /// Types of one table share the beginning of intents.
    bool is_of_this_type(entity_key const& own) const { return own.row_key.starts_with(table_.row_beginning); }

    /// Another relay may have been faster.
    task<result<void>> erase(std::string const& partition, std::vector<std::string> const& rows) {
        std::vector<request> erases;
        erases.reserve(rows.size());
        for (auto const& row : rows)
            erases.emplace_back(write_entity{
                table_.entities->name,
                {.kind = write_kind::erase, .partition_key = partition, .row_key = row, .if_match = any_etag}});
        auto const answers = co_await ask_all(erases);
        for (auto const& a : answers) {
            if (!a.ok() && !is_absent(a)) co_return failure{*a.failure};
            ++report_.intents;
        }
        co_return result<void>{};
    }

    void note(error const& e) {
        report(e);
        fault_ = e;
    }

    void leave() {
        leaves_intents_ = true;
        error const unknown_value{library_errc::another_type,
                                  {.reason = "an intent is about index entities that this program does not declare; "
                                             "run the relay of a program that does"}};
        report(unknown_value);
    }

    void report(error const& e) {
        ++report_.failed;
        report_.last_failure = e;
    }

    list_state const& table_;
    environment const& env_;
    message_hold& message_;
    list_settling settling_;
    index_entity_relay_report report_{};
    std::size_t entities_ = 0;  ///< whose lists were brought in step
    std::optional<error> fault_{};
    bool leaves_intents_ = false;
};

/// The end of a pass.
struct pass_end {
    std::optional<error> ended_by{};
    std::optional<error> fault{};  ///< the last one, of an entity or the one that ended the pass
    bool leaves_intents = false;   ///< those that only other relays carry out
};

void notify(list_state const& table, list_relaying const& pass, std::optional<error> const& fault,
            std::chrono::nanoseconds took) {
    auto const& store = *table.entities->store;
    if (!store.context().observer) return;
    auto const& done = pass.done();
    index_event const event{.table = table.entities->name,
                            .store = store.capabilities().name,
                            .entities = pass.entities(),
                            .intents = done.intents,
                            .written = done.lists,
                            .left = done.failed,
                            .lag = done.lag,
                            .error = fault ? fault->code() : std::error_code{},
                            .message = fault ? std::string_view{fault->what()} : std::string_view{},
                            .took = took};
    store.context().observer->index_pass_done(event);
}

void add(index_entity_relay_report& total, index_entity_relay_report const& more) {
    total.intents += more.intents;
    total.lists += more.lists;
    total.failed += more.failed;
    total.lag = std::max(total.lag, more.lag);
    if (more.last_failure) total.last_failure = more.last_failure;
}

/// One pass, which the observer hears of. All is borrowed.
task<pass_end> pass_over(list_state const& table, key_bounds const& partitions, message_hold& message,
                         index_entity_relay_report& total) {
    auto const call = co_await this_call();
    auto const began = call.env.now();
    list_relaying pass{table, call.env, message};
    auto const ended = co_await pass.run(partitions);
    add(total, pass.done());
    pass_end end{{}, pass.fault(), pass.leaves_intents()};
    if (!ended) end.fault = end.ended_by = ended.error();
    notify(table, pass, end.ended_by ? end.ended_by : pass.done().last_failure, call.env.now() - began);
    co_return end;
}

/// The work of `relay_lists_until_stopped`.
class list_work final : public relay_work {
public:
    list_work(list_state const& table, relay_queue const& queue, environment const& env)
        : table_(table), queue_(queue), env_(env) {}

    task<message_end> work_on(std::string partition, queue_message const& message, message_hold& hold) override {
        auto const one = key_bounds::exactly(partition);
        auto const met = co_await pass(one, hold);
        if (!met.fault && met.leaves_intents) co_return left_end(message);
        if (!met.fault) co_return message_end{};
        auto const end = co_await failed_end(queue_, partition, message, *met.fault, *this);
        co_return end;
    }

    task<> sweep() override {
        key_bounds const all;
        message_hold no_message;
        co_await pass(all, no_message);
    }

    void note(error const& fault) override { total_.last_failure = fault; }

    index_entity_relay_report const& done() const noexcept { return total_; }

private:
    /// In the report the end of the call is no fault.
    task<pass_end> pass(key_bounds const& partitions, message_hold& message) {
        index_entity_relay_report done;
        auto const end = co_await pass_over(table_, partitions, message, done);
        if (end.ended_by) done.last_failure = end.ended_by;
        if (env_.why_stop()) done.last_failure.reset();
        add(total_, done);
        co_return end;
    }

    list_state const& table_;
    relay_queue const& queue_;
    environment const& env_;
    index_entity_relay_report total_{};
};

}  // namespace

task<result<index_entity_relay_report>> relay_lists(std::shared_ptr<list_state const> table,
                                                    std::vector<std::string> partitions) {
    std::vector<key_bounds> each;
    each.reserve(partitions.size() + 1);
    for (auto const& p : partitions) each.push_back(key_bounds::exactly(p));
    if (each.empty()) each.emplace_back();
    message_hold no_message;
    index_entity_relay_report total;
    for (auto const& bounds : each) {
        auto const end = co_await pass_over(*table, bounds, no_message, total);
        if (end.ended_by) co_return failure{*end.ended_by};
    }
    co_return total;
}

task<result<put_back_report>> put_back_lists(std::shared_ptr<list_state const> table) {
    auto const queue = queue_of(*table);
    auto done = co_await put_back_failed(queue);
    co_return done;
}

task<result<index_entity_relay_report>> relay_lists_until_stopped(std::shared_ptr<list_state const> table,
                                                                  std::chrono::milliseconds every) {
    using namespace std::chrono_literals;
    if (every <= 0ms) co_return failure{out_of_range("every", "the wait between two passes is longer than nothing")};
    auto const call = co_await this_call();
    auto const queue = queue_of(*table);
    list_work work{*table, queue, call.env};
    relay_waits const waits{.idle = 1s, .longest_idle = 15s, .sweep_every = every};
    co_await relay_until_stopped(queue, waits, work);
    co_return work.done();
}

}  // namespace tablemap::detail
