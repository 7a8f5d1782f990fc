// SPDX-License-Identifier: Apache-2.0
#include "page/index_comparison.hpp"

#include "inspect/row_kind_names.hpp"

#include <algorithm>
#include <optional>

namespace tablemap::inline v0_1::page {
namespace {

// Of a partition, which is kept while it is compared.
constexpr std::size_t most_rows = 5'000;
constexpr std::size_t most_bytes = 64 * 1024 * 1024;
constexpr std::size_t most_indexes = 100;
constexpr std::size_t longest_beginning = 32;

std::string beginning_of(std::string_view row_key) {
    return std::string{row_key.substr(0, std::min(row_key.find('_'), longest_beginning))};
}

bool is_of(dynamic_entity const& row, inspect::type_tag const& tag) {
    auto const* const type = row.try_get<std::string>(tag.property);
    return type && inspect::without_version(*type) == tag.type;
}

/// True if a property that both have is not equal, but for that of the type.
bool differ(dynamic_entity const& index_row, dynamic_entity const& entity, std::string_view type_property) {
    for (auto const& p : detail::properties_of(index_row)) {
        auto const* const value = entity.find(p.name);
        if (p.name != type_property && value && !(*value == p.value)) return true;
    }
    return false;
}

}  // namespace

void index_comparison::add(dynamic_entity row) {
    if (too_large_) return;
    bytes_ += entity_size(row);
    too_large_ = partition_.size() == most_rows || bytes_ > most_bytes;
    if (too_large_)
        partition_.clear();
    else
        partition_.push_back(std::move(row));
}

void index_comparison::end_part_of_partition() {
    too_large_ = !partition_.empty();
    if (too_large_) end_partition();
}

void index_comparison::end_partition() {
    if (too_large_)
        ++not_compared_;
    else
        compare_partition();
    partition_.clear();
    bytes_ = 0;
    too_large_ = false;
}

/// Rows of an index refer to entities of their own partition.
void index_comparison::compare_partition() {
    std::map<index_name, std::set<std::string_view>> owners;
    std::map<std::string, entity_rows> by_type;
    for (auto const& row : partition_) {
        auto const tag = inspect::index_tag(row);
        if (!tag || by_type.size() == most_indexes) continue;
        auto const [of_type, is_new] = by_type.try_emplace(std::string{tag->type});
        if (is_new)
            for (auto const& e : partition_)
                if (is_of(e, *tag)) of_type->second.emplace(e.row_key, &e);
        index_name const name{std::string{tag->property}, std::string{tag->type}, beginning_of(row.row_key)};
        if (!indexes_.contains(name) && indexes_.size() == most_indexes) continue;
        compare(row, of_type->second, indexes_[name], owners[name]);
    }
    for (auto const& [name, found] : owners) indexes_[name].entities += found.size();
}

void index_comparison::compare(dynamic_entity const& row, entity_rows const& all, count& c,
                               std::set<std::string_view>& owners) {
    ++c.rows;
    c.has_type |= !all.empty();
    std::string_view const key = row.row_key;
    for (auto at = key.find('_'); at != key.npos; at = key.find('_', at + 1)) {
        auto const owner = all.find(key.substr(at + 1));
        if (owner == all.end()) continue;
        owners.insert(owner->first);
        ++(differ(row, *owner->second, inspect::index_tag(row)->property) ? c.differing : c.in_step);
        return;
    }
    ++c.without_entity;
}

void index_comparison::write_to(table_report& to, entity_count const& count_entities) const {
    to.partitions_not_compared = not_compared_;
    for (auto const& [name, c] : indexes_) {
        auto const& [property, type, beginning] = name;
        if (!c.has_type && property != to.type_property) continue;
        index_fact fact{type, beginning, c.rows, c.in_step, c.differing, c.without_entity};
        fact.known = c.in_step + c.differing > 0;
        auto const all = to.complete && not_compared_ == 0 && fact.known ? count_entities(property, type) : 0;
        fact.entities_without = all > c.entities ? all - c.entities : 0;
        to.indexes.push_back(std::move(fact));
    }
}

}  // namespace tablemap::page
