// SPDX-License-Identifier: Apache-2.0
#include "inspect/row_likeness.hpp"

#include "base/ascii.hpp"
#include "inspect/key_shapes.hpp"
#include "inspect/part_finding.hpp"
#include "inspect/row_kind_names.hpp"
#include "inspect/type_property.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <utility>

namespace tablemap::inline v0_1::inspect {
namespace {

constexpr std::size_t most_beginnings = 24;
constexpr std::size_t longest_beginning = 64;
constexpr std::size_t rows_for_an_exception = 8;  ///< whose keys begin with words, for one that does not
constexpr std::size_t most_tried_ends = 32;       ///< of a row key, each behind a '_'

using name_set = std::set<std::string_view>;
using names_by_group = std::map<std::string_view, name_set>;
using key_set = std::set<std::pair<std::string_view, std::string_view>>;

/// True if less than half of the names of both are names of each.
bool are_unlike(name_set const& a, name_set const& b) {
    std::vector<std::string_view> both;
    std::ranges::set_intersection(a, b, std::back_inserter(both));
    auto const all = a.size() + b.size() - both.size();
    return both.size() * 2 < all;
}

bool are_unlike(names_by_group const& groups) {
    for (auto a = groups.begin(); a != groups.end(); ++a)
        for (auto b = std::next(a); b != groups.end(); ++b)
            if (are_unlike(a->second, b->second)) return true;
    return false;
}

void add_names(name_set& to, dynamic_entity const& row, std::string_view except) {
    for (auto const& p : detail::properties_of(row))
        if (p.name != except) to.insert(p.name);
}

bool has_index_rows(text_counts const& texts) {
    return std::ranges::any_of(texts.all(), [](auto const& t) { return !indexed_type(t.first).empty(); });
}

std::uint64_t rows_of(text_counts const& texts) {
    return std::accumulate(texts.all().begin(), texts.all().end(), std::uint64_t{0},
                           [](auto sum, auto const& t) { return sum + t.second; });
}

bool tells_kinds(std::vector<dynamic_entity> const& rows, std::string const& property) {
    names_by_group groups;
    for (auto const& row : rows) {
        auto const* const text = row.try_get<std::string>(property);
        add_names(groups[text ? std::string_view{*text} : std::string_view{}], row, property);
    }
    return are_unlike(groups);
}

using row_list = std::vector<dynamic_entity const*>;

row_list rows_without_type(std::vector<dynamic_entity> const& rows, std::string const& type_property) {
    row_list all;
    for (auto const& row : rows)
        if (type_property.empty() || !row.try_get<std::string>(type_property)) all.push_back(&row);
    return all;
}

/// The names of properties by the beginnings of row keys, if most keys begin with one of a few words; none otherwise.
names_by_group names_by_beginning(row_list const& rows) {
    names_by_group groups;
    std::size_t without = 0;
    for (auto const* const row : rows) {
        auto const beginning = beginning_of(row->row_key);
        if (beginning.empty()) ++without;
        add_names(groups[beginning], *row, {});
        if (groups.size() > most_beginnings || without * rows_for_an_exception > rows.size()) return {};
    }
    return groups;
}

bool one_begins_another(names_by_group const& groups) {
    for (auto a = groups.begin(), b = a; b != groups.end() && ++b != groups.end(); ++a)
        if (!a->first.empty() && b->first.starts_with(a->first)) return true;
    return false;
}

/// The beginning of the row key of an entity with which a row key ends, if there is such an entity among the keys.
std::string_view owner_of(dynamic_entity const& row, key_set const& keys) {
    auto const key = std::string_view{row.row_key};
    auto at = key.find('_');
    for (std::size_t tried = 0; at != key.npos && tried < most_tried_ends; ++tried, at = key.find('_', at + 1)) {
        auto const rest = key.substr(at + 1);
        if (auto const beginning = beginning_of(rest); !beginning.empty() && keys.contains({row.partition_key, rest}))
            return beginning;
    }
    return {};
}

std::map<std::string, std::string> find_index_beginnings(row_list const& rows) {
    key_set keys;
    for (auto const* const row : rows) keys.emplace(row->partition_key, row->row_key);
    std::map<std::string, std::string> owners;
    std::set<std::string_view> others;
    for (auto const* const row : rows) {
        auto const own = beginning_of(row->row_key);
        if (own.empty()) continue;
        auto const owner = owner_of(*row, keys);
        auto const known = owners.try_emplace(std::string{own}, owner).first;
        if (owner.empty() || owner == own || known->second != owner) others.insert(own);
    }
    std::erase_if(owners, [&](auto const& o) { return others.contains(o.first); });
    return owners;
}

/// The names of properties that at least half of the rows have.
name_set usual_names(row_list const& rows) {
    std::map<std::string_view, std::size_t> counts;
    for (auto const* const row : rows)
        for (auto const& p : detail::properties_of(*row)) ++counts[p.name];
    name_set names;
    for (auto const& [name, count] : counts)
        if (count * 2 >= rows.size()) names.insert(name);
    return names;
}

/// True if the row has properties, and none of these.
bool has_none_of(name_set const& names, dynamic_entity const& row) {
    auto const all = detail::properties_of(row);
    return !all.empty() && std::ranges::none_of(all, [&](auto const& p) { return names.contains(p.name); });
}

/// The form of the keys of these rows. A thousand of them show it.
key_shapes shapes_of(row_list const& rows) {
    constexpr std::size_t enough = 1000;
    std::vector<dynamic_entity> some;
    for (auto const* const row : std::span{rows}.first(std::min(rows.size(), enough))) some.push_back(*row);
    return find_key_shapes(some, {false, {}});
}

}  // namespace

std::string find_telling_property(std::vector<dynamic_entity> const& rows) {
    std::map<std::string, text_counts, std::less<>> counts;
    for (auto const& row : rows)
        for (auto const& p : detail::properties_of(row))
            if (auto const* const text = std::get_if<std::string>(&p.value)) counts[p.name].add(*text);
    std::vector<texts_of_property> all;
    for (auto const& [name, texts] : counts)
        if (rows_of(texts) * 2 >= rows.size() || has_index_rows(texts)) all.push_back({name, &texts});
    auto found = find_type_property(all).name;
    if (found.empty() || found == "EntityType" || found == "Discriminator" || has_index_rows(counts[found]))
        return found;
    return tells_kinds(rows, found) ? found : std::string{};
}

std::string_view beginning_of(std::string_view row_key) noexcept {
    auto const word = std::ranges::find_if_not(row_key, detail::is_letter);
    auto const end = std::find_if_not(word, row_key.end(), is_separator);
    auto const length = static_cast<std::size_t>(end - row_key.begin());
    bool const good = word != row_key.begin() && (word != end || end == row_key.end()) && length <= longest_beginning;
    return good ? row_key.substr(0, length) : std::string_view{};
}

row_beginnings find_beginnings(std::vector<dynamic_entity> const& rows, std::string const& type_property) {
    auto const without_type = rows_without_type(rows, type_property);
    auto const groups = names_by_beginning(without_type);
    if (groups.size() < 2 || one_begins_another(groups)) return {};
    auto indexes = find_index_beginnings(without_type);
    bool const tell = !indexes.empty() || are_unlike(groups);
    return {tell, std::move(indexes)};
}

std::vector<std::size_t> find_odd_rows(std::vector<dynamic_entity> const& rows, std::string const& type_property) {
    auto const without_type = rows_without_type(rows, type_property);
    auto const usual = usual_names(without_type);
    row_list others;
    std::vector<std::size_t> odd;
    for (auto const* const row : without_type)
        if (has_none_of(usual, *row))
            odd.push_back(static_cast<std::size_t>(row - rows.data()));
        else
            others.push_back(row);
    if (odd.empty() || odd.size() * rows_for_an_odd_one > others.size()) return {};
    auto const shapes = shapes_of(others);
    std::erase_if(odd, [&](auto i) { return fits(shapes, rows[i]); });
    return odd;
}

}  // namespace tablemap::inspect
