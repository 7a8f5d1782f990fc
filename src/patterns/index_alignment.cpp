// SPDX-License-Identifier: Apache-2.0
#include "patterns/index_alignment.hpp"

#include "base/ascii.hpp"
#include "store/ask.hpp"
#include "store/refusals.hpp"
#include "tablemap/detail/write/companion.hpp"
#include "tablemap/detail/write/modify_row.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <span>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

/// So many requests are sent beside each other: an entity that was changed often has many intents.
constexpr std::size_t most_at_once = 16;

std::span<request const> some_of(std::vector<request> const& all, std::size_t at) {
    return std::span{all}.subspan(at, std::min(most_at_once, all.size() - at));
}

/// True for a refusal because somebody else was faster, and for a lost response: reading again shows what is there.
bool is_worth_another_look(error const& e) noexcept {
    return e.outcome() == outcome::in_doubt || e.code() == service_errc::update_condition_not_satisfied ||
           e.code() == service_errc::entity_already_exists || e.code() == service_errc::resource_not_found;
}

error cannot_be_encoded(std::string_view index) {
    return error{library_errc::value_out_of_range,
                 {.reason = "the entity, as it is stored, has a value that a row of this index cannot hold; write the "
                            "entity anew",
                  .member = std::string{index}}};
}

/// The insert of a row elsewhere, and the intent beside it.
struct insertion {
    insertion(std::size_t number, std::string_view in, encoded_entity beside)
        : change(number), table(in), intent(std::move(beside)) {}

    write_operation insert_of_intent() const noexcept {
        return {.kind = write_kind::insert,
                .partition_key = intent.partition_key,
                .row_key = intent.row_key,
                .body = intent.body};
    }
    write_operation erase_of_intent() const noexcept {
        return {.kind = write_kind::erase,
                .partition_key = intent.partition_key,
                .row_key = intent.row_key,
                .if_match = stored_as.text()};
    }

    std::size_t change;  ///< its number among the changes
    std::string_view table;
    encoded_entity intent;
    etag stored_as{};  ///< empty if the store does not tell
    std::array<write_operation, 2> group{};
};

/// One run of `align_rows`.
class row_alignment {
public:
    row_alignment(index_relay_core const& relay, entity_key const& entity, std::vector<row_elsewhere> rows,
                  environment const& env)
        : relay_(relay), entity_(entity), rows_(std::move(rows)), env_(env) {
        std::sort(rows_.begin(), rows_.end());
        rows_.erase(std::unique(rows_.begin(), rows_.end()), rows_.end());
    }

    task<alignment> run() {
        for (int tries = 1;; ++tries) {
            auto const began = env_.now();
            conflict_.reset();
            co_await try_once();
            if (!done_.fault && !conflict_) co_await erase_intents_beside();
            if (done_.fault || !conflict_) co_return std::move(done_);
            ++done_.conflicts;
            modify_options const waits{.attempts = relay_.options.attempts};
            auto const until = next_try(waits, tries, env_.now() - began, *conflict_, env_, call_again_remedy);
            if (!until) done_.fault = until.error();
            if (!until) co_return std::move(done_);
            co_await pause_until(*until);
        }
    }

private:
    /// A fault or a conflict ends it early.
    task<> try_once() {
        co_await read_rows();
        if (done_.fault) co_return;
        auto base = co_await read_base();
        if (done_.fault) co_return;
        auto const base_etag = base.etag;
        auto implied = rows_elsewhere_of(relay_, base);
        if (!implied) {
            done_.fault = implied.error();
            co_return;
        }
        // A reader that looks for a new value finds it before the old row is gone.
        bool const inserts = plan_writes(*implied);
        co_await send(done_.written);
        if (done_.fault || conflict_) co_return;
        plan_erases(*implied);
        co_await send(done_.erased);
        if (done_.fault || conflict_ || !inserts) co_return;
        auto const again = co_await read_base();
        if (!done_.fault && again.etag != base_etag) conflict_ = error{service_errc::update_condition_not_satisfied};
    }

    task<> read_rows() {
        std::vector<request> reads;
        for (auto const& r : rows_)
            reads.emplace_back(get_entity{table_of(relay_, r), r.key.partition_key, r.key.row_key, {}, true});
        etags_.clear();
        for (std::size_t at = 0; at < reads.size(); at += most_at_once) {
            auto const answers = co_await ask_all(some_of(reads, at));
            for (auto const& a : answers) {
                if (!tells_presence(a)) done_.fault = a.failure;
                etags_.push_back(a.etag);
            }
            if (done_.fault) co_return;
        }
    }

    task<response> read_base() {
        request const reading = get_entity{relay_.table->name, entity_.partition_key, entity_.row_key, {}, true};
        auto base = co_await ask(reading);
        if (!tells_presence(base)) done_.fault = base.failure;
        co_return base;
    }

    index_row const* find(std::vector<index_row> const& implied, row_elsewhere const& place) const {
        auto const at = std::find_if(implied.begin(), implied.end(),
                                     [&](auto const& r) { return place_of(r, relay_.indexes) == place; });
        return at == implied.end() ? nullptr : &*at;
    }

    /// True if one of the rows was absent.
    bool plan_writes(std::vector<index_row> const& implied) {
        forget_changes();
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            auto const* const row = find(implied, rows_[i]);
            if (!row) continue;
            if (etags_[i].empty())
                insert(i, row->entity.body);
            else
                add(write_kind::replace, i, row->entity.body);
        }
        return !insertions_.empty();
    }

    void plan_erases(std::vector<index_row> const& implied) {
        forget_changes();
        for (std::size_t i = 0; i < rows_.size(); ++i)
            if (!etags_[i].empty() && !find(implied, rows_[i])) add(write_kind::erase, i, {});
    }

    void add(write_kind kind, std::size_t row, std::string_view body) {
        changes_.emplace_back(write_entity{table_of(relay_, rows_[row]), change_of(kind, row, body)});
    }

    void insert(std::size_t row, std::string_view body) {
        auto beside = intent_beside(rows_[row], relay_.table->name, entity_);
        auto& i = insertions_.emplace_back(changes_.size(), table_of(relay_, rows_[row]), std::move(beside));
        i.group = {change_of(write_kind::insert, row, body), i.insert_of_intent()};
        changes_.emplace_back(transact{i.table, i.group});
    }

    write_operation change_of(write_kind kind, std::size_t row, std::string_view body) const {
        auto const& key = rows_[row].key;
        return {.kind = kind,
                .partition_key = key.partition_key,
                .row_key = key.row_key,
                .body = body,
                .if_match = etags_[row].text()};
    }

    void forget_changes() {
        changes_.clear();
        insertions_.clear();
    }

    /// If the response to an insert was lost, its intent stays for a sweep: row and intent may arrive at any time, also
    /// after the last look at the row. So does one that was stored once more, which has another etag. Another relay may
    /// have carried out the others, too.
    task<> erase_intents_beside() {
        forget_changes();
        for (auto const& i : inserted_)
            if (!i.stored_as.empty()) changes_.emplace_back(write_entity{i.table, i.erase_of_intent()});
        for (std::size_t at = 0; at < changes_.size() && !done_.fault; at += most_at_once) {
            auto const answers = co_await ask_all(some_of(changes_, at));
            for (auto const& a : answers)
                if (!a.ok() && !is_outdated(*a.failure)) done_.fault = a.failure;
        }
    }

    task<> send(std::size_t& count) {
        for (std::size_t at = 0; at < changes_.size() && !done_.fault; at += most_at_once) {
            auto const answers = co_await ask_all(some_of(changes_, at));
            for (std::size_t i = 0; i < answers.size(); ++i) {
                if (answers[i].ok()) ++count;
                take(at + i, answers[i]);
            }
        }
    }

    void take(std::size_t change, response const& answer) {
        if (!answer.ok()) {
            if (answer.outcome() == outcome::in_doubt) done_.is_in_doubt = true;
            (is_worth_another_look(*answer.failure) ? conflict_ : done_.fault) = answer.failure;
            return;
        }
        auto const insert = std::find_if(insertions_.begin(), insertions_.end(),
                                         [&](insertion const& i) { return i.change == change; });
        if (insert == insertions_.end()) return;
        if (answer.etags.size() == insert->group.size()) insert->stored_as = answer.etags.back();
        inserted_.push_back(std::move(*insert));
    }

    index_relay_core const& relay_;
    entity_key const& entity_;
    std::vector<row_elsewhere> rows_;
    environment const& env_;
    std::vector<etag> etags_{};  ///< of each row; empty: it is absent
    std::vector<request> changes_{};
    std::deque<insertion> insertions_{};  ///< among them; the requests borrow from these
    std::vector<insertion> inserted_{};   ///< by this run
    std::optional<error> conflict_{};
    alignment done_{};
};

}  // namespace

bool is_of_entities(index_relay_core const& relay, index_intent const& intent, std::string_view read_in) noexcept {
    return equal_ignoring_case(intent.is_beside_row() ? std::string_view{intent.table} : read_in, relay.table->name);
}

bool is_known(index_relay_core const& relay, index_intent const& intent, row_elsewhere const& row,
              std::string_view read_in) noexcept {
    if (intent.is_beside_row() &&
        (row.key.partition_key != intent.key.partition_key || !equal_ignoring_case(table_of(relay, row), read_in)))
        return false;
    auto const all = relay.indexes.elsewhere;
    return std::any_of(all.begin(), all.end(), [&](elsewhere_type const& index) {
        return index.table == row.table && row.key.row_key.starts_with(index.row_prefix);
    });
}

std::string_view table_of(index_relay_core const& relay, row_elsewhere const& row) noexcept {
    return row.table.empty() ? std::string_view{relay.table->name} : std::string_view{row.table};
}

result<std::vector<index_row>> rows_elsewhere_of(index_relay_core const& relay, response& base) {
    std::vector<index_row> rows;
    if (is_absent(base)) return rows;
    if (!base.ok()) return failure{*base.failure};
    auto const& indexes = relay.indexes;
    if (auto r = indexes.add_rows(base.body, row_use::compare, rows, relay.table->cipher.get()); !r)
        return failure{std::move(r).error()};
    std::erase_if(rows, [&](auto const& r) { return !indexes.is_elsewhere(r); });
    for (auto const& r : rows)
        if (r.entity.body.empty()) return failure{cannot_be_encoded(indexes.elsewhere_of(r).name)};
    return rows;
}

task<alignment> align_rows(index_relay_core const& relay, entity_key const& entity, std::vector<row_elsewhere> rows) {
    auto const call = co_await this_call();
    row_alignment run{relay, entity, std::move(rows), call.env};
    auto done = co_await run.run();
    if (done.fault && done.may_have_changed()) done.fault = done.fault->with(outcome::in_doubt);
    co_return done;
}

}  // namespace tablemap::detail
