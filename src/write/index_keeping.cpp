// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/write/index_keeping.hpp"

#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/detail/wire/writer.hpp"
#include "tablemap/detail/write/index_intent.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

/// The row of a non-unique index belongs to its entity alone, whatever it holds: its key ends in the entity's row key,
/// and no key can be read in two ways (see `append_parts`). So its owner need not be checked.
companion made_of(write_kind kind, index_row&& row, index_type const& index) {
    bool const conditional = is_conditional(kind);
    return {.kind = kind,
            .row_key = std::move(row.entity.row_key),
            .body = std::move(row.entity.body),
            .if_match = std::string{conditional && !index.unique ? any_etag : std::string_view{}},
            .index = index.name,
            .owner_of = index.unique ? index.owner_of : nullptr};
}

companion erased(index_row&& row, index_type const& index) {
    row.entity.body.clear();
    return made_of(write_kind::erase, std::move(row), index);
}

/// A row of a unique index must not go over that of another entity.
companion written_anew(index_row&& row, index_type const& index) {
    return made_of(index.unique ? write_kind::insert : write_kind::upsert_replace, std::move(row), index);
}

companion rewritten(index_row&& row, index_type const& index) {
    if (!index.unique) return written_anew(std::move(row), index);
    return made_of(write_kind::replace, std::move(row), index);
}

std::vector<companion> differences(std::vector<index_row> before, std::vector<index_row> after,
                                   index_set const& indexes) {
    std::vector<companion> plan;
    auto intent = take_intent(before, after, indexes);
    for (auto& row : after) {
        auto const same =
            std::find_if(before.begin(), before.end(), [&](auto& b) { return b.entity.row_key == row.entity.row_key; });
        auto const& index = indexes.list[row.index];
        if (same == before.end())
            plan.push_back(written_anew(std::move(row), index));
        else if (index.sealed || same->outdated || same->entity.body != row.entity.body)
            plan.push_back(rewritten(std::move(row), index));
        if (same != before.end()) before.erase(same);
    }
    for (auto& row : before) plan.push_back(erased(std::move(row), indexes.list[row.index]));
    if (intent) plan.push_back(*std::move(intent));
    return plan;
}

result<std::string> merge_encoded(std::string& stored, std::string& merged) {
    auto row = read_dynamic(stored);
    if (!row) return failure{std::move(row).error()};
    auto const changes = read_dynamic(merged);
    if (!changes) return failure{changes.error()};
    for (auto const& p : properties_of(*changes)) row->set_value(p.name, p.value);
    std::string out;
    append_entity(out, *row);
    return out;
}

write_kind kind_over(write_kind k) noexcept {
    return k == write_kind::upsert_replace ? write_kind::replace
           : k == write_kind::upsert_merge ? write_kind::merge
                                           : k;
}

/// Appends the rows of an entity after a write of this body.
result<void> add_rows_after(write_kind kind, std::string& body, std::string* stored, std::vector<index_row>& rows,
                            index_set const& indexes, property_cipher const* cipher) {
    if (kind == write_kind::erase) return {};
    if (kind != write_kind::merge || !stored) return indexes.add_rows(body, row_use::write, rows, cipher);
    auto merged = merge_encoded(*stored, body);
    if (!merged) return failure{std::move(merged).error()};
    return indexes.add_rows(*merged, row_use::write, rows, cipher);
}

row_use use_of_stored(write_kind kind) noexcept {
    return kind == write_kind::erase ? row_use::erase : row_use::compare;
}

}  // namespace

result<void> keep_indexes(edited_entity& e, std::string* stored, index_set const& indexes,
                          property_cipher const* cipher) {
    std::vector<index_row> before, after;
    if (stored)
        if (auto r = indexes.add_rows(*stored, use_of_stored(e.kind), before, cipher); !r) return r;
    if (auto r = add_rows_after(e.kind, e.body, stored, after, indexes, cipher); !r) return r;
    e.companions = differences(std::move(before), std::move(after), indexes);
    return {};
}

index_change::index_change(index_set const* indexes, property_cipher const* cipher) noexcept
    : indexes_(indexes), cipher_(cipher) {}

void index_change::begin(void const* value, bool outdated) {
    if (!indexes_ || !indexes_->exact) return;
    begun_ = indexes_->add_rows_of_value(value, row_use::compare, before_, cipher_);
    for (auto& row : before_) row.outdated = row.outdated || outdated;
}

result<void> index_change::end(void const* value, std::string* stored, edited_entity& e) {
    if (!indexes_ || !begun_) return begun_;
    if (!indexes_->exact) return keep_indexes(e, stored, *indexes_, cipher_);
    std::vector<index_row> after;
    if (auto r = indexes_->add_rows_of_value(value, row_use::write, after, cipher_); !r) return r;
    e.companions = differences(std::move(before_), std::move(after), *indexes_);
    return {};
}

result<write_plan> plan_write(encoded_write& w, response* read, property_cipher const* cipher) {
    if (!w.indexes) return write_plan{w.kind, w.if_match, {}};
    bool const absent = !read || (!read->ok() && read->failure->code() == service_errc::resource_not_found);
    if (!absent && !read->ok()) return failure{*read->failure};
    if (absent && is_conditional(w.kind))
        return read ? failure{*read->failure} : fail(service_errc::resource_not_found);
    if (!absent && w.kind == write_kind::insert) return fail(service_errc::entity_already_exists);
    if (!absent && !is_of_any_version(w) && w.if_match != read->etag.text())
        return fail(service_errc::update_condition_not_satisfied);
    auto const kind = absent ? write_kind::insert : kind_over(w.kind);
    std::string* const stored = absent ? nullptr : &read->body;
    std::vector<index_row> before, after;
    if (stored)
        if (auto r = w.indexes->add_rows(*stored, use_of_stored(kind), before, cipher); !r)
            return failure{std::move(r).error()};
    if (std::exchange(w.has_rows, false))  // once: those of another try are made from the body
        after = std::exchange(w.rows, {});
    else if (auto r = add_rows_after(kind, w.entity.body, stored, after, *w.indexes, cipher); !r)
        return failure{std::move(r).error()};
    return write_plan{kind, absent ? std::string{} : std::string{read->etag.text()},
                      differences(std::move(before), std::move(after), *w.indexes)};
}

index_keeper::index_keeper(encoded_write w, property_cipher const* cipher) : write_(std::move(w)), cipher_(cipher) {}

etag index_keeper::finish(etag&& stored) { return std::move(stored); }

etag index_keeper::unchanged() { return {}; }

result<bool> index_keeper::edit(response* read, environment const&, edited_entity& write) {
    auto plan = plan_write(write_, read, cipher_);
    if (!plan) return failure{std::move(plan).error()};
    write = {plan->kind, write_.entity.body, write_.entity.operation_id, std::move(plan->companions)};
    return true;
}

namespace {

edit_rules rules_of(encoded_write const& w) noexcept {
    return {.when_absent = w.kind == write_kind::insert ? absence::expected : absence::an_insert,
            .repeated = may_be_repeated(w)     ? repetition::after_losses
                        : is_of_any_version(w) ? repetition::after_conflicts
                                               : repetition::never,
            .remedy = call_again_remedy};
}

}  // namespace

task<result<etag>> write_indexed(table_state const& table, encoded_write w) {
    if (w.fault) co_return failure{*std::move(w.fault)};
    if (w.needless) co_return etag{};
    entity_key const key{w.entity.partition_key, w.entity.row_key};
    auto const rules = rules_of(w);
    modify_options const options;
    index_keeper keeper{std::move(w), table.cipher.get()};
    auto stored = co_await modify_row(table.name, key, keeper, options, rules);
    if (!stored) co_return failure{std::move(stored).error()};
    co_return stored->value_or(etag{});
}

}  // namespace tablemap::detail
