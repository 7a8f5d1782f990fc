// SPDX-License-Identifier: Apache-2.0
#include "base/ascii.hpp"
#include "patterns/index_alignment.hpp"
#include "patterns/index_relay_pass.hpp"
#include "patterns/met_faults.hpp"
#include "patterns/sweeps.hpp"

#include "store/ask.hpp"
#include "store/page_reading.hpp"
#include "store/refusals.hpp"
#include "store/task_group.hpp"
#include "tablemap/detail/keys/text.hpp"
#include "tablemap/detail/mapping/index_rows.hpp"
#include "tablemap/detail/write/index_intent.hpp"
#include "tablemap/detail/write/write_group.hpp"
#include "tablemap/mapping/indexes.hpp"
#include "tablemap/store/observer.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

/// The end of the row keys of the rows of an entity; nothing if no row can have its keys.
std::optional<std::string> end_of_entity_rows(entity_key const& entity) {
    std::string end{"_"};
    if (!append_owner(end, entity)) return std::nullopt;
    return end;
}

/// An intent as far as this relay carries it out.
struct known_intent {
    index_intent intent;
    bool whole;  ///< all of its rows are known
};

/// One run over the intents of a partition, or over all.
class intent_pass {
public:
    intent_pass(index_relay_core const& relay, environment const& env, met_faults& faults, message_hold& message)
        : relay_(relay), env_(env), faults_(faults), message_(message) {}

    /// False if other partitions need not be tried.
    task<bool> run(key_bounds partitions) {
        auto const began = env_.now();
        auto go_on = co_await each_page(relay_.table->name, partitions);
        notify(env_.now() - began);
        co_return go_on;
    }

    /// Also those beside rows in other tables. True if it has met all.
    task<bool> run_all() {
        auto const began = env_.now();
        key_bounds const all;
        auto go_on = co_await each_page(relay_.table->name, all);
        auto const others = other_tables();
        for (auto const table : others)
            if (go_on) go_on = co_await each_page(table, all);
        notify(env_.now() - began);
        co_return go_on && !misses_pages_;
    }

    index_relay_report const& done() const noexcept { return done_; }

private:
    using group = std::vector<known_intent>;

    std::set<std::string_view> other_tables() const {
        std::set<std::string_view> all;
        for (auto const& index : relay_.indexes.elsewhere)
            if (!index.table.empty() && !equal_ignoring_case(index.table, relay_.table->name)) all.insert(index.table);
        return all;
    }

    task<bool> each_page(std::string_view table, key_bounds partitions) {
        table_ = table;
        std::string const first{intent_prefix};
        auto const end = end_of_prefix(first);
        query_page const what{.table = table_,
                              .partition = partitions,
                              .row = {.from = first, .to = *end, .to_inclusive = false},
                              .top = relay_.options.page_size,
                              .current = true};
        page_reading pages{what, env_};
        while (!pages.ended()) {
            auto const rows = co_await pages.next_rows();
            if (!rows && is_of_others() && is_no_table(rows.error())) co_return true;  // so nobody has written there
            if (!rows) {
                misses_pages_ = true;
                co_return note(rows.error());
            }
            auto groups = groups_in(*rows);
            for (auto& [entity, intents] : groups) {
                co_await message_.renew_if_needed();
                auto const go_on = co_await carry_out(entity, intents);
                if (!go_on) co_return false;
            }
        }
        co_return true;
    }

    /// The intents of each entity of a page. More of one entity's may follow on the next page: those name other rows,
    /// or name them once more.
    std::map<entity_key, group> groups_in(std::vector<stored_entity> const& rows) {
        std::map<entity_key, group> groups;
        for (auto const& row : rows) {
            auto intent = read_intent(row);
            if (!intent) {
                ++done_.left;
                note(intent.error());
                continue;
            }
            if (!is_of_entities(relay_, *intent, table_)) continue;
            bool const whole = take_unknown(*intent) == 0;
            done_.lag = std::max<std::chrono::nanoseconds>(done_.lag, age_of(intent->stored, relay_.options.now()));
            if (!whole) ++done_.left;
            if (intent->rows.empty()) continue;
            auto& of_entity = groups[intent->entity];
            of_entity.push_back({*std::move(intent), whole});
        }
        return groups;
    }

    /// Leaves the rows of the entity in the relay's own indexes. An intent may name those of indexes that only other
    /// programs declare; what belongs to another entity must not be erased for this one. Returns the number of others.
    std::size_t take_unknown(index_intent& intent) const {
        auto const end = end_of_entity_rows(intent.entity);
        return std::erase_if(intent.rows, [&](row_elsewhere const& r) {
            return !end || !r.key.row_key.ends_with(*end) || !is_known(relay_, intent, r, table_);
        });
    }

    /// False if the next entities need not be tried.
    task<bool> carry_out(entity_key const& entity, group& intents) {
        std::vector<row_elsewhere> rows;
        for (auto const& i : intents) rows.insert(rows.end(), i.intent.rows.begin(), i.intent.rows.end());
        std::erase_if(intents, [](auto const& i) { return !i.whole; });
        auto const aligned = co_await align_rows(relay_, entity, std::move(rows));
        done_.written += aligned.written;
        done_.erased += aligned.erased;
        done_.conflicts += aligned.conflicts;
        auto fault = aligned.fault;
        if (!fault) fault = co_await erase(intents);
        if (!fault) {
            ++done_.entities;
            done_.intents += intents.size() - stayed_;
            done_.left += stayed_;
            co_return faults_.go_on_after(std::nullopt);
        }
        done_.left += intents.size();
        co_return note(*fault);
    }

    /// Erases intents that were carried out, as they were read. One that is not there was carried out by another relay,
    /// too. One that was stored once more since stays: the row beside it may have been inserted once more, too.
    task<std::optional<error>> erase(group const& intents) {
        stayed_ = 0;
        std::map<std::string_view, std::vector<write_operation>> partitions;
        for (auto const& [intent, whole] : intents) {
            if (intent.etag.empty()) ++stayed_;
            if (intent.etag.empty()) continue;
            partitions[intent.key.partition_key].push_back({.kind = write_kind::erase,
                                                            .partition_key = intent.key.partition_key,
                                                            .row_key = intent.key.row_key,
                                                            .if_match = intent.etag.text()});
        }
        for (auto const& [key, erases] : partitions) {
            auto fault = co_await erase_all(erases);
            if (fault) co_return fault;
        }
        co_return std::nullopt;
    }

    /// In one partition.
    task<std::optional<error>> erase_all(std::vector<write_operation> const& erases) {
        auto const most = relay_.table->store->capabilities().transaction_operations;
        for (std::size_t at = 0; at < erases.size(); at += most) {
            auto const from = std::span{erases}.subspan(at, std::min(most, erases.size() - at));
            std::vector<write_operation> some{from.begin(), from.end()};
            auto fault = co_await erase_some(std::move(some));
            if (fault) co_return fault;
        }
        co_return std::nullopt;
    }

    task<std::optional<error>> erase_some(std::vector<write_operation> erases) {
        while (!erases.empty()) {
            bool const alone = erases.size() == 1;
            request const what = request_of(table_, erases);
            auto answer = co_await ask(what);
            if (answer.ok()) co_return std::nullopt;
            auto const& met = *answer.failure;
            auto const at = alone ? std::optional<std::size_t>{0} : met.failed_index();
            if (!is_outdated(met) || !at || *at >= erases.size()) co_return std::move(answer.failure);
            if (met.code() == service_errc::update_condition_not_satisfied) ++stayed_;
            erases.erase(erases.begin() + static_cast<std::ptrdiff_t>(*at));
        }
        co_return std::nullopt;
    }

    bool is_of_others() const noexcept { return table_ != relay_.table->name; }

    static bool is_no_table(error const& e) noexcept { return e.code() == service_errc::table_not_found; }

    bool note(error const& fault) {
        done_.last_failure = fault;
        return faults_.go_on_after(fault);
    }

    void notify(std::chrono::nanoseconds took) const { detail::notify(relay_, done_, done_.last_failure, took); }

    index_relay_core const& relay_;
    environment const& env_;
    met_faults& faults_;
    message_hold& message_;
    std::string_view table_{};  ///< that is being read
    std::size_t stayed_ = 0;    ///< intents of the entity that were not erased although they were carried out
    bool misses_pages_ = false;
    index_relay_report done_{};
};

/// Passes over partitions, several at once.
class partition_passes {
public:
    /// All is borrowed.
    partition_passes(index_relay_core const& relay, environment const& env, std::span<std::string const> partitions,
                     message_hold& message, index_relay_report& total)
        : relay_(relay), env_(env), left_(partitions), message_(message), total_(total) {}

    task<> run(std::size_t at_once) {
        task_group passes;
        for (std::size_t i = 0; i < std::min(at_once, left_.size()); ++i) passes.add(one_by_one());
        co_await passes.all();
    }

    std::optional<error> const& fault() const noexcept { return faults_.first(); }

private:
    task<> one_by_one() {
        while (go_on_ && !left_.empty()) {
            auto const one = key_bounds::exactly(left_.front());
            left_ = left_.subspan(1);
            intent_pass pass{relay_, env_, faults_, message_};
            auto const go_on = co_await pass.run(one);
            go_on_ = go_on_ && go_on;
            add(total_, pass.done());
        }
    }

    index_relay_core const& relay_;
    environment const& env_;
    std::span<std::string const> left_;
    message_hold& message_;
    index_relay_report& total_;
    met_faults faults_{};
    bool go_on_ = true;
};

}  // namespace

void add(index_relay_report& total, index_relay_report const& more) {
    total.entities += more.entities;
    total.intents += more.intents;
    total.written += more.written;
    total.erased += more.erased;
    total.conflicts += more.conflicts;
    total.left += more.left;
    total.lag = std::max(total.lag, more.lag);
    if (more.last_failure) total.last_failure = more.last_failure;
}

void notify(index_relay_core const& relay, index_relay_report const& done, std::optional<error> const& fault,
            std::chrono::nanoseconds took) {
    auto const& store = *relay.table->store;
    if (!store.context().observer) return;
    index_event const event{.table = relay.table->name,
                            .store = store.capabilities().name,
                            .entities = done.entities,
                            .intents = done.intents,
                            .written = done.written,
                            .erased = done.erased,
                            .left = done.left,
                            .lag = done.lag,
                            .error = fault ? fault->code() : std::error_code{},
                            .message = fault ? std::string_view{fault->what()} : std::string_view{},
                            .took = took};
    store.context().observer->index_pass_done(event);
}

task<sweep_end> sweep_intents(index_relay_core const& relay, index_relay_report& total) {
    auto const call = co_await this_call();
    met_faults faults;
    message_hold no_message;
    intent_pass pass{relay, call.env, faults, no_message};
    bool const is_whole = co_await pass.run_all();
    add(total, pass.done());
    co_return sweep_end{faults.first(), is_whole};
}

task<std::optional<error>> relay_intents(index_relay_core const& relay, std::vector<std::string> partitions,
                                         std::size_t at_once, message_hold& message, index_relay_report& total) {
    auto const call = co_await this_call();
    partition_passes passes{relay, call.env, partitions, message, total};
    co_await passes.run(at_once);
    co_return passes.fault();
}

task<result<index_relay_report>> relay_indexes(index_relay_ptr relay, std::vector<std::string> partitions) {
    index_relay_report total;
    message_hold no_message;
    auto const fault = co_await relay_intents(*relay, std::move(partitions), 1, no_message, total);
    if (fault) co_return failure{*fault};
    co_return total;
}

task<result<index_relay_report>> sweep_indexes(index_relay_ptr relay) {
    index_relay_report total;
    auto const end = co_await sweep_intents(*relay, total);
    if (end.fault) co_return failure{*end.fault};
    co_return total;
}

}  // namespace tablemap::detail
