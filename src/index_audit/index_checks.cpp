// SPDX-License-Identifier: Apache-2.0
#include "index_audit/index_checks.hpp"

#include "store/ask.hpp"
#include "tablemap/detail/query/cursor.hpp"
#include "tablemap/detail/write/modify_row.hpp"
#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/detail/wire/writer.hpp"
#include "tablemap/mapping/dynamic.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr modify_options tries_of_a_check{.attempts = 20};
constexpr std::size_t most_known = 65'536;

/// The body of a merge that changes nothing: it gives the row a new etag, if that is still the one that was read.
std::string touching(entity_key const& key) {
    std::string body;
    begin_entity(body, key.partition_key, key.row_key);
    return body += '}';
}

bool implies(std::vector<index_row> const& rows, std::string const& row_key) {
    return std::any_of(rows.begin(), rows.end(), [&](auto const& r) { return r.entity.row_key == row_key; });
}

std::size_t& count_of(index_report& r, index_fault f) {
    switch (f) {
    case index_fault::missing: return r.missing;
    case index_fault::differing: return r.differing;
    case index_fault::orphaned: return r.orphaned;
    case index_fault::held_twice: return r.held_twice;
    case index_fault::unreadable: break;
    }
    return r.unreadable;
}

}  // namespace

// ---- shared parts ---------------------------------------------------------------------------------------------------

result<std::vector<index_row>> audit::rows_of(stored_entity const& entity) const {
    auto body = body_of(entity);
    std::vector<index_row> rows;
    if (auto r = type.indexes.add_rows(body, row_use::write, rows, cipher()); !r) return failure{std::move(r).error()};
    std::erase_if(rows, [&](index_row const& row) { return type.indexes.is_elsewhere(row); });
    return rows;
}

task<std::optional<stored_entity>> audit::read(std::string_view partition_key, std::string_view row_key) {
    if (fault) co_return std::nullopt;
    request const what = get_entity{table.name, partition_key, row_key, {}, true};
    auto answer = co_await ask(what);
    if (!answer.ok()) {
        if (answer.failure->code() != service_errc::resource_not_found) end_with(*answer.failure);
        co_return std::nullopt;
    }
    auto e = read_dynamic(answer.body);
    if (!e) {
        end_with(e.error());
        co_return std::nullopt;
    }
    if (e->etag.empty()) e->etag = std::move(answer.etag);
    e->partition_key = partition_key;
    e->row_key = row_key;
    co_return *std::move(e);
}

void audit::report(index_finding f) {
    ++count_of(so_far, f.what);
    so_far.repaired += f.repaired ? 1 : 0;
    if (options.on_finding) options.on_finding(f);
    if (so_far.findings.size() < options.findings_kept) so_far.findings.push_back(std::move(f));
}

bool audit::is_first_of(entity_key const& row) {
    if (known.size() >= most_known) known.clear();
    return known.insert(query_hash{}.add(row.partition_key).add(row.row_key).value()).second;
}

// ---- any check ------------------------------------------------------------------------------------------------------

task<> index_check::look() {
    needs_look_ = false;
    if (again_at_) co_await pause_until(*again_at_);
    began_ = all_.env->now();
    if (!is_first_look()) {
        auto const now = co_await all_.read(key_.partition_key, key_.row_key);
        if (all_.fault) co_return;
        if (!now) co_return note_absence();
        begin(*now);
    }
    while (!all_.fault) {
        bool const has_fault = co_await find_fault();
        if (all_.fault || !has_fault) co_return;
        has_repair_ = all_.repairs && make_repair();
        if (has_repair_) co_return;
        auto const now = co_await all_.read(key_.partition_key, key_.row_key);
        if (all_.fault) co_return;
        if (!now) co_return note_absence();
        if (now->etag == etag_) co_return report_unrepaired(nullptr);
        if (!may_try_again()) co_return;
        begin(*now);
    }
}

void index_check::answered(response const& answer) {
    has_repair_ = false;
    auto const became = answer.outcome();
    all_.changed = all_.changed || became != outcome::not_applied;
    if (became == outcome::applied) return report_repaired();
    auto const& met = *answer.failure;
    auto const& code = met.code();
    if (became == outcome::in_doubt) {
        note_doubt();
        look_again_after(met);
    } else if (code == service_errc::update_condition_not_satisfied || code == service_errc::resource_not_found ||
               code == service_errc::entity_already_exists) {
        look_again_after(met);
    } else if (code == error_kind::too_large || code == error_kind::invalid_argument) {
        report_unrepaired(&met);  // it cannot be written like that
    } else {
        all_.end_with(met);
    }
}

void index_check::look_again_after(error const& met) {
    if (!may_try_again()) return;
    auto const until = next_try(tries_of_a_check, tries_, all_.env->now() - began_, met, *all_.env);
    if (!until) return all_.end_with(until.error());
    again_at_ = *until;
    needs_look_ = true;
}

/// False if it was looked at too often.
bool index_check::may_try_again() {
    if (++tries_ < tries_of_a_check.attempts) return true;
    ++all_.so_far.unsettled;
    return false;
}

// ---- an entity ------------------------------------------------------------------------------------------------------

void entity_check::begin(stored_entity const& entity) {
    key_ = {entity.partition_key, entity.row_key};
    etag_ = entity.etag;
    rows_.clear();
    auto implied = all_.rows_of(entity);
    if (!implied) return;  // the pass that read it first reports it
    for (auto& row : *implied) {
        entity_key const key{row.entity.partition_key, row.entity.row_key};
        if (is_first_look() && !all_.tally.suspects(key)) continue;
        auto const content = read_dynamic(row.entity.body);
        if (!content) return all_.end_with(content.error());
        rows_.push_back({std::move(row), digest_of(*content, all_.cipher())});
    }
}

task<bool> entity_check::find_fault() {
    for (auto& r : rows_) {
        co_await compare(r);
        if (all_.fault) co_return false;
    }
    report_what_was_repaired();
    co_return std::any_of(rows_.begin(), rows_.end(), [](auto& r) { return r.fault.has_value(); });
}

/// If the index has no row like that, the write itself may find out.
task<> entity_check::compare(implied_row& r) {
    auto const& e = r.row.entity;
    bool const absent = all_.repairs && is_first_look() && all_.tally.saw_none_like({e.partition_key, e.row_key});
    std::optional<stored_entity> held;
    if (!absent) held = co_await all_.read(e.partition_key, e.row_key);
    if (!held)
        r.fault = index_fault::missing;
    else
        co_await examine_difference(r, *held);
}

task<> entity_check::examine_difference(implied_row& r, stored_entity const& held) {
    auto const digest = digest_of(held, all_.cipher());
    if (digest == r.digest) co_return;
    r.fault = index_fault::differing;
    r.stored = held.etag;
    r.held = digest;
    auto body = body_of(held);
    auto const owner = all_.type.owner_of(body, held.row_key);
    if (!owner) {
        // At a key that ends in the entity's own row key it can only be the entity's, whatever it lacks.
        if (!is_unique(r) && owner.error().code() == library_errc::missing_property) co_return;
        r.fault = index_fault::unreadable;
        r.why = owner.error();
    } else if (is_unique(r) && *owner != key_.row_key) {
        auto const holder = co_await all_.read(key_.partition_key, *owner);
        if (!holder) co_return;
        auto const others = all_.rows_of(*holder);
        if (!others || implies(*others, r.row.entity.row_key)) r.fault = index_fault::held_twice;
        if (!others) r.why = others.error();
    }
}

/// Reports the rows that are good now and whose repair may have been written.
void entity_check::report_what_was_repaired() {
    for (auto const& was : doubtful_) {
        auto const now = std::find_if(rows_.begin(), rows_.end(),
                                      [&](auto& r) { return r.row.entity.row_key == was.row.entity.row_key; });
        if (now != rows_.end() && !now->fault) report(was, true, nullptr);
    }
    doubtful_.clear();
}

bool entity_check::make_repair() {
    touch_ = touching(key_);
    return std::any_of(rows_.begin(), rows_.end(), [&](auto& r) { return is_repairable(r); });
}

void entity_check::add_writes(std::vector<write_operation>& to) {
    to.push_back({.kind = write_kind::merge,
                  .partition_key = key_.partition_key,
                  .row_key = key_.row_key,
                  .body = touch_,
                  .if_match = etag_.text()});
    for (auto const& r : rows_) {
        if (!is_repairable(r)) continue;
        bool const there = *r.fault == index_fault::differing;
        to.push_back({.kind = there ? write_kind::replace : write_kind::insert,
                      .partition_key = key_.partition_key,
                      .row_key = r.row.entity.row_key,
                      .body = r.row.entity.body,
                      .if_match = there ? r.stored.text() : std::string_view{}});
    }
}

void entity_check::note_doubt() {
    for (auto const& r : rows_)
        if (is_repairable(r)) doubtful_.push_back(r);
}

void entity_check::report_all(bool repaired, error const* why) {
    for (auto& r : rows_) {
        if (!r.fault) continue;
        bool const done = repaired && is_repairable(r);
        if (!done && is_reported(r)) r.fault = index_fault::held_twice;
        report(r, done, is_repairable(r) ? why : nullptr);
    }
}

/// True if another entity's claim to the row, which neither has, was told before.
bool entity_check::is_reported(implied_row const& r) {
    bool const has_one_key = *r.fault == index_fault::differing || (*r.fault == index_fault::missing && is_unique(r));
    return has_one_key && !all_.is_first_of({r.row.entity.partition_key, r.row.entity.row_key});
}

void entity_check::report(implied_row const& r, bool repaired, error const* why) {
    entity_key key{r.row.entity.partition_key, r.row.entity.row_key};
    bool const unreadable = *r.fault == index_fault::unreadable;
    all_.tally.explained(key, r.digest, r.held && (unreadable || is_repairable(r)) ? &*r.held : nullptr);
    if (unreadable && !all_.is_first_of(key)) return;
    all_.report({*r.fault, std::move(key), all_.type.indexes.list[r.row.index].name, key_.row_key, repaired,
                 why ? std::optional{*why} : r.why});
}

// ---- a row of an index ----------------------------------------------------------------------------------------------

void orphan_check::begin(stored_entity const& row) {
    key_ = {row.partition_key, row.row_key};
    etag_ = row.etag;
    auto body = body_of(row);
    auto owner = all_.type.owner_of(body, row.row_key);
    owner_.reset();
    if (owner)
        owner_ = *std::move(owner);
    else if (owner.error().code() != library_errc::another_type)
        report(index_fault::unreadable, false, &owner.error());
}

task<bool> orphan_check::find_fault() {
    if (!owner_) co_return false;
    auto const owner = co_await all_.read(key_.partition_key, *owner_);
    owner_etag_ = owner ? owner->etag : etag{};
    if (!owner) co_return true;
    auto const rows = all_.rows_of(*owner);
    co_return rows && !implies(*rows, key_.row_key);
}

bool orphan_check::make_repair() {
    touch_ = owner_etag_.empty() ? std::string{} : touching({key_.partition_key, *owner_});
    return true;
}

void orphan_check::note_absence() {
    if (doubtful_) report(index_fault::orphaned, true, nullptr);
}

void orphan_check::add_writes(std::vector<write_operation>& to) {
    if (!owner_etag_.empty())
        to.push_back({.kind = write_kind::merge,
                      .partition_key = key_.partition_key,
                      .row_key = *owner_,
                      .body = touch_,
                      .if_match = owner_etag_.text()});
    to.push_back({.kind = write_kind::erase,
                  .partition_key = key_.partition_key,
                  .row_key = key_.row_key,
                  .if_match = etag_.text()});
}

void orphan_check::report(index_fault what, bool repaired, error const* why) {
    if (!repaired && !all_.is_first_of(key_)) return;
    auto const& index = all_.type.indexes.list[all_.tally.index_at(key_.row_key)];
    all_.report({what, key_, index.name, owner_.value_or(""), repaired, why ? std::optional{*why} : std::nullopt});
}

}  // namespace tablemap::detail
