// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/write/companion.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

/// A row that can be read and does not name its owner counts as another entity's. A response that cannot be read shows
/// nothing about the row.
result<bool> is_owned(companion const& row, std::string_view owner, response& read) {
    if (!read.ok()) return false;
    auto const found = row.owner_of(read.body);
    if (!found && found.error().code() == library_errc::malformed_response) return failure{found.error()};
    if (!found || *found != owner) return false;
    if (read.etag.empty() || read.etag.text() == any_etag)
        return fail(library_errc::malformed_response, {.reason = "a row of an index came without an etag"});
    return true;
}

/// The entity has no row there to erase or to replace.
repairing without_own(companion& row) {
    if (row.kind == write_kind::erase) return repairing::left_out;
    if (row.kind != write_kind::replace) return repairing::none;
    row.kind = write_kind::insert;
    row.if_match.clear();
    return repairing::rewritten;
}

}  // namespace

void add_looks(std::vector<companion> const& rows, std::string_view table, std::string_view partition_key,
               std::vector<request>& to) {
    for (auto const& r : rows)
        if (needs_look(r)) to.emplace_back(get_entity{table, partition_key, r.row_key, {}, true});
}

bool tells_presence(response const& read) noexcept {
    return read.ok() || read.failure->code() == service_errc::resource_not_found;
}

result<void> take_look(std::vector<companion>& rows, std::string_view owner, response& read) {
    auto const row = std::find_if(rows.begin(), rows.end(), needs_look);
    auto const owned = is_owned(*row, owner, read);
    if (!owned) return failure{of_index_row(owned.error(), row->index)};
    if (*owned)
        row->if_match = read.etag.text();
    else if (without_own(*row) == repairing::left_out)
        rows.erase(row);
    return {};
}

result<void> take_looks(std::vector<companion>& rows, std::string_view owner, std::span<response>& answers) {
    auto const open = static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), needs_look));
    auto const reads = answers.first(open);
    answers = answers.subspan(open);
    for (auto& read : reads)
        if (auto r = take_look(rows, owner, read); !r) return r;
    return {};
}

bool was_changed(companion const& row, error const& e) noexcept {
    return row.owner_of && is_conditional(row.kind) && e.code() == service_errc::update_condition_not_satisfied &&
           e.outcome() == outcome::not_applied;
}

void forget_look(std::vector<companion>& rows, std::string_view row_key) noexcept {
    for (auto& r : rows)
        if (r.row_key == row_key) r.if_match.clear();
}

repairing repair(companion& row, error const& e) {
    return e.code() == service_errc::resource_not_found ? without_own(row) : repairing::none;
}

error of_index_row(error const& e, std::string_view index) {
    auto d = e.details();
    d.member = index;
    if (e.code() != service_errc::entity_already_exists) return error{e.code(), std::move(d)};
    d.reason =
        "find that one by the index and change or erase it; if there is none, the index holds a row that no entity "
        "implies, which rebuild_indexes removes";
    return error{library_errc::unique_value_taken, std::move(d)};
}

}  // namespace tablemap::detail
