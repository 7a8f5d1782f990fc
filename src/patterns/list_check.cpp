// SPDX-License-Identifier: Apache-2.0
#include "patterns/list_blobs.hpp"
#include "patterns/list_rebuild.hpp"
#include "patterns/list_settling.hpp"
#include "patterns/most_at_once.hpp"
#include "store/ask.hpp"
#include "store/page_reading.hpp"
#include "tablemap/detail/wire/reader.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::size_t lists_of_a_page = 256;
constexpr std::string_view only_id[] = {"Write"};

/// True if a list cannot be written, and others can be repaired nevertheless.
bool is_full(error const& e) noexcept { return e.code() == library_errc::value_too_large; }

/// The same for a list that is settled with an entity: others may write it each time, or it was damaged since.
bool stays_with_the_list(error const& e) noexcept {
    if (e.outcome() == outcome::in_doubt) return false;
    return is_full(e) || e.code() == library_errc::too_many_conflicts || e.code() == library_errc::malformed_response;
}

bool repaired_something(index_entity_report const& report) {
    auto const& all = report.counts;
    return std::any_of(all.begin(), all.end(), [](index_entity_count const& c) { return c.repaired > 0; });
}

/// One run of `check_lists`, without the blobs.
class list_check {
public:
    list_check(list_state const& table, bool repairs, environment const& env, list_findings& found)
        : table_(table),
          repairs_(repairs),
          env_(env),
          found_(found),
          lists_(table, env),
          settling_(table, env),
          rebuild_(table, of_entities_, env, found) {}

    task<result<void>> run(query_keys const& entities, filter::expression const* where) {
        of_entities_ = {.table = table_.entities->name,
                        .row = entities.row_bounds(),
                        .where = where,
                        .top = lists_of_a_page,
                        .current = true};
        for (std::size_t i = 0; i < table_.type.names.size(); ++i) {
            auto const done = co_await check_lists_of(i);
            if (!done) co_return failure{done.error()};
        }
        auto const done = co_await each_page(of_entities_, &list_check::take_entities, 0);
        co_return done;
    }

private:
    using page_taker = task<result<std::size_t>> (list_check::*)(response& page, std::size_t index);

    /// Reads all pages of a query. The taker returns the number of a page's rows.
    task<result<void>> each_page(query_page what, page_taker take, std::size_t index) {
        what.top = lists_of_a_page;
        what.current = true;
        page_reading pages{what, env_};
        while (!pages.ended()) {
            auto page = co_await pages.next();
            if (!page) co_return failure{page.error()};
            auto const rows = co_await (this->*take)(*page, index);
            if (!rows) co_return failure{rows.error()};
            auto const good = pages.passed(*rows);
            if (!good) co_return failure{good.error()};
        }
        co_return result<void>{};
    }

    // ---- lists ------------------------------------------------------------------------------------------------------

    task<result<void>> check_lists_of(std::size_t index) {
        auto const beginning = beginning_of_values(table_, index);
        auto const end = end_of_prefix(beginning);
        query_page what{.table = table_of(table_, index), .select = only_id};
        (is_local(table_, index) ? what.row : what.partition) = {.from = beginning, .to = *end};
        if (!is_local(table_, index)) what.row = key_bounds::exactly(table_.list_row);
        auto const done = co_await each_page(what, &list_check::take_lists, index);
        co_return done;
    }

    task<result<std::size_t>> take_lists(response& page, std::size_t index) {
        auto const rows = read_dynamic_page(page.body);
        if (!rows) co_return failure{rows.error()};
        for (auto const& row : *rows) {
            list_address const at{index, row.partition_key, row.row_key};
            auto const done = co_await check_list(at);
            if (!done) co_return failure{done.error()};
        }
        co_return rows->size();
    }

    task<result<void>> check_list(list_address const& at) {
        auto const list = co_await lists_.read(at, true);
        if (!list) co_return failure{list.error()};
        ++found_.report.lists;
        if (list->damage) {
            auto const done = co_await take_damaged(at, *list);
            co_return done;
        }
        std::vector<entity_key> named;
        for (auto const& line : list->lines) {
            named.push_back(key_of_line(table_, at.index, at.partition_key, line));
            if (named.size() < most_at_once && line != *list->lines.rbegin()) continue;
            auto const done = co_await check_named(named, at);
            if (!done) co_return failure{done.error()};
            named.clear();
        }
        co_return result<void>{};
    }

    task<result<void>> take_damaged(list_address const& at, stored_list const& list) {
        index_entity_finding finding{index_entity_fault::damaged, name_of(at.index), {at.partition_key, at.row_key}};
        if (repairs_) {
            auto const made = co_await rebuild_.run(at, list);
            if (!made && !is_full(made.error())) co_return failure{made.error()};
            finding.repaired = made.value_or(false);
        }
        found_.add(std::move(finding));
        co_return result<void>{};
    }

    task<result<void>> check_named(std::vector<entity_key> const& named, list_address const& at) {
        std::vector<request> reads;
        reads.reserve(named.size());
        for (auto const& key : named)
            reads.emplace_back(get_entity{table_.entities->name, key.partition_key, key.row_key, {}, true});
        auto answers = co_await ask_all(reads);
        std::string const value{value_of(table_, at)};
        for (std::size_t i = 0; i < named.size(); ++i) {
            if (!answers[i].ok() && !is_absent(answers[i])) co_return failure{*answers[i].failure};
            if (has_value(answers[i], at)) continue;
            auto const done = co_await check_again(named[i], at.index, value);
            if (!done) co_return failure{done.error()};
        }
        co_return result<void>{};
    }

    bool has_value(response& own, list_address const& at) const {
        if (!own.ok()) return false;
        auto const values = table_.type.keys_of(own.body, table_.entities->cipher.get());
        return values && (*values)[at.index] == value_of(table_, at);
    }

    // ---- entities ---------------------------------------------------------------------------------------------------

    /// The values of a page, each with its entities, so that each list is read once.
    using owners_of_values = std::map<std::pair<std::size_t, std::string>, std::vector<entity_key const*>>;

    task<result<std::size_t>> take_entities(response& page, std::size_t) {
        auto read = table_.type.read_page(page.body, table_.entities->cipher.get());
        if (!read) co_return failure{std::move(read).error()};
        found_.report.entities += read->entities.size();
        for (auto& row : read->unreadable) found_.add_unreadable(std::move(row));
        // Lists in the entities' partition are others in each partition.
        std::map<std::string_view, owners_of_values> partitions;
        for (auto const& e : read->entities)
            for (std::size_t i = 0; i < e.values.size(); ++i) {
                auto const of = is_local(table_, i) ? std::string_view{e.key.partition_key} : std::string_view{};
                if (!e.values[i].empty()) partitions[of][{i, e.values[i]}].push_back(&e.key);
            }
        for (auto const& [partition, values] : partitions)
            for (auto const& [value, owners] : values) {
                auto const at = address_of(table_, value.first, partition, value.second);
                auto const done = co_await check_owners(at, owners);
                if (!done) co_return failure{done.error()};
            }
        co_return read->rows;
    }

    task<result<void>> check_owners(list_address const& at, std::vector<entity_key const*> const& owners) {
        auto const list = co_await lists_.read(at, true);
        if (!list) co_return failure{list.error()};
        if (list->damage) co_return result<void>{};  // found before
        std::string const value{value_of(table_, at)};
        for (auto const* own : owners) {
            if (list->lines.contains(line_of(table_, at.index, *own))) continue;
            auto const done = co_await check_again(*own, at.index, value);
            if (!done) co_return failure{done.error()};
        }
        co_return result<void>{};
    }

    // ---- one entity and one list ------------------------------------------------------------------------------------

    /// An entity and a list that seemed to disagree may have been changed since. The entity is read between two reads
    /// of the list, which show that the list was not written meanwhile.
    task<result<void>> check_again(entity_key const& own, std::size_t index, std::string const& value) {
        auto const at = address_of(table_, index, own.partition_key, value);
        auto list = co_await lists_.read(at, true);
        if (!list) co_return failure{list.error()};
        constexpr int most_looks = 3;
        for (int looks = 1; looks <= most_looks; ++looks) {
            if (list->damage) co_return result<void>{};
            auto const values = co_await settling_.values_of(own);
            if (!values) co_return found_.add_unreadable_unless_request(own, values.error());
            auto next = co_await lists_.read(at, true);
            if (!next) co_return failure{next.error()};
            bool const stable = next->etag == list->etag;
            list = std::move(next);
            if (!stable) continue;
            bool const is_listed = list->lines.contains(line_of(table_, index, own));
            bool const has_value = (*values)[index] == value;
            if (is_listed == has_value) co_return result<void>{};
            auto const fault = has_value ? index_entity_fault::missing : index_entity_fault::stale;
            auto const done = co_await take_difference(own, index, value, fault);
            co_return done;
        }
        co_return result<void>{};
    }

    task<result<void>> take_difference(entity_key const& own, std::size_t index, std::string const& value,
                                       index_entity_fault fault) {
        index_entity_finding finding{fault, name_of(index), own};
        if (!is_local(table_, index)) {
            auto const pending = co_await has_intent(own, value);
            if (!pending) co_return failure{pending.error()};
            if (*pending) finding.fault = index_entity_fault::pending;
        }
        if (repairs_ && finding.fault != index_entity_fault::pending) {
            list_lines const only{value};
            auto const settled = co_await settling_.settle(own, only);
            if (!settled && !stays_with_the_list(settled.error())) co_return failure{settled.error()};
            finding.repaired = settled.has_value();
        }
        found_.add(std::move(finding));
        co_return result<void>{};
    }

    /// True if a relay has not yet looked at the entity and this list.
    task<result<bool>> has_intent(entity_key const& own, std::string const& value) {
        filter::expression const of_entity =
            filter::comparison{"Entity", filter::comparison_operator::eq, std::string{own.row_key}};
        auto const end = end_of_prefix(intent_beginning);
        query_page what{.table = table_.entities->name, .where = &of_entity, .top = lists_of_a_page, .current = true};
        what.partition = key_bounds::exactly(own.partition_key);
        what.row = {.from = intent_beginning, .to = *end};
        page_reading pages{what, env_};
        while (!pages.ended()) {
            auto const rows = co_await pages.next_rows();
            if (!rows) co_return failure{rows.error()};
            for (auto const& row : *rows) {
                auto const intent = read_list_intent(row);
                if (intent && intent->values.contains(value)) co_return true;
            }
        }
        co_return false;
    }

    std::string name_of(std::size_t index) const { return std::string{table_.type.names[index]}; }

    list_state const& table_;
    bool repairs_;
    environment const& env_;
    list_findings& found_;
    list_store lists_;
    list_settling settling_;
    query_page of_entities_{};
    list_rebuild rebuild_;
};

}  // namespace

task<result<index_entity_report>> check_lists(std::shared_ptr<list_state const> table, query_keys entities,
                                              std::optional<filter::expression> where, bool repairs) {
    auto const call = co_await this_call();
    list_findings found;
    list_check check{*table, repairs, call.env, found};
    auto const* const condition = where ? &*where : nullptr;
    auto done = co_await check.run(entities, condition);
    if (done && table->options.blobs) done = co_await check_blobs(*table, repairs, found);
    if (done) co_return std::move(found.report);
    auto const& e = done.error();
    co_return failure{repaired_something(found.report) ? e.with(outcome::in_doubt) : e};
}

}  // namespace tablemap::detail
