// SPDX-License-Identifier: Apache-2.0
#include "patterns/elsewhere_check.hpp"

#include "store/ask.hpp"
#include "store/page_reading.hpp"
#include "tablemap/detail/keys/text.hpp"
#include "tablemap/detail/query/cursor.hpp"
#include "tablemap/detail/write/companion.hpp"
#include "tablemap/edm/limits.hpp"
#include "tablemap/mapping/dynamic.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

/// It must be the same for a resume point to fit.
std::uint64_t relay_hash(index_relay_core const& relay) {
    query_hash h;
    h.add("indexes elsewhere").add(relay.table->store->capabilities().name).add(relay.table->name);
    for (auto const& i : relay.indexes.elsewhere) h.add(i.name).add(i.table).add(i.row_prefix);
    return h.value();
}

/// A place in the audit: in the pages of the entities, or in those of an index's rows.
struct audit_place {
    std::size_t reading = 0;  ///< 0: the entities; from 1: the rows of the indexes, in their order
    std::optional<continuation> page{};
};

/// One run of `audit_rows_elsewhere`. A resume point names what is being read by its number, in the place of the
/// partition of the next row.
class elsewhere_audit {
public:
    elsewhere_audit(index_relay_core const& relay, bool repairs, index_audit_options options, environment const& env)
        : relay_(relay), options_(std::move(options)), env_(env), check_(relay, repairs, options_, env) {}

    task<result<index_report>> run() {
        auto const begin = find_beginning();
        if (!begin) co_return failure{begin.error()};
        from_ = *begin;
        if (from_.reading == 0) co_await read_entities();
        for (auto i = std::max<std::size_t>(from_.reading, 1); i <= relay_.indexes.elsewhere.size(); ++i) {
            if (check_.fault) break;
            co_await read_index(i);
        }
        if (check_.fault)
            co_return failure{check_.changed_something ? check_.fault->with(outcome::in_doubt) : *check_.fault};
        notify({});
        co_return std::move(check_.report);
    }

private:
    using page_taker = task<> (elsewhere_audit::*)(std::vector<stored_entity> const& rows);

    // ---- the resume point -------------------------------------------------------------------------------------------

    result<audit_place> find_beginning() const {
        if (options_.resume.empty()) return audit_place{};
        auto ranges = read_cursor(options_.resume, relay_hash(relay_), 1);
        if (!ranges) return failure{std::move(ranges).error()};
        auto& range = ranges->front();
        for (std::size_t i = 0; i <= relay_.indexes.elsewhere.size(); ++i)
            if (range.partition_key == std::to_string(i)) return audit_place{i, std::move(range.page)};
        return fail(library_errc::invalid_cursor, {.reason = "it is none of this operation"});
    }

    void notify(std::string resume) const {
        if (options_.progress) options_.progress({check_.report, std::move(resume)});
    }

    /// The page that follows may be the first one of what is read next.
    std::string resume_point(std::size_t reading, std::optional<continuation> const& next) const {
        if (!next && reading == relay_.indexes.elsewhere.size()) return {};
        auto const at = next ? reading : reading + 1;
        return write_cursor(relay_hash(relay_), {{.page = next, .partition_key = std::to_string(at)}});
    }

    // ---- pages ------------------------------------------------------------------------------------------------------

    task<> each_page(std::size_t reading, query_page what, page_taker take) {
        what.top = std::clamp<std::size_t>(options_.page_rows, 1, limits::page_entities);
        what.current = true;
        page_reading pages{what, env_, std::exchange(from_.page, std::nullopt)};
        while (!pages.ended()) {
            auto const rows = co_await pages.next_rows();
            if (!rows) co_return check_.end_with(rows.error());
            co_await (this->*take)(*rows);
            if (check_.fault) co_return;
            if (auto resume = resume_point(reading, pages.next_page()); !resume.empty()) notify(std::move(resume));
        }
    }

    task<> read_entities() {
        query_page const entities{.table = relay_.table->name};
        co_await each_page(0, entities, &elsewhere_audit::check_entities);
    }

    task<> read_index(std::size_t number) {
        index_ = &relay_.indexes.elsewhere[number - 1];
        std::string const prefix{index_->row_prefix};
        auto const end = end_of_prefix(prefix);
        auto const table = index_->table.empty() ? std::string_view{relay_.table->name} : index_->table;
        query_page const rows{.table = table, .row = {.from = prefix, .to = *end, .to_inclusive = false}};
        co_await each_page(number, rows, &elsewhere_audit::check_rows);
    }

    // ---- entities ---------------------------------------------------------------------------------------------------

    task<> check_entities(std::vector<stored_entity> const& rows) {
        std::vector<suspect> implied;
        for (auto const& row : rows) {
            if (!is_entity(row)) continue;
            add_implied_by(row, implied);
            if (implied.size() < options_.at_once) continue;
            co_await check_.settle_all(implied);
            if (check_.fault) co_return;
            implied.clear();
        }
        co_await check_.settle_all(implied);
    }

    bool is_entity(stored_entity const& row) const {
        if (is_key_of_index(relay_.entities, row.row_key)) return false;
        return std::any_of(relay_.entities.begin(), relay_.entities.end(), [&](row_type const* t) {
            return has_literals(t->partition_parts, row.partition_key) && has_literals(t->row_parts, row.row_key);
        });
    }

    void add_implied_by(stored_entity const& row, std::vector<suspect>& to) {
        response base;
        base.body = body_of(row);
        entity_key const key{row.partition_key, row.row_key};
        auto const implied = rows_elsewhere_of(relay_, base);
        if (implied) {
            ++check_.report.entities;
            for (auto const& r : *implied)
                to.push_back({key, place_of(r, relay_.indexes), relay_.indexes.elsewhere_of(r).name});
        } else if (implied.error().code() != library_errc::another_type) {
            check_.add({index_fault::unreadable, key, {}, {}, false, implied.error()});
        }
    }

    // ---- rows elsewhere ---------------------------------------------------------------------------------------------

    task<> check_rows(std::vector<stored_entity> const& rows) {
        std::vector<suspect> held;
        for (auto const& row : rows) {
            ++check_.report.index_rows;
            auto body = body_of(row);
            auto const owner = index_->owner_of(body);
            entity_key key{row.partition_key, row.row_key};
            if (owner)
                held.push_back({*owner, {std::string{index_->table}, std::move(key)}, index_->name, true});
            else if (owner.error().code() != library_errc::another_type)
                check_.add({index_fault::unreadable, std::move(key), index_->name, {}, false, owner.error()});
        }
        co_await check_.settle_all(held);
    }

    index_relay_core const& relay_;
    index_audit_options options_;
    environment const& env_;
    elsewhere_check check_;
    audit_place from_{};
    elsewhere_type const* index_ = nullptr;  ///< whose rows are being read
};

}  // namespace

task<result<index_report>> audit_rows_elsewhere(index_relay_ptr relay, bool repairs, index_audit_options options) {
    auto const call = co_await this_call();
    elsewhere_audit audit{*relay, repairs, std::move(options), call.env};
    auto report = co_await audit.run();
    co_return report;
}

}  // namespace tablemap::detail
