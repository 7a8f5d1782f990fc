// SPDX-License-Identifier: Apache-2.0
#include "page/row_facts.hpp"

#include "inspect/row_kind_names.hpp"
#include "patterns/companion_kinds.hpp"
#include "tablemap/detail/base/utf.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace tablemap::inline v0_1::page {
namespace {

constexpr std::size_t most_slices = 48;
constexpr std::size_t most_properties = 300;

/// The place of a number of rows among the classes 1, 2 to 9, 10 to 99, and so on.
std::size_t class_of(std::uint64_t rows) {
    if (rows < 2) return 0;
    std::size_t place = 1;
    for (; rows >= 10 && place < 6; rows /= 10) ++place;
    return place;
}

size_class class_at(std::size_t place, std::uint64_t partitions) {
    if (place == 0) return {1, 1, partitions};
    std::uint64_t power = 1;
    for (std::size_t i = 1; i < place; ++i) power *= 10;
    return {place == 1 ? 2 : power, place == 6 ? std::numeric_limits<std::uint64_t>::max() : power * 10 - 1,
            partitions};
}

std::size_t units_of(std::string_view text) { return detail::utf16_length(text).value_or(text.size()); }

bool has_more_rows(partition_fact const& a, partition_fact const& b) {
    return a.rows != b.rows ? a.rows > b.rows : a.bytes > b.bytes;
}

}  // namespace

std::uint64_t property_fact::total() const noexcept {
    std::uint64_t sum = 0;
    for (auto const n : rows) sum += n;
    return sum;
}

std::size_t property_fact::types() const noexcept {
    return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [](auto n) { return n > 0; }));
}

void row_facts::add(dynamic_entity row) {
    if (partitions_ == 0 || present_.key != row.partition_key) begin_partition(row.partition_key);
    auto const bytes = entity_size(row);
    ++present_.rows, ++rows_;
    present_.bytes += bytes, bytes_ += bytes;
    note_extremes(row, bytes);
    if (check_) check_->add(row);
    if (auto const kind = companion_kind(row.row_key); !kind.empty()) {
        ++companions_[kind];
        return;
    }
    for (auto const& p : detail::properties_of(row)) count(p);
    indexes_.add(std::move(row));
}

void row_facts::note_extremes(dynamic_entity const& row, std::size_t bytes) {
    auto& e = extremes_;
    if (bytes > e.row_bytes) e.row_bytes = bytes, e.partition_of_largest = row.partition_key;
    e.properties = std::max(e.properties, detail::properties_of(row).size());
    e.partition_key_units = std::max(e.partition_key_units, units_of(row.partition_key));
    e.row_key_units = std::max(e.row_key_units, units_of(row.row_key));
}

void row_facts::begin_partition(std::string key) {
    end_partition();
    present_ = {};
    present_.key = std::move(key);
    ++partitions_;
}

/// Takes the partition into the counts, and keeps those with the most rows.
void row_facts::end_partition() {
    if (present_.rows == 0) return;
    ++sizes_[class_of(present_.rows)];
    add_slice();
    largest_.insert(std::upper_bound(largest_.begin(), largest_.end(), present_, has_more_rows), present_);
    if (largest_.size() > largest_named) largest_.pop_back();
    indexes_.end_partition();
    present_.rows = 0;
}

/// Slices are of an equal number of partitions. If there are too many, two neighbours become one.
void row_facts::add_slice() {
    if (slices_.empty() || slices_.back().partitions == partitions_of_slice_) {
        if (slices_.size() == most_slices) {
            for (std::size_t i = 0; i < most_slices / 2; ++i) {
                auto& a = slices_[2 * i];
                auto& b = slices_[2 * i + 1];
                slices_[i] = {std::move(a.first), std::move(b.last), a.partitions + b.partitions, a.rows + b.rows};
            }
            slices_.resize(most_slices / 2);
            partitions_of_slice_ *= 2;
        }
        slices_.push_back({present_.key, {}, 0, 0});
    }
    auto& slice = slices_.back();
    slice.last = present_.key;
    ++slice.partitions;
    slice.rows += present_.rows;
}

void row_facts::count(property const& p) {
    auto found = properties_.find(p.name);
    if (found == properties_.end()) {
        if (properties_.size() == most_properties) {
            more_properties_ = true;
            return;
        }
        found = properties_.try_emplace(p.name).first;
    }
    auto& c = found->second;
    ++c.rows[static_cast<std::size_t>(type_of(p.value))];
    if (auto const* const b = std::get_if<bytes>(&p.value)) c.largest_binary = std::max(c.largest_binary, b->size());
    if (auto const* const text = std::get_if<std::string>(&p.value)) {
        c.longest_text = std::max(c.longest_text, units_of(*text));
        c.texts.add(*text);
    }
}

void row_facts::write_type_property(table_report& to, std::string const& given) const {
    std::vector<inspect::texts_of_property> all;
    for (auto const& [name, c] : properties_) all.push_back({name, &c.texts});
    auto found = given.empty() ? inspect::find_type_property(all) : inspect::type_property{given, true};
    to.type_property = std::move(found.name);
    to.type_property_certain = found.certain;
}

/// Rows of all versions of a type.
std::uint64_t row_facts::entities_of(std::string const& property, std::string const& type) const {
    auto const found = properties_.find(property);
    if (found == properties_.end()) return 0;
    std::uint64_t sum = 0;
    for (auto const& [text, rows] : found->second.texts.all())
        if (inspect::without_version(text) == type) sum += rows;
    return sum;
}

/// The entities that lack the type property.
std::uint64_t row_facts::rows_without(std::string const& type_property) const {
    if (type_property.empty()) return 0;
    auto without = rows_;
    for (auto const& [kind, rows] : companions_) without -= rows;
    auto const found = properties_.find(type_property);
    return found == properties_.end() ? without : without - property_fact{{}, found->second.rows}.total();
}

void row_facts::write_kinds(table_report& to) const {
    std::uint64_t others = rows_;
    if (auto const found = properties_.find(to.type_property); found != properties_.end())
        for (auto const& [text, rows] : found->second.texts.all()) to.kinds.push_back({text, rows}), others -= rows;
    for (auto const& [kind, rows] : companions_) to.kinds.push_back({std::string{kind}, rows}), others -= rows;
    if (others > 0) to.kinds.push_back({to.type_property.empty() ? "entities" : "other entities", others});
    std::ranges::stable_sort(to.kinds, std::ranges::greater{}, &kind_fact::rows);
}

void row_facts::write_properties(table_report& to) const {
    for (auto const& [name, c] : properties_) to.properties.push_back({name, c.rows, c.longest_text, c.largest_binary});
    std::ranges::stable_sort(to.properties, std::ranges::greater{}, &property_fact::total);
    to.more_properties = more_properties_;
}

void row_facts::write_to(table_report& to, std::string const& type_property) {
    present_.more = !to.complete;
    if (!to.complete) indexes_.end_part_of_partition();
    end_partition();
    to.rows = rows_, to.bytes = bytes_, to.partitions = partitions_;
    to.largest = std::move(largest_);
    for (auto& p : to.largest) p.share = static_cast<double>(p.rows) / static_cast<double>(rows_);
    for (std::size_t i = 0; i < sizes_.size(); ++i) to.sizes.push_back(class_at(i, sizes_[i]));
    while (!to.sizes.empty() && to.sizes.back().partitions == 0) to.sizes.pop_back();
    to.slices = std::move(slices_);
    to.extremes = std::move(extremes_);
    if (check_) to.drift = check_->finish();
    write_type_property(to, type_property);
    to.rows_without_type = rows_without(to.type_property);
    write_kinds(to);
    write_properties(to);
    indexes_.write_to(to, [this](auto const& property, auto const& type) { return entities_of(property, type); });
}

}  // namespace tablemap::page
