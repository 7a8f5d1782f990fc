// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/write/write_group.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

/// A row that one member erases and another inserts is replaced, under the etag under which it was to be erased.
void replace_erased(companion& inserted, std::string&& if_match) {
    if (inserted.kind != write_kind::insert) return;
    inserted.kind = write_kind::replace;
    inserted.if_match = std::move(if_match);
}

/// Makes one operation of two members' on a row of an index. False if both want to have it.
bool join(companion& first, companion&& second) {
    if (second.kind == write_kind::erase) {
        replace_erased(first, std::move(second.if_match));
        return true;
    }
    if (first.kind != write_kind::erase) return false;
    auto if_match = std::exchange(first, std::move(second)).if_match;
    replace_erased(first, std::move(if_match));
    return true;
}

error taken_by(std::size_t member, std::size_t by, std::string_view index) {
    return error{library_errc::unique_value_taken,
                 {.reason = "operation " + std::to_string(by) + " of the group gives its entity the same value",
                  .member = std::string{index},
                  .failed_index = member}};
}

}  // namespace

std::size_t transaction_bytes_of(capabilities const& can, std::string_view table, std::string_view partition_key,
                                 std::vector<companion> const& rows) noexcept {
    std::size_t bytes = 0;
    for (auto const& r : rows)
        bytes += transaction_bytes_of(
            can, table, {.partition_key = partition_key, .row_key = r.row_key, .body = r.body, .if_match = r.if_match});
    return bytes;
}

void add_looks(write_plan const& plan, encoded_write const& w, std::string_view table, std::vector<request>& to) {
    add_looks(plan.companions, table, w.entity.partition_key, to);
}

result<void> take_looks(write_plan& plan, encoded_write const& w, std::span<response>& answers) {
    return take_looks(plan.companions, w.entity.row_key, answers);
}

request request_of(std::string_view table, std::span<write_operation const> operations) {
    if (operations.size() == 1) return write_entity{table, operations.front()};
    return transact{table, operations};
}

write_group::row* write_group::find(std::string_view row_key) noexcept {
    auto const at = std::find_if(rows_.begin(), rows_.end(), [&](row const& r) { return r.what.row_key == row_key; });
    return at == rows_.end() ? nullptr : &*at;
}

bool write_group::touches(write_plan const& p) const noexcept {
    return std::any_of(p.companions.begin(), p.companions.end(), [&](companion const& b) {
        return std::any_of(rows_.begin(), rows_.end(), [&](row const& r) { return r.what.row_key == b.row_key; });
    });
}

result<void> write_group::add(encoded_write const& w, write_plan const& p) {
    auto o = w.operation();
    o.kind = p.kind;
    o.if_match = p.if_match;
    return add(o, p.companions);
}

result<void> write_group::add(write_operation const& entity, std::vector<companion> rows) {
    auto const number = entities_.size();
    entities_.push_back(entity);
    rows_.reserve(rows_.size() + rows.size());
    for (auto& b : rows) {
        auto* const there = find(b.row_key);
        if (!there) {
            rows_.push_back({std::move(b), number});
            continue;
        }
        bool const writes = b.kind != write_kind::erase;
        // The one that replaces the row has the value already.
        bool const holds = b.kind == write_kind::replace && there->what.kind == write_kind::insert;
        auto const index = b.index;
        if (!join(there->what, std::move(b)))
            return failure{holds ? taken_by(there->member, number, index) : taken_by(number, there->member, index)};
        if (writes) there->member = number;
    }
    return {};
}

std::vector<companion> write_group::take_rows() {
    std::vector<companion> all;
    all.reserve(rows_.size());
    for (auto& r : rows_) all.push_back(std::move(r.what));
    rows_.clear();
    return all;
}

std::size_t write_group::body_bytes() const noexcept {
    auto bytes = body_bytes_of_rows();
    for (auto const& e : entities_) bytes += e.body.size();
    return bytes;
}

std::size_t write_group::body_bytes_of_rows() const noexcept {
    std::size_t bytes = 0;
    for (auto const& r : rows_) bytes += r.what.body.size();
    return bytes;
}

std::span<write_operation const> write_group::operations() {
    if (rows_.empty()) return entities_;
    operations_ = entities_;
    operations_.reserve(size());
    auto const partition_key = entities_.front().partition_key;
    for (auto const& r : rows_)
        operations_.push_back({.kind = r.what.kind,
                               .partition_key = partition_key,
                               .row_key = r.what.row_key,
                               .body = r.what.body,
                               .if_match = r.what.if_match});
    return operations_;
}

write_group::row const* write_group::row_at_fault(error const& e) const noexcept {
    auto const at = e.failed_index();
    if (!at || *at < entities_.size() || *at >= size()) return nullptr;
    return &rows_[*at - entities_.size()];
}

bool write_group::repair(error const& e) {
    auto const* const at_fault = row_at_fault(e);
    if (!at_fault || e.outcome() != outcome::not_applied) return false;
    auto const at = rows_.begin() + (at_fault - rows_.data());
    auto const repaired = detail::repair(at->what, e);
    if (repaired == repairing::left_out) rows_.erase(at);
    return repaired != repairing::none;
}

std::optional<write_group::changed> write_group::changed_row(error const& e) const noexcept {
    auto const* const at_fault = row_at_fault(e);
    if (!at_fault || !was_changed(at_fault->what, e)) return std::nullopt;
    return changed{at_fault->member, at_fault->what.row_key};
}

error write_group::explain(error const& e) const {
    auto const* const at_fault = row_at_fault(e);
    if (!at_fault) return e;
    auto d = e.details();
    d.failed_index = at_fault->member;
    return of_index_row(error{e.code(), std::move(d)}, at_fault->what.index);
}

std::optional<std::size_t> write_group::changed_entity(error const& e) const noexcept {
    auto const at = size() == 1 ? std::optional<std::size_t>{0} : e.failed_index();
    if (!at || *at >= entities_.size() || e.outcome() != outcome::not_applied) return std::nullopt;
    bool const other = e.code() == service_errc::update_condition_not_satisfied ||
                       e.code() == service_errc::entity_already_exists || e.code() == service_errc::resource_not_found;
    return other ? at : std::nullopt;
}

}  // namespace tablemap::detail
