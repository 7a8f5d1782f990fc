// SPDX-License-Identifier: Apache-2.0
#include "index_checks.hpp"

#include "tablemap/detail/query/cursor.hpp"
#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/detail/wire/writer.hpp"
#include "tablemap/mapping/dynamic.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr int most_tries = 20;
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
    if (auto r = type.indexes.add_rows(body, row_use::write, rows, scope.cipher); !r)
        return failure{std::move(r).error()};
    return rows;
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

void index_check::read(std::string partition_key, std::string row_key) {
    asked_ = {std::move(partition_key), std::move(row_key)};
    wish_ = wish::read;
}

void index_check::answered_read(response& answer) {
    if (!answer.ok()) {
        if (answer.failure->code() == service_errc::resource_not_found) return found_nothing();
        all_.fault = std::move(*answer.failure);
        return;
    }
    auto e = read_dynamic(answer.body);
    if (!e) {
        all_.fault = std::move(e).error();
        return;
    }
    if (e->etag.empty()) e->etag = std::move(answer.etag);
    e->partition_key = asked_.partition_key;
    e->row_key = asked_.row_key;
    found(std::move(*e));
}

void index_check::answered_write(response const& answer) {
    auto const became = answer.outcome();
    all_.changed = all_.changed || became != outcome::not_applied;
    if (became == outcome::applied) {
        finish();
        return written();
    }
    auto const& code = answer.failure->code();
    if (became == outcome::in_doubt) {
        in_doubt();
        try_again();
    } else if (code == service_errc::update_condition_not_satisfied || code == service_errc::resource_not_found ||
               code == service_errc::entity_already_exists) {
        try_again();
    } else if (code == error_kind::too_large || code == error_kind::invalid_argument) {
        finish();
        refused(*answer.failure);
    } else {
        all_.fault = *answer.failure;
    }
}

bool index_check::may_try_again() {
    if (++tries_ < most_tries) return true;
    ++all_.so_far.unsettled;
    finish();
    return false;
}

// ---- an entity ------------------------------------------------------------------------------------------------------

entity_check::entity_check(audit& all, stored_entity const& entity) : index_check(all) { begin(entity); }

void entity_check::begin(stored_entity const& entity) {
    key_ = {entity.partition_key, entity.row_key};
    etag_ = entity.etag;
    rows_.clear();
    at_ = 0;
    auto implied = all_.rows_of(entity);
    if (!implied) return finish();  // the pass that read it first reports it
    for (auto& row : *implied) {
        entity_key const key{row.entity.partition_key, row.entity.row_key};
        if (first_time() && !all_.tally.suspects(key)) continue;
        auto const content = read_dynamic(row.entity.body);
        if (!content) {
            all_.fault = content.error();
            return;
        }
        rows_.push_back({std::move(row), digest_of(*content, all_.scope.cipher)});
    }
    stage_ = stage::rows;
    go_on();
}

void entity_check::go_on() {
    for (; at_ < rows_.size(); ++at_) {
        auto& r = rows_[at_];
        auto const& e = r.row.entity;
        // If the index has no row like that, the write itself may find out.
        bool const known = all_.repairs && first_time() && all_.tally.saw_none_like({e.partition_key, e.row_key});
        if (!known) return read(e.partition_key, e.row_key);
        r.fault = index_fault::missing;
    }
    decide();
}

void entity_check::compare(stored_entity const& row) {
    auto& r = rows_[at_];
    auto const digest = digest_of(row, all_.scope.cipher);
    if (digest != r.digest) {
        r.fault = index_fault::differing;
        r.stored = row.etag;
        r.held = digest;
        auto body = body_of(row);
        auto const owner = all_.type.owner_of(body, row.row_key);
        // At a key that ends in the entity's own row key it can only be the entity's, whatever it lacks.
        bool const surely_own = !owner && !is_unique(r) && owner.error().code() == library_errc::missing_property;
        if (surely_own) {
            r.why.reset();
        } else if (!owner) {
            r.fault = index_fault::unreadable;
            r.why = owner.error();
        } else if (is_unique(r) && *owner != key_.row_key) {
            stage_ = stage::holder;
            return read(key_.partition_key, *owner);
        }
    }
    ++at_;
    go_on();
}

void entity_check::decide() {
    for (auto const& was : doubtful_) {
        auto const now = std::find_if(rows_.begin(), rows_.end(),
                                      [&](auto& r) { return r.row.entity.row_key == was.row.entity.row_key; });
        if (now != rows_.end() && !now->fault) report(was, true, nullptr);
    }
    doubtful_.clear();
    if (std::none_of(rows_.begin(), rows_.end(), [](auto& r) { return r.fault.has_value(); })) return finish();
    if (all_.repairs && std::any_of(rows_.begin(), rows_.end(), [&](auto& r) { return is_repairable(r); })) {
        touch_ = touching(key_);
        return write();
    }
    stage_ = stage::confirming;
    read(key_.partition_key, key_.row_key);
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

void entity_check::found(stored_entity e) {
    switch (stage_) {
    case stage::rows: return compare(e);
    case stage::holder: {
        auto const others = all_.rows_of(e);
        auto& r = rows_[at_++];
        if (!others || implies(*others, r.row.entity.row_key)) r.fault = index_fault::held_twice;
        if (!others) r.why = others.error();
        stage_ = stage::rows;
        return go_on();
    }
    case stage::confirming:
        if (e.etag == etag_) {
            finish();
            return report_all(false, nullptr);
        }
        if (may_try_again()) begin(e);
        return;
    case stage::again: begin(e);
    }
}

void entity_check::found_nothing() {
    switch (stage_) {
    case stage::rows: rows_[at_].fault = index_fault::missing; break;
    case stage::holder: stage_ = stage::rows; break;
    case stage::confirming:
    case stage::again: return finish();
    }
    ++at_;
    go_on();
}

void entity_check::in_doubt() {
    for (auto const& r : rows_)
        if (is_repairable(r)) doubtful_.push_back(r);
}

void entity_check::look_again() {
    stage_ = stage::again;
    read(key_.partition_key, key_.row_key);
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

orphan_check::orphan_check(audit& all, stored_entity const& row) : index_check(all) { begin(row); }

void orphan_check::begin(stored_entity const& row) {
    key_ = {row.partition_key, row.row_key};
    etag_ = row.etag;
    auto body = body_of(row);
    auto owner = all_.type.owner_of(body, row.row_key);
    if (!owner) {
        finish();
        if (owner.error().code() != library_errc::another_type) report(index_fault::unreadable, false, &owner.error());
        return;
    }
    owner_ = std::move(*owner);
    stage_ = stage::owner;
    read(key_.partition_key, owner_);
}

void orphan_check::decide() {
    if (all_.repairs) {
        touch_ = owner_etag_.empty() ? std::string{} : touching({key_.partition_key, owner_});
        return write();
    }
    stage_ = stage::confirming;
    read(key_.partition_key, key_.row_key);
}

void orphan_check::add_writes(std::vector<write_operation>& to) {
    if (!owner_etag_.empty())
        to.push_back({.kind = write_kind::merge,
                      .partition_key = key_.partition_key,
                      .row_key = owner_,
                      .body = touch_,
                      .if_match = owner_etag_.text()});
    to.push_back({.kind = write_kind::erase,
                  .partition_key = key_.partition_key,
                  .row_key = key_.row_key,
                  .if_match = etag_.text()});
}

void orphan_check::found(stored_entity e) {
    switch (stage_) {
    case stage::owner: {
        auto const rows = all_.rows_of(e);
        if (!rows || implies(*rows, key_.row_key)) return finish();
        owner_etag_ = e.etag;
        return decide();
    }
    case stage::confirming:
        if (e.etag == etag_) {
            finish();
            return report(index_fault::orphaned, false, nullptr);
        }
        if (may_try_again()) begin(e);
        return;
    case stage::again: begin(e);
    }
}

void orphan_check::found_nothing() {
    if (stage_ == stage::owner) {
        owner_etag_ = {};
        return decide();
    }
    finish();
    if (doubtful_) report(index_fault::orphaned, true, nullptr);
}

void orphan_check::look_again() {
    stage_ = stage::again;
    read(key_.partition_key, key_.row_key);
}

void orphan_check::report(index_fault what, bool repaired, error const* why) {
    if (!repaired && !all_.is_first_of(key_)) return;
    all_.report({what, key_, all_.type.indexes.list[all_.tally.index_at(key_.row_key)].name, owner_, repaired,
                 why ? std::optional{*why} : std::nullopt});
}

}  // namespace tablemap::detail
