// SPDX-License-Identifier: Apache-2.0
#include "tablemap/repository/index_keeping.hpp"

#include "tablemap/wire/reader.hpp"
#include "tablemap/wire/writer.hpp"

#include <algorithm>

namespace tablemap::detail {
namespace {

row_beside erased(index_row&& row, index_type const& index) {
    return {write_kind::erase, std::move(row.entity.row_key), {}, std::string{any_etag}, index.name};
}

/// A row of a unique index must not go over that of another entity; those of others hold the entity's own row key.
row_beside written_anew(index_row&& row, index_type const& index) {
    auto const kind = index.unique ? write_kind::insert : write_kind::upsert_replace;
    return {kind, std::move(row.entity.row_key), std::move(row.entity.body), {}, index.name};
}

row_beside rewritten(index_row&& row, index_type const& index) {
    if (!index.unique) return written_anew(std::move(row), index);
    return {write_kind::replace, std::move(row.entity.row_key), std::move(row.entity.body), std::string{any_etag},
            index.name};
}

}  // namespace

result<std::vector<row_beside>> plan_index_rows(index_set const& indexes, std::string* stored, std::string* written,
                                                property_cipher const* cipher) {
    std::vector<index_row> before, after;
    if (stored)
        if (auto r = indexes.add_rows(*stored, written ? row_use::compare : row_use::erase, before, cipher); !r)
            return failure{std::move(r).error()};
    if (written)
        if (auto r = indexes.add_rows(*written, row_use::write, after, cipher); !r)
            return failure{std::move(r).error()};
    std::vector<row_beside> plan;
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
    return plan;
}

result<std::string> merge_encoded(std::string& stored, std::string const& merged) {
    auto row = read_dynamic(stored);
    if (!row) return failure{std::move(row).error()};
    auto copy = merged;
    auto const changes = read_dynamic(copy);
    if (!changes) return failure{changes.error()};
    for (auto const& p : changes->properties()) row->set_value(p.name, p.value);
    std::string out;
    append_entity(out, *row);
    return out;
}

result<void> keep_indexes(edited_entity& e, std::string* stored, index_set const& indexes,
                          property_cipher const* cipher) {
    auto body = e.body;
    if (e.kind == write_kind::merge && stored) {
        auto merged = merge_encoded(*stored, e.body);
        if (!merged) return failure{std::move(merged).error()};
        body = std::move(*merged);
    }
    auto rows = plan_index_rows(indexes, stored, e.kind == write_kind::erase ? nullptr : &body, cipher);
    if (!rows) return failure{std::move(rows).error()};
    e.beside = std::move(*rows);
    return {};
}

edited_entity index_keeper::edited(write_kind kind) const { return {kind, write_.entity.body, write_.entity.token}; }

result<std::optional<edited_entity>> index_keeper::edit(response& read, environment const&) {
    if (write_.kind == write_kind::insert) return fail(service_errc::entity_already_exists);
    bool const conditional = is_conditional(write_.kind) && write_.if_match != any_etag;
    if (conditional && write_.if_match != read.etag.text()) return fail(service_errc::update_condition_not_satisfied);
    auto e = edited(write_.kind == write_kind::upsert_replace ? write_kind::replace
                    : write_.kind == write_kind::upsert_merge ? write_kind::merge
                                                              : write_.kind);
    if (auto r = keep_indexes(e, &read.body, indexes_, cipher_); !r) return failure{std::move(r).error()};
    return e;
}

result<edited_entity> index_keeper::create(environment const&) {
    if (is_conditional(write_.kind)) return fail(service_errc::resource_not_found);
    auto e = edited(write_kind::insert);
    if (auto r = keep_indexes(e, nullptr, indexes_, cipher_); !r) return failure{std::move(r).error()};
    return e;
}

}  // namespace tablemap::detail
