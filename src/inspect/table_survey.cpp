// SPDX-License-Identifier: Apache-2.0
#include "inspect/table_survey.hpp"

#include "inspect/row_kind_names.hpp"
#include "patterns/companion_kinds.hpp"
#include "inspect/row_likeness.hpp"
#include "inspect/sealed_form.hpp"
#include "tablemap/detail/table/table_internals.hpp"
#include "tablemap/edm/names.hpp"
#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/mapping/property_cipher.hpp"
#include "tablemap/table/table.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace tablemap::inline v0_1::inspect {
namespace {

constexpr std::size_t most_kept_rows = 20'000;
constexpr std::size_t most_kept_bytes = 64 * 1024 * 1024;
constexpr std::size_t most_kinds = 100;
constexpr std::size_t rows_of_late_kinds = 500;  ///< that are kept of a kind that appears later
constexpr std::size_t most_properties = 300;
constexpr std::size_t longest_kept_value = 2048;  ///< longer than any key
constexpr std::size_t bytes_of_property = sizeof(property);

std::uint64_t sum(std::array<std::uint64_t, 8> const& counts) noexcept {
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

/// Drops values that are longer than any key: their type is all that is needed.
void shorten_values(dynamic_entity& row) {
    for (auto const& p : row.properties()) {
        if (auto const* const text = std::get_if<std::string>(&p.value); text && text->size() > longest_kept_value)
            row.set_value(p.name, std::string{});
        if (auto const* const b = std::get_if<bytes>(&p.value); b && !b->empty()) row.set_value(p.name, bytes{});
    }
}

std::size_t bytes_of(dynamic_entity const& row) {
    auto size = sizeof(dynamic_entity) + row.partition_key.size() + row.row_key.size();
    for (auto const& p : detail::properties_of(row)) {
        size += bytes_of_property + p.name.size();
        if (auto const* const text = std::get_if<std::string>(&p.value)) size += text->size();
        if (auto const* const b = std::get_if<bytes>(&p.value)) size += b->size();
    }
    return size;
}

}  // namespace

std::uint64_t property_values::total() const noexcept { return sum(rows); }
std::uint64_t property_values::encrypted() const noexcept { return sum(sealed); }

std::size_t property_values::types() const noexcept {
    return static_cast<std::size_t>(std::ranges::count_if(rows, [](auto n) { return n > 0; }));
}

void row_survey::add(dynamic_entity row) {
    ++rows_;
    if (auto const kind = companion_kind(row.row_key); !kind.empty()) {
        ++made_.companions[kind];
        return;
    }
    row.erase(operation_id_property);
    if (settled_) {
        auto const name = name_of_late(row);
        return add_to_kind(std::move(row), name);
    }
    bytes_ += bytes_of(row);
    first_.push_back(std::move(row));
    if (first_.size() < most_kept_rows && bytes_ < most_kept_bytes) return;
    settle();
    for (std::size_t i = 0; i < made_.kinds.size(); ++i) recognise_keys(i, false);
    late_ = true;
    bytes_ = 0;
}

/// Decides how kinds are told apart, by the rows so far.
void row_survey::settle() {
    settled_ = true;
    if (type_property_.empty()) type_property_ = find_telling_property(first_);
    auto beginnings = find_beginnings(first_, type_property_);
    by_beginning_ = beginnings.tell_kinds;
    index_beginnings_ = std::move(beginnings.indexes);
    made_.type_property = type_property_;
    for (auto const& row : first_)
        if (auto const* const type = row.try_get<std::string>(type_property_)) note_type(*type);
    auto const odd = by_beginning_ ? std::vector<std::size_t>{} : find_odd_rows(first_, type_property_);
    auto all = std::exchange(first_, {});
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto name = name_of(all[i]);
        name.odd = std::ranges::binary_search(odd, i);
        add_to_kind(std::move(all[i]), name);
    }
}

void row_survey::add_to_kind(dynamic_entity row, kind_name const& name) {
    auto* const k = find_kind(name);
    if (k == nullptr) {
        ++made_.unassigned;
        return;
    }
    ++k->rows;
    k->empty_partition = k->empty_partition || row.partition_key.empty();
    k->empty_row = k->empty_row || row.row_key.empty();
    count(*k, row);
    keep(*k, std::move(row));
}

void row_survey::note_type(std::string const& type) {
    types_.insert(type);
    types_.emplace(without_version(type));
}

/// The type that rows of an index with this type belong to; empty for a type of entities, also if its name ends like
/// that of an index.
std::string_view row_survey::owner_of(std::string_view type) const {
    auto const owner = indexed_type(type);
    return types_.contains(owner) ? owner : std::string_view{};
}

row_survey::kind_name row_survey::name_of(dynamic_entity const& row) const {
    auto const* const type = type_property_.empty() ? nullptr : row.try_get<std::string>(type_property_);
    bool const by_beginning = type ? !owner_of(*type).empty() : by_beginning_;
    return {type ? *type : std::string{}, by_beginning ? std::string{beginning_of(row.row_key)} : std::string{}};
}

/// Of a row behind those by which the kinds were settled, when the keys of most kinds are recognised.
row_survey::kind_name row_survey::name_of_late(dynamic_entity const& row) const {
    auto name = name_of(row);
    auto const place = places_.find(name);
    bool const told = by_beginning_ || !name.type.empty();
    if (told || place == places_.end() || !recognised_[place->second]) return name;
    auto const& k = made_.kinds[place->second];
    auto const odd = places_.find({{}, {}, true});
    auto const known = odd == places_.end() ? 0 : made_.kinds[odd->second].rows;
    name.odd = (known + 1) * rows_for_an_odd_one <= k.rows && is_unlike(k, row) && !fits(k.keys, row);
    return name;
}

/// True if the row has properties, and none that at least half of the kind's rows have.
bool row_survey::is_unlike(row_kind const& k, dynamic_entity const& row) {
    auto const all = detail::properties_of(row);
    auto const is_usual = [&](property const& p) {
        auto const found = std::ranges::find(k.properties, p.name, &property_values::name);
        return found != k.properties.end() && found->total() * 2 >= k.rows;
    };
    return !all.empty() && std::ranges::none_of(all, is_usual);
}

row_kind* row_survey::find_kind(kind_name const& name) {
    auto const found = places_.find(name);
    if (found != places_.end()) return &made_.kinds[found->second];
    if (made_.kinds.size() == most_kinds) return nullptr;
    places_.emplace(name, made_.kinds.size());
    recognised_.push_back(false);
    auto& k = made_.kinds.emplace_back();
    k.type = name.type;
    k.beginning = name.beginning;
    k.indexed = owner_of(k.type);
    if (k.indexed.empty()) note_type(k.type);
    auto const index = k.type.empty() ? index_beginnings_.find(k.beginning) : index_beginnings_.end();
    if (index != index_beginnings_.end()) k.indexed = index->second;
    return &k;
}

void row_survey::count(row_kind& k, dynamic_entity const& row) {
    for (auto const& p : detail::properties_of(row)) {
        if (p.name == type_property_ && !k.type.empty()) continue;
        auto found = std::ranges::find(k.properties, p.name, &property_values::name);
        if (found == k.properties.end()) {
            k.more_properties = k.more_properties || k.properties.size() == most_properties;
            if (k.properties.size() == most_properties) continue;
            found = k.properties.insert(k.properties.end(), property_values{p.name});
        }
        ++found->rows[static_cast<std::size_t>(type_of(p.value))];
        if (auto const* const text = std::get_if<std::string>(&p.value)) found->texts.add(*text);
        if (auto const* const b = std::get_if<bytes>(&p.value))
            if (auto const type = detail::is_sealed(p.value) ? sealed_type(*b) : std::nullopt)
                ++found->sealed[static_cast<std::size_t>(*type)];
    }
}

/// Keeps the first rows of each kind. Later ones are compared with the keys that those let recognise.
void row_survey::keep(row_kind& k, dynamic_entity row) {
    auto const at = static_cast<std::size_t>(&k - made_.kinds.data());
    if (recognised_[at]) {
        if (!fits(k.keys, row)) k.keys = plain_key_shapes(k.beginning);
        return;
    }
    shorten_values(row);
    if (late_) bytes_ += bytes_of(row);
    k.examples.push_back(std::move(row));
    bool const enough = k.examples.size() == rows_of_late_kinds || bytes_ >= most_kept_bytes;
    if (late_ && enough) recognise_keys(at, false);
}

void row_survey::recognise_keys(std::size_t kind, bool complete) {
    auto& k = made_.kinds[kind];
    k.keys = find_key_shapes(k.examples, {complete, k.beginning});
    recognised_[kind] = true;
}

table_survey row_survey::finish(bool complete) {
    if (!settled_) settle();
    for (std::size_t i = 0; i < made_.kinds.size(); ++i)
        if (!recognised_[i]) recognise_keys(i, complete);
    made_.complete = complete;
    made_.rows = rows_;
    return std::move(made_);
}

namespace {

void require_order(store const& s, std::string const& table) {
    if (s.capabilities().ordered_results) return;
    throw error{library_errc::unsupported,
                {.reason = "the store does not answer in the order of keys, so kinds of rows cannot be told apart",
                 .table = table}};
}

}  // namespace

table_survey survey_table(store_ptr const& store, std::string const& name, survey_options const& how) {
    require_order(*store, name);
    table<dynamic_entity> const t{store, name};
    row_survey survey{how.type_property};
    bool complete = true;
    auto const rows = how.exact ? t.scan() : t.scan().top(how.rows + 1);
    for (auto& row : rows.read_ahead()) {
        complete = how.exact || survey.rows() < how.rows;
        if (!complete) break;
        survey.add(std::move(row.value));
        if (survey.rows() % 256 == 0) how.progress(survey.rows());
    }
    auto made = survey.finish(complete);
    made.table = name;
    return made;
}

}  // namespace tablemap::inspect
