// SPDX-License-Identifier: Apache-2.0
#include "patterns/check_findings.hpp"
#include "patterns/most_at_once.hpp"
#include "patterns/reservations.hpp"
#include "store/ask.hpp"
#include "store/page_reading.hpp"
#include "tablemap/mapping/decode.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::size_t values_of_a_page = 256;

/// A value of an entity of a page.
struct owned_value {
    std::size_t number;  ///< of the unique value
    std::string_view text;
    entity_key const* owner;
};

/// One run of `check_unique_values`.
class unique_check {
public:
    unique_check(unique_state const& table, bool repairs, environment const& env)
        : table_(table), repairs_(repairs), env_(env), rows_(table, env) {}

    task<result<unique_report>> run(query_keys const& entities, filter::expression const* where) {
        query_keys const guards{.rows = {std::string{guard_beginning}, end_of_prefix(guard_beginning)}};
        query_page const of_reservations{.table = table_.reservations->name};
        query_page const of_entities{.table = table_.entities->name, .row = entities.row_bounds(), .where = where};
        query_page const of_guards{.table = table_.entities->name, .row = guards.row_bounds()};
        auto done = co_await each_page(of_reservations, &unique_check::take_reservations);
        if (done) done = co_await each_page(of_entities, &unique_check::take_entities);
        if (done) done = co_await each_page(of_guards, &unique_check::take_guards);
        if (done) co_return std::move(found_.report);
        auto const& e = done.error();
        co_return failure{changed_something_ ? e.with(outcome::in_doubt) : e};
    }

private:
    using page_taker = task<result<std::size_t>> (unique_check::*)(response& page);

    /// Reads all pages of a query. The taker returns the number of a page's rows.
    task<result<void>> each_page(query_page what, page_taker take) {
        what.top = values_of_a_page;
        what.current = true;
        page_reading pages{what, env_};
        while (!pages.ended()) {
            auto page = co_await pages.next();
            if (!page) co_return failure{page.error()};
            auto const rows = co_await (this->*take)(*page);
            if (!rows) co_return failure{rows.error()};
            auto const good = pages.passed(*rows);
            if (!good) co_return failure{good.error()};
        }
        co_return result<void>{};
    }

    // ---- reservations -----------------------------------------------------------------------------------------------

    task<result<std::size_t>> take_reservations(response& page) {
        std::vector<entity<reservation>> read;
        auto const count = decode_rows(page, read);
        if (!count) co_return failure{count.error()};
        found_.report.reservations += read.size();
        for (std::size_t begin = 0; begin < read.size(); begin += most_at_once) {
            auto const some = std::span{read}.subspan(begin, std::min(most_at_once, read.size() - begin));
            auto const done = co_await check_reservations(some);
            if (!done) co_return failure{done.error()};
        }
        co_return *count;
    }

    template <class Row> result<std::size_t> decode_rows(response& page, std::vector<entity<Row>>& read) {
        std::vector<bad_row_at> bad;
        auto count = decode_page(page.body, read, bad);
        for (auto& b : bad) found_.add_unreadable(std::move(b.row));
        return count;
    }

    task<result<void>> check_reservations(std::span<entity<reservation> const> some) {
        std::vector<request> reads;
        for (auto const& r : some)
            reads.emplace_back(get_entity{table_.entities->name, r.value.owner_partition, r.value.owner_row, {}, true});
        auto answers = co_await ask_all(reads);
        for (std::size_t i = 0; i < some.size(); ++i) {
            auto const& r = some[i].value;
            auto const number = number_of(r.value);
            // Perhaps of a later version of the program.
            if (number == table_.type.names.size()) continue;
            auto const& answer = answers[i];
            if (!answer.ok() && !is_absent(answer)) co_return failure{*answer.failure};
            if (r.confirmed && has_value(answers[i], number, r.value)) continue;
            auto const done = co_await check_again(r.value, number);
            if (!done) co_return failure{done.error()};
        }
        co_return result<void>{};
    }

    bool has_value(response& owner, std::size_t number, std::string_view text) const {
        if (!owner.ok()) return false;
        auto const values = table_.type.keys_of(owner.body, table_.entities->cipher.get());
        return values && (*values)[number] == text;
    }

    std::size_t number_of(std::string_view value) const {
        auto const& names = table_.type.names;
        auto const name = value.substr(0, value.find('='));
        return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    }

    /// A reservation that seemed wrong in its page: it may have been changed since.
    task<result<void>> check_again(std::string_view value, std::size_t number) {
        auto const found = co_await rows_.find(value, true);
        if (!found) co_return found_.add_unreadable_unless_request(key_of_reservation(value), found.error());
        if (!*found) co_return result<void>{};
        auto const& r = **found;
        bool const over = is_over(r.value.until);
        bool const may_take = repairs_ && over;
        auto const now = co_await rows_.settle(r, number, may_take);
        if (!now) co_return found_.add_unreadable_unless_request(owner_of(r.value), now.error());
        if (*now == standing::held && r.value.confirmed) co_return result<void>{};
        unique_finding finding{.name = name_of(number), .entity = owner_of(r.value)};
        if (*now == standing::held)
            finding.fault = unique_fault::unconfirmed;
        else
            finding.fault = *now == standing::free || over ? unique_fault::abandoned : unique_fault::pending;
        if (repairs_ && *now != standing::pending) {
            auto const repair = *now == standing::held ? rows_.confirmation_of(r) : rows_.erase_of(r);
            auto const what = rows_.to_reservations(repair);
            auto const repaired = co_await carry_out(what);
            if (!repaired) co_return failure{repaired.error()};
            finding.repaired = *repaired;
        }
        found_.add(std::move(finding));
        co_return result<void>{};
    }

    // ---- entities ---------------------------------------------------------------------------------------------------

    task<result<std::size_t>> take_entities(response& page) {
        auto read = table_.type.read_page(page.body, table_.entities->cipher.get());
        if (!read) co_return failure{std::move(read).error()};
        found_.report.entities += read->entities.size();
        for (auto& row : read->unreadable) found_.add_unreadable(std::move(row));
        std::vector<owned_value> values;
        for (auto const& e : read->entities)
            for (std::size_t i = 0; i < e.values.size(); ++i)
                if (!e.values[i].empty()) values.push_back({i, e.values[i], &e.key});
        for (std::size_t begin = 0; begin < values.size(); begin += most_at_once) {
            auto const some = std::span{values}.subspan(begin, std::min(most_at_once, values.size() - begin));
            auto const done = co_await check_values(some);
            if (!done) co_return failure{done.error()};
        }
        co_return read->rows;
    }

    task<result<void>> check_values(std::span<owned_value const> some) {
        std::vector<request> reads;
        for (auto const& v : some)
            reads.emplace_back(get_entity{table_.reservations->name, v.text, "reservation", {}, true});
        auto answers = co_await ask_all(reads);
        for (std::size_t i = 0; i < some.size(); ++i) {
            entity<reservation> r;
            bool const there = answers[i].ok() && decode_into(answers[i].body, r);
            if (!answers[i].ok() && !is_absent(answers[i])) co_return failure{*answers[i].failure};
            if (there && owner_of(r.value) == *some[i].owner) continue;
            auto const done = co_await check_again(some[i]);
            if (!done) co_return failure{done.error()};
        }
        co_return result<void>{};
    }

    /// A value whose reservation was missing or another's: either may have been changed since. The entity is read
    /// first: while it has the value, so has its reservation.
    task<result<void>> check_again(owned_value v) {
        auto const values = co_await rows_.values_of(*v.owner);
        if (!values) co_return found_.add_unreadable_unless_request(*v.owner, values.error());
        if (!*values || (**values)[v.number] != v.text) co_return result<void>{};
        auto const found = co_await rows_.find(v.text, true);
        if (!found) co_return found_.add_unreadable_unless_request(key_of_reservation(v.text), found.error());
        if (*found && owner_of((*found)->value) == *v.owner) co_return result<void>{};
        unique_finding finding{.fault = unique_fault::unprotected, .name = name_of(v.number), .entity = *v.owner};
        bool may_reserve = repairs_;
        if (*found) {
            auto const& r = **found;
            bool const may_take = repairs_ && is_over(r.value.until);
            auto const now = co_await rows_.settle(r, v.number, may_take);
            if (!now) co_return found_.add_unreadable_unless_request(owner_of(r.value), now.error());
            may_reserve = repairs_ && *now == standing::free;
            if (*now == standing::held) {
                finding.fault = unique_fault::held_twice;
                finding.owner = owner_of(r.value);
            }
        }
        if (may_reserve) {
            auto const reserved = co_await reserve(v, *found);
            if (!reserved) co_return failure{reserved.error()};
            finding.repaired = *reserved;
        }
        found_.add(std::move(finding));
        co_return result<void>{};
    }

    /// A reservation without a write under way. If the entity has lost the value meanwhile it is free.
    task<result<bool>> reserve(owned_value v, std::optional<entity<reservation>> const& instead_of) {
        reservation const mine{
            std::string{v.text}, v.owner->partition_key, v.owner->row_key, random_guid(env_.clock()), true,
            rows_.end_of_time()};
        auto const w = instead_of ? rows_.replace_of({mine, instead_of->etag}) : rows_.insert_of(mine);
        auto const what = rows_.to_reservations(w);
        auto const reserved = co_await carry_out(what);
        co_return reserved;
    }

    // ---- guards -----------------------------------------------------------------------------------------------------

    task<result<std::size_t>> take_guards(response& page) {
        std::vector<entity<reservation_guard>> read;
        auto const count = decode_rows(page, read);
        if (!count) co_return failure{count.error()};
        for (auto const& g : read) {
            if (!is_over(g.value.until)) continue;
            unique_finding finding{.fault = unique_fault::stray_guard};
            if (auto r = encode_keys(g.value, finding.entity.partition_key, finding.entity.row_key); !r)
                co_return failure{std::move(r).error()};
            if (repairs_) {
                auto const erase = rows_.erase_of(g);
                auto const what = rows_.to_entities(erase);
                auto const erased = co_await carry_out(what);
                if (!erased) co_return failure{erased.error()};
                finding.repaired = *erased;
            }
            found_.add(std::move(finding));
        }
        co_return *count;
    }

    // ---- repairs ----------------------------------------------------------------------------------------------------

    /// False if somebody else was faster.
    task<result<bool>> carry_out(request const& what) {
        auto const answer = co_await ask(what);
        changed_something_ = changed_something_ || answer.outcome() != outcome::not_applied;
        if (answer.ok()) co_return true;
        if (is_outdated(*answer.failure) || answer.failure->code() == service_errc::entity_already_exists)
            co_return false;
        co_return failure{*answer.failure};
    }

    static entity_key key_of_reservation(std::string_view value) { return {std::string{value}, "reservation"}; }

    std::string name_of(std::size_t number) const { return std::string{table_.type.names[number]}; }

    unique_state const& table_;
    bool repairs_;
    environment const& env_;
    reservations rows_;
    check_findings<unique_report> found_{};
    bool changed_something_ = false;  ///< or may have
};

}  // namespace

task<result<unique_report>> check_unique_values(std::shared_ptr<unique_state const> table, query_keys entities,
                                                std::optional<filter::expression> where, bool repairs) {
    auto const call = co_await this_call();
    unique_check check{*table, repairs, call.env};
    auto const* const condition = where ? &*where : nullptr;
    auto report = co_await check.run(entities, condition);
    co_return report;
}

}  // namespace tablemap::detail
