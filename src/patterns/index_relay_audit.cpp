// SPDX-License-Identifier: Apache-2.0
#include "index_audit/index_tally.hpp"
#include "patterns/index_alignment.hpp"

#include "store/ask.hpp"
#include "store/page_reading.hpp"
#include "tablemap/detail/keys/text.hpp"
#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/detail/write/companion.hpp"
#include "tablemap/mapping/dynamic.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::size_t most_at_once = 16;
constexpr std::size_t most_kept = 1'000;
constexpr std::size_t rows_of_a_page = 250;
constexpr int most_looks = 5;

/// A row elsewhere that seemed wrong in its page.
struct suspect {
    entity_key entity{};
    row_elsewhere place{};
    std::string_view index{};
};

/// The state of a row elsewhere beside its entity.
enum class row_state : std::uint8_t { good, missing, differing, orphaned };

/// One run of `audit_rows_elsewhere`.
class elsewhere_audit {
public:
    elsewhere_audit(index_relay_core const& relay, bool repairs, environment const& env)
        : relay_(relay), repairs_(repairs), env_(env) {}

    task<result<index_report>> run() {
        query_page const entities{.table = relay_.table->name};
        co_await each_page(entities, &elsewhere_audit::check_entities);
        for (auto const& index : relay_.indexes.elsewhere) {
            if (fault_) break;
            index_ = &index;
            std::string const prefix{index.row_prefix};
            auto const end = end_of_prefix(prefix);
            auto const table = index.table.empty() ? std::string_view{relay_.table->name} : index.table;
            query_page const rows{.table = table, .row = {.from = prefix, .to = *end, .to_inclusive = false}};
            co_await each_page(rows, &elsewhere_audit::check_rows);
        }
        if (fault_) co_return failure{changed_something_ ? fault_->with(outcome::in_doubt) : *fault_};
        co_return std::move(report_);
    }

private:
    using page_taker = task<> (elsewhere_audit::*)(std::vector<stored_entity> const& rows);

    task<> each_page(query_page what, page_taker take) {
        what.top = rows_of_a_page;
        what.current = true;
        page_reading pages{what, env_};
        while (!pages.ended() && !fault_) {
            auto const rows = co_await pages.next_rows();
            if (!rows) co_return end_with(rows.error());
            co_await (this->*take)(*rows);
        }
    }

    // ---- entities ---------------------------------------------------------------------------------------------------

    task<> check_entities(std::vector<stored_entity> const& rows) {
        std::vector<suspect> implied;
        for (auto const& row : rows) {
            if (!is_entity(row)) continue;
            auto const places = implied_by(row);
            for (auto const& r : places)
                implied.push_back({{row.partition_key, row.row_key},
                                   place_of(r, relay_.indexes),
                                   relay_.indexes.elsewhere_of(r).name});
        }
        co_await settle_all(implied);
    }

    bool is_entity(stored_entity const& row) const {
        if (is_key_of_index(relay_.entities, row.row_key)) return false;
        return std::any_of(relay_.entities.begin(), relay_.entities.end(), [&](row_type const* t) {
            return has_literals(t->partition_parts, row.partition_key) && has_literals(t->row_parts, row.row_key);
        });
    }

    std::vector<index_row> implied_by(stored_entity const& row) {
        response base;
        base.body = body_of(row);
        auto implied = rows_elsewhere_of(relay_, base);
        if (implied) ++report_.entities;
        if (implied) return *std::move(implied);
        if (implied.error().code() != library_errc::another_type)
            add({index_fault::unreadable, {row.partition_key, row.row_key}, {}, {}, false, implied.error()});
        return {};
    }

    // ---- rows elsewhere ---------------------------------------------------------------------------------------------

    task<> check_rows(std::vector<stored_entity> const& rows) {
        std::vector<suspect> held;
        for (auto const& row : rows) {
            ++report_.index_rows;
            auto body = body_of(row);
            auto const owner = index_->owner_of(body);
            entity_key key{row.partition_key, row.row_key};
            if (owner)
                held.push_back({*owner, {std::string{index_->table}, std::move(key)}, index_->name});
            else if (owner.error().code() != library_errc::another_type)
                add({index_fault::unreadable, std::move(key), index_->name, {}, false, owner.error()});
        }
        co_await settle_all(held);
    }

    // ---- one row ----------------------------------------------------------------------------------------------------

    /// Looks at each row beside its entity, several at once, and again at those that seem wrong.
    task<> settle_all(std::vector<suspect> const& all) {
        for (std::size_t begin = 0; begin < all.size(); begin += most_at_once) {
            auto const some = std::span{all}.subspan(begin, std::min(most_at_once, all.size() - begin));
            std::vector<request> reads;
            for (auto const& s : some) {
                reads.emplace_back(read_of(s.place));
                reads.emplace_back(read_of(s.entity));
            }
            auto answers = co_await ask_all(reads);
            for (std::size_t i = 0; i < some.size(); ++i) {
                auto const state = state_of(some[i], answers[2 * i], answers[2 * i + 1]);
                if (fault_) co_return;
                if (state == row_state::good) continue;
                co_await settle(some[i]);
                if (fault_) co_return;
            }
        }
    }

    request read_of(row_elsewhere const& row) const {
        return get_entity{detail::table_of(relay_, row), row.key.partition_key, row.key.row_key, {}, true};
    }
    request read_of(entity_key const& entity) const {
        return get_entity{relay_.table->name, entity.partition_key, entity.row_key, {}, true};
    }

    /// Rows that an entity implies are judged when entities are read, others when the rows of their index are.
    row_state state_of(suspect const& s, response& row, response& base) {
        for (auto const* const answer : {&row, &base})
            if (!tells_presence(*answer)) {
                end_with(*answer->failure);
                return row_state::good;
            }
        auto implied = rows_elsewhere_of(relay_, base);
        if (!implied) return row_state::good;  // the entity is reported as unreadable
        auto const at = std::find_if(implied->begin(), implied->end(),
                                     [&](auto const& r) { return place_of(r, relay_.indexes) == s.place; });
        bool const is_implied = at != implied->end();
        if (is_implied == (index_ != nullptr)) return row_state::good;
        if (!is_implied) return row.ok() ? row_state::orphaned : row_state::good;
        if (!row.ok()) return row_state::missing;
        return is_alike(at->entity.body, row.body, s.place.key) ? row_state::good : row_state::differing;
    }

    bool is_alike(std::string& implied, std::string& held, entity_key const& key) const {
        auto a = read_dynamic(implied), b = read_dynamic(held);
        if (!a || !b) return false;
        for (auto* const row : {&*a, &*b}) {
            row->partition_key = key.partition_key;
            row->row_key = key.row_key;
        }
        auto const* const cipher = relay_.table->cipher.get();
        return digest_of(*a, cipher) == digest_of(*b, cipher);
    }

    /// A row is at fault if it is not what the entity implies, no intent names it, and it did not change while both
    /// were read: a relay rewrites or erases each row that an intent names before it erases the intent.
    task<> settle(suspect const& s) {
        for (int looks = 0; looks < most_looks; ++looks) {
            auto const of_row = read_of(s.place);
            auto const of_base = read_of(s.entity);
            auto row = co_await ask(of_row);
            auto const etag_before = row.etag;
            auto base = co_await ask(of_base);
            auto const state = state_of(s, row, base);
            if (fault_ || state == row_state::good) co_return;
            auto const pending = co_await has_intent_of(s);
            if (fault_) co_return;
            if (pending) break;
            auto const again = co_await ask(of_row);
            if (!tells_presence(again)) co_return end_with(*again.failure);
            if (again.etag != etag_before) continue;
            co_await report(s, state);
            co_return;
        }
        ++report_.unsettled;
    }

    /// True for an intent that names the row and that a relay will carry out and erase. One that names rows of other
    /// programs' indexes, too, stays, and tells nothing.
    bool is_pending(std::string_view table, stored_entity const& row, suspect const& s) const {
        auto const intent = read_intent(row);
        if (!intent || intent->entity != s.entity || !is_of_entities(relay_, *intent, table)) return false;
        auto const& rows = intent->rows;
        return std::find(rows.begin(), rows.end(), s.place) != rows.end() &&
               std::all_of(rows.begin(), rows.end(),
                           [&](auto const& r) { return is_known(relay_, *intent, r, table); });
    }

    /// Beside the entity, or beside the row. A repair need not wait for a sweep that carries out the latter: it reads
    /// row and entity as a relay does, and leaves the intent.
    task<bool> has_intent_of(suspect const& s) {
        auto const beside_entity = co_await has_intent_in(relay_.table->name, s.entity.partition_key, s);
        if (fault_ || beside_entity || repairs_) co_return beside_entity;
        auto const table = detail::table_of(relay_, s.place);
        auto const beside_row = co_await has_intent_in(table, s.place.key.partition_key, s);
        co_return beside_row;
    }

    task<bool> has_intent_in(std::string_view table, std::string_view partition, suspect const& s) {
        auto const prefix = intents_of(s.entity.row_key);
        auto const end = end_of_prefix(prefix);
        query_page const what{.table = table,
                              .partition = key_bounds::exactly(partition),
                              .row = {.from = prefix, .to = *end, .to_inclusive = false},
                              .top = rows_of_a_page,
                              .current = true};
        page_reading pages{what, env_};
        while (!pages.ended()) {
            auto const rows = co_await pages.next_rows();
            if (!rows) {
                end_with(rows.error());
                co_return false;
            }
            if (std::any_of(rows->begin(), rows->end(), [&](auto const& row) { return is_pending(table, row, s); }))
                co_return true;
        }
        co_return false;
    }

    // ---- findings ---------------------------------------------------------------------------------------------------

    task<> report(suspect const& s, row_state state) {
        index_finding finding{.what = state == row_state::missing     ? index_fault::missing
                                      : state == row_state::differing ? index_fault::differing
                                                                      : index_fault::orphaned,
                              .key = s.place.key,
                              .index = s.index,
                              .entity_row_key = s.entity.row_key};
        if (repairs_) {
            std::vector<row_elsewhere> places{s.place};
            auto const done = co_await align_rows(relay_, s.entity, std::move(places));
            changed_something_ = changed_something_ || done.may_have_changed();
            finding.repaired = !done.fault;
            finding.error = done.fault;
        }
        add(std::move(finding));
    }

    void add(index_finding f) {
        switch (f.what) {
        case index_fault::missing: ++report_.missing; break;
        case index_fault::differing: ++report_.differing; break;
        case index_fault::orphaned: ++report_.orphaned; break;
        default: ++report_.unreadable;
        }
        report_.repaired += f.repaired ? 1 : 0;
        if (report_.findings.size() < most_kept) report_.findings.push_back(std::move(f));
    }

    void end_with(error const& e) {
        if (!fault_) fault_ = e;
    }

    index_relay_core const& relay_;
    bool repairs_;
    environment const& env_;
    elsewhere_type const* index_ = nullptr;  ///< whose rows are being read
    index_report report_{};
    bool changed_something_ = false;
    std::optional<error> fault_{};
};

}  // namespace

task<result<index_report>> audit_rows_elsewhere(index_relay_ptr relay, bool repairs) {
    auto const call = co_await this_call();
    elsewhere_audit audit{*relay, repairs, call.env};
    auto report = co_await audit.run();
    co_return report;
}

}  // namespace tablemap::detail
