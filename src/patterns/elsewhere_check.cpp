// SPDX-License-Identifier: Apache-2.0
#include "patterns/elsewhere_check.hpp"

#include "index_audit/index_tally.hpp"
#include "store/ask.hpp"
#include "store/page_reading.hpp"
#include "tablemap/detail/keys/text.hpp"
#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/detail/write/companion.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::size_t rows_of_a_page = 250;

}  // namespace

task<> elsewhere_check::settle_all(std::vector<suspect> const& all) {
    auto const most_at_once = std::max<std::size_t>(options_.at_once / 2, 1);  // rows, of two requests each
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
            if (fault) co_return;
            if (state == row_state::good) continue;
            co_await settle(some[i]);
            if (fault) co_return;
        }
    }
}

request elsewhere_check::read_of(row_elsewhere const& row) const {
    return get_entity{detail::table_of(relay_, row), row.key.partition_key, row.key.row_key, {}, true};
}
request elsewhere_check::read_of(entity_key const& entity) const {
    return get_entity{relay_.table->name, entity.partition_key, entity.row_key, {}, true};
}

/// Rows that an entity implies are judged when entities are read, others when the rows of their index are.
elsewhere_check::row_state elsewhere_check::state_of(suspect const& s, response& row, response& base) {
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
    if (is_implied == s.is_held) return row_state::good;
    if (!is_implied) return row.ok() ? row_state::orphaned : row_state::good;
    if (!row.ok()) return row_state::missing;
    return is_alike(at->entity.body, row.body, s.place.key) ? row_state::good : row_state::differing;
}

bool elsewhere_check::is_alike(std::string& implied, std::string& held, entity_key const& key) const {
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
task<> elsewhere_check::settle(suspect const& s) {
    constexpr int most_looks = 5;
    for (int looks = 0; looks < most_looks; ++looks) {
        auto const of_row = read_of(s.place);
        auto const of_base = read_of(s.entity);
        auto row = co_await ask(of_row);
        auto const etag_before = row.etag;
        auto base = co_await ask(of_base);
        auto const state = state_of(s, row, base);
        if (fault || state == row_state::good) co_return;
        auto const pending = co_await has_intent_of(s);
        if (fault) co_return;
        if (pending) break;
        auto const again = co_await ask(of_row);
        if (!tells_presence(again)) co_return end_with(*again.failure);
        if (again.etag != etag_before) continue;
        co_await note(s, state);
        co_return;
    }
    ++report.unsettled;
}

/// True for an intent that names the row and that a relay will carry out and erase. One that names rows of other
/// programs' indexes, too, stays, and tells nothing.
bool elsewhere_check::is_pending(std::string_view table, stored_entity const& row, suspect const& s) const {
    auto const intent = read_intent(row);
    if (!intent || intent->entity != s.entity || !is_of_entities(relay_, *intent, table)) return false;
    auto const& rows = intent->rows;
    return std::find(rows.begin(), rows.end(), s.place) != rows.end() &&
           std::all_of(rows.begin(), rows.end(), [&](auto const& r) { return is_known(relay_, *intent, r, table); });
}

/// Beside the entity, or beside the row. A repair need not wait for a sweep that carries out the latter: it reads
/// row and entity as a relay does, and leaves the intent.
task<bool> elsewhere_check::has_intent_of(suspect const& s) {
    auto const beside_entity = co_await has_intent_in(relay_.table->name, s.entity.partition_key, s);
    if (fault || beside_entity || repairs_) co_return beside_entity;
    auto const table = detail::table_of(relay_, s.place);
    auto const beside_row = co_await has_intent_in(table, s.place.key.partition_key, s);
    co_return beside_row;
}

task<bool> elsewhere_check::has_intent_in(std::string_view table, std::string_view partition, suspect const& s) {
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

// ---- findings -------------------------------------------------------------------------------------------------------

task<> elsewhere_check::note(suspect const& s, row_state state) {
    index_finding finding{.what = state == row_state::missing     ? index_fault::missing
                                  : state == row_state::differing ? index_fault::differing
                                                                  : index_fault::orphaned,
                          .key = s.place.key,
                          .index = s.index,
                          .entity_row_key = s.entity.row_key};
    if (repairs_) {
        std::vector<row_elsewhere> places{s.place};
        auto const done = co_await align_rows(relay_, s.entity, std::move(places));
        changed_something = changed_something || done.may_have_changed();
        finding.repaired = !done.fault;
        finding.error = done.fault;
    }
    add(std::move(finding));
}

void elsewhere_check::add(index_finding f) {
    switch (f.what) {
    case index_fault::missing: ++report.missing; break;
    case index_fault::differing: ++report.differing; break;
    case index_fault::orphaned: ++report.orphaned; break;
    default: ++report.unreadable;
    }
    report.repaired += f.repaired ? 1 : 0;
    if (options_.on_finding) options_.on_finding(f);
    if (report.findings.size() < options_.findings_kept) report.findings.push_back(std::move(f));
}

}  // namespace tablemap::detail
