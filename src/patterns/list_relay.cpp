// SPDX-License-Identifier: Apache-2.0
#include "patterns/list_settling.hpp"
#include "patterns/option_check.hpp"
#include "patterns/sweeps.hpp"
#include "store/ask.hpp"
#include "store/page_reading.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::size_t page_size = 100;

/// The intents of one entity in a page.
struct entity_work {
    list_lines values{};
    std::vector<std::string> rows{};  ///< of the intents that this program can carry out whole
    bool has_unknown = false;         ///< another one names a value that this program does not declare
};

/// Such a fault would meet the next entity, too.
bool ends_the_pass(error const& e) noexcept {
    return e.retryable() || e.source() == error_source::transport || e.kind() == error_kind::cancelled ||
           e.kind() == error_kind::timed_out || e.code() == service_errc::table_not_found;
}

/// One run of `relay_lists`. Any number of them may work on one partition: the etags of the lists keep them in order.
class list_relaying {
public:
    list_relaying(list_state const& table, environment const& env) : table_(table), env_(env), settling_(table, env) {}

    task<result<void>> run(key_bounds partitions) {
        auto const end = end_of_prefix(intent_beginning);
        query_page what{.table = table_.entities->name, .partition = partitions, .top = page_size, .current = true};
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

private:
    task<result<void>> work_on(std::vector<stored_entity> const& rows) {
        std::map<entity_key, entity_work> work;
        for (auto const& row : rows) {
            auto intent = read_list_intent(row);
            if (!intent) {
                note(intent.error());
                continue;
            }
            if (!is_of_this_type(intent->entity)) continue;
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
            auto const done = co_await work_on(own, w);
            if (done) continue;
            if (ends_the_pass(done.error())) co_return failure{done.error()};
            note(done.error());
        }
        co_return result<void>{};
    }

    task<result<void>> work_on(entity_key const& own, entity_work const& w) {
        auto const lists = co_await settling_.settle(own, w.values);
        if (!lists) co_return failure{lists.error()};
        report_.lists += *lists;
        auto const erased = co_await erase(own.partition_key, w.rows);
        if (erased && w.has_unknown) co_return failure{unknown_value()};
        co_return erased;
    }

    /// Types of one table share the beginning of intents.
    bool is_of_this_type(entity_key const& own) const { return own.row_key.starts_with(table_.row_beginning); }

    /// Another relay may have been faster.
    task<result<void>> erase(std::string const& partition, std::vector<std::string> const& rows) {
        std::vector<request> erases;
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
        ++report_.failed;
        report_.last_failure = e;
    }

    static error unknown_value() {
        return error{library_errc::another_type,
                     {.reason = "an intent is about index entities that this program does not declare; run the relay "
                                "of a program that does"}};
    }

    list_state const& table_;
    environment const& env_;
    list_settling settling_;
    index_entity_relay_report report_{};
};

}  // namespace

task<result<index_entity_relay_report>> relay_lists(std::shared_ptr<list_state const> table,
                                                    std::vector<std::string> partitions) {
    auto const call = co_await this_call();
    list_relaying relaying{*table, call.env};
    if (partitions.empty()) {
        key_bounds const all;
        auto const done = co_await relaying.run(all);
        if (!done) co_return failure{done.error()};
    }
    for (auto const& p : partitions) {
        auto const one = key_bounds::exactly(p);
        auto const done = co_await relaying.run(one);
        if (!done) co_return failure{done.error()};
    }
    co_return relaying.done();
}

task<result<index_entity_relay_report>> relay_lists_until_stopped(std::shared_ptr<list_state const> table,
                                                                  std::chrono::milliseconds every) {
    if (every <= std::chrono::milliseconds{0})
        co_return failure{out_of_range("every", "the wait between two passes is longer than nothing")};
    auto const call = co_await this_call();
    list_relaying relaying{*table, call.env};
    std::optional<error> fault;
    key_bounds const all;
    while (!call.env.why_stop()) {
        auto const done = co_await relaying.run(all);
        if (!done && !call.env.why_stop()) fault = done.error();
        auto const next = after_about(every, call.env);
        co_await pause_until(within_call(next, call.env));
    }
    auto report = relaying.done();
    if (fault) report.last_failure = fault;
    co_return report;
}

}  // namespace tablemap::detail
