// SPDX-License-Identifier: Apache-2.0
#include "patterns/index_alignment.hpp"

#include "store/ask.hpp"
#include "tablemap/detail/write/companion.hpp"
#include "tablemap/detail/write/modify_row.hpp"

#include <algorithm>
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
        bool inserts = false;
        changes_.clear();
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            auto const* const row = find(implied, rows_[i]);
            if (!row) continue;
            bool const absent = etags_[i].empty();
            inserts = inserts || absent;
            add(absent ? write_kind::insert : write_kind::replace, i, row->entity.body);
        }
        return inserts;
    }

    void plan_erases(std::vector<index_row> const& implied) {
        changes_.clear();
        for (std::size_t i = 0; i < rows_.size(); ++i)
            if (!etags_[i].empty() && !find(implied, rows_[i])) add(write_kind::erase, i, {});
    }

    void add(write_kind kind, std::size_t row, std::string_view body) {
        auto const& r = rows_[row];
        changes_.emplace_back(write_entity{table_of(relay_, r),
                                           {.kind = kind,
                                            .partition_key = r.key.partition_key,
                                            .row_key = r.key.row_key,
                                            .body = body,
                                            .if_match = etags_[row].text()}});
    }

    task<> send(std::size_t& count) {
        for (std::size_t at = 0; at < changes_.size() && !done_.fault; at += most_at_once) {
            auto const answers = co_await ask_all(some_of(changes_, at));
            for (auto const& a : answers) {
                if (a.ok())
                    ++count;
                else if (is_worth_another_look(*a.failure))
                    conflict_ = a.failure;
                else
                    done_.fault = a.failure;
            }
        }
    }

    index_relay_core const& relay_;
    entity_key const& entity_;
    std::vector<row_elsewhere> rows_;
    environment const& env_;
    std::vector<etag> etags_{};  ///< of each row; empty: it is absent
    std::vector<request> changes_{};
    std::optional<error> conflict_{};
    alignment done_{};
};

}  // namespace

bool is_known(index_set const& indexes, row_elsewhere const& row) noexcept {
    auto const all = indexes.elsewhere;
    return std::any_of(all.begin(), all.end(), [&](elsewhere_type const& index) {
        return index.table == row.table && row.key.row_key.starts_with(index.row_prefix);
    });
}

std::string_view table_of(index_relay_core const& relay, row_elsewhere const& row) noexcept {
    return row.table.empty() ? std::string_view{relay.table->name} : std::string_view{row.table};
}

result<std::vector<index_row>> rows_elsewhere_of(index_relay_core const& relay, response& base) {
    std::vector<index_row> rows;
    if (!base.ok()) {
        if (base.failure->code() != service_errc::resource_not_found) return failure{*base.failure};
        return rows;
    }
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
    co_return done;
}

}  // namespace tablemap::detail
