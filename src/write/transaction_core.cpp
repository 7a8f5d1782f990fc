// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/write/transaction_core.hpp"

#include "store/retry.hpp"
#include "tablemap/detail/write/index_keeping.hpp"
#include "tablemap/detail/write/write_group.hpp"
#include "tablemap/edm/limits.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

error refusal(service_errc code, std::string reason) { return error{code, {.reason = std::move(reason)}}; }

error too_many(std::size_t most, std::size_t rows) {
    auto reason = "a group transaction has at most " + std::to_string(most) + " operations";
    if (rows > 0) reason += ", and the rows of indexes add " + std::to_string(rows) + " to these";
    return refusal(service_errc::invalid_input, std::move(reason) + "; commit these before more are added");
}

error too_large(std::size_t bytes, std::size_t most) {
    return refusal(service_errc::request_body_too_large,
                   "the entities of this group transaction have " + std::to_string(bytes) +
                       " bytes so far, and the store takes at most " + std::to_string(most) +
                       "; commit those before it first, has_room() tells when");
}

}  // namespace

transaction_core::transaction_core(std::shared_ptr<table_state const> table, tablemap::clock& c) noexcept
    : table_(std::move(table)), clock_(c) {}

std::size_t transaction_core::add(encoded_write w, bool has_keys, etag_target to) {
    transaction_item added{std::move(w), has_keys, to};
    auto const index = items_.size();
    auto const hash = std::hash<std::string_view>{}(added.write.entity.row_key);
    body_bytes_ += added.write.entity.body.size();
    bytes_ += transaction_bytes_of(store()->capabilities(), table(), added.write.operation());
    if (added.write.indexes && !added.write.fault) imply_rows(added);
    if (!fault_) {
        fault_ = check(added, hash);
        if (fault_) {
            auto details = fault_->details();
            details.failed_index = index;
            fault_ = error{fault_->code(), std::move(details)};
        }
    }
    if (items_.empty()) {  // items are large to move
        row_hashes_.reserve(limits::transaction_operations);
        items_.reserve(limits::transaction_operations);
    }
    row_hashes_.push_back(hash);
    items_.push_back(std::move(added));
    return index;
}

/// So many rows an entity may have to erase and to write in its indexes.
std::size_t transaction_core::most_rows(encoded_write const& w) noexcept {
    if (!w.indexes) return 0;
    bool const one_of_each = w.kind == write_kind::insert || w.kind == write_kind::erase;
    return (one_of_each ? 0 : w.indexes->list.size()) + w.indexes->rows_in_partition();
}

/// An insert's rows are known at once; those of other writes after the stored entity was read.
void transaction_core::imply_rows(transaction_item& added) {
    auto& w = added.write;
    if (needs_read(w)) {
        other_rows_ += most_rows(w);
        auto like = w.operation();
        added.row_bytes = w.indexes->rows_in_partition() * transaction_bytes_of(store()->capabilities(), table(), like);
        like.body = {};
        if (w.kind != write_kind::erase)
            added.row_bytes += w.indexes->list.size() * transaction_bytes_of(store()->capabilities(), table(), like);
    } else if (auto plan = plan_write(w, nullptr, cipher())) {
        added.implied = std::move(plan->companions);
        implied_rows_ += added.implied.size();
        added.row_bytes = transaction_bytes_of(store()->capabilities(), table(), w.entity.partition_key, added.implied);
        for (auto const& r : added.implied) body_bytes_ += r.body.size();
    } else {
        w.fault = std::move(plan).error();
    }
    bytes_ += added.row_bytes;
}

std::optional<error> transaction_core::check(transaction_item const& added, std::size_t hash) const {
    if (added.write.fault) return added.write.fault;
    auto const& can = store()->capabilities();
    if (items_.size() + 1 + implied_rows_ > can.transaction_operations)
        return too_many(can.transaction_operations, implied_rows_);
    if (auto e = check_place(added, hash)) return e;
    if (body_bytes_ > can.transaction_bytes) return too_large(body_bytes_, can.transaction_bytes);
    return std::nullopt;
}

/// Everything that is here already has keys: an operation without them is a fault.
std::optional<error> transaction_core::check_place(transaction_item const& added, std::size_t hash) const {
    if (items_.empty()) return std::nullopt;
    auto const& entity = added.write.entity;
    if (entity.partition_key != items_.front().write.entity.partition_key)
        return refusal(service_errc::commands_in_batch_act_on_different_partitions,
                       "all entities of a group transaction have the partition key of its first; give this one a "
                       "transaction of its own");
    auto const begin = row_hashes_.begin(), end = row_hashes_.end();
    for (auto at = std::find(begin, end, hash); at != end; at = std::find(at + 1, end, hash)) {
        auto const i = static_cast<std::size_t>(at - begin);
        if (items_[i].write.entity.row_key == entity.row_key)
            return refusal(service_errc::invalid_duplicate_row,
                           "operation " + std::to_string(i) + " writes the same entity; make one operation of both");
    }
    return std::nullopt;
}

void transaction_core::clear() noexcept {
    items_.clear();
    row_hashes_.clear();
    body_bytes_ = bytes_ = implied_rows_ = other_rows_ = 0;
    fault_.reset();
    in_doubt_ = false;
}

std::string_view transaction_core::partition_key() const noexcept {
    return items_.empty() ? std::string_view{} : items_.front().write.entity.partition_key;
}

bool transaction_core::has_room(std::size_t body_bytes) const noexcept {
    auto const& can = store()->capabilities();
    if (fault_) return false;
    write_operation like{};
    std::size_t rows = 0, row_bytes = 0;
    if (!items_.empty()) {
        like = items_.back().write.operation();
        rows = most_rows(items_.back().write);
        row_bytes = items_.back().row_bytes;
    }
    if (items_.size() + implied_rows_ + other_rows_ + 1 + rows > can.transaction_operations) return false;
    like.body = {};
    auto const taken = bytes_ + row_bytes + transaction_bytes_of(can, table(), like);
    return taken <= can.transaction_bytes && body_bytes <= can.transaction_bytes - taken;
}

std::optional<error> transaction_core::fault() const {
    if (fault_) return explain(*fault_);
    if (items_.empty()) return explain(refusal(service_errc::invalid_input, "the transaction has no operations"));
    return std::nullopt;
}

std::vector<write_operation> transaction_core::operations() const {
    std::vector<write_operation> all;
    all.reserve(items_.size());
    for (auto const& i : items_) all.push_back(i.write.operation());
    return all;
}

std::span<transaction_item> transaction_core::items() noexcept { return items_; }

bool transaction_core::has_indexes() const noexcept {
    return std::any_of(items_.begin(), items_.end(), [](transaction_item const& i) { return i.write.indexes; });
}

/// Once a response was lost, no later failure tells that nothing was applied.
error transaction_core::failed(error const& e) {
    bool const lost_before = std::exchange(in_doubt_, in_doubt_ || e.outcome() != outcome::not_applied);
    return explain(lost_before && e.outcome() == outcome::not_applied ? doubt_later(e) : e);
}

error transaction_core::explain(error const& e) const {
    auto d = e.details();
    if (d.failed_index && *d.failed_index >= items_.size()) d.failed_index.reset();
    if (d.failed_index) {
        auto const& i = items_[*d.failed_index];
        d.failed_action = name_of(i.write);
        if (i.has_keys) d.failed_key = entity_key{i.write.entity.partition_key, i.write.entity.row_key};
    }
    d.action = "commit";
    d.table = table();
    return error{e.code(), std::move(d)};
}

std::vector<etag> transaction_core::succeeded(std::vector<etag> etags) {
    etags.resize(items_.size());
    for (std::size_t i = 0; i < items_.size(); ++i) {
        auto const& to = items_[i].to;
        if (!to.etag) continue;
        *to.etag = etags[i];
        *to.outdated = false;
    }
    clear();
    return etags;
}

}  // namespace tablemap::detail
