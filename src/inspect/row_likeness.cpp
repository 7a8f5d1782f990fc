// SPDX-License-Identifier: Apache-2.0
#include "inspect/row_likeness.hpp"

#include "inspect/part_finding.hpp"
#include "inspect/row_kind_names.hpp"
#include "inspect/type_property.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace tablemap::inline v0_1::inspect {
namespace {

constexpr std::size_t most_beginnings = 24;
constexpr std::size_t longest_beginning = 64;

using names = std::set<std::string_view>;
using names_by_group = std::map<std::string_view, names>;

/// True if less than half of the names of both are names of each.
bool are_unlike(names const& a, names const& b) {
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

void add_names(names& to, dynamic_entity const& row, std::string_view except) {
    for (auto const& p : detail::properties_of(row))
        if (p.name != except) to.insert(p.name);
}

bool has_index_rows(text_counts const& texts) {
    return std::ranges::any_of(texts.all(), [](auto const& t) { return !indexed_type(t.first).empty(); });
}

bool tells_kinds(std::vector<dynamic_entity> const& rows, std::string const& property) {
    names_by_group groups;
    for (auto const& row : rows)
        if (auto const* const text = row.try_get<std::string>(property)) add_names(groups[*text], row, property);
    return are_unlike(groups);
}

bool one_begins_another(names_by_group const& groups) {
    for (auto a = groups.begin(), b = a; b != groups.end() && ++b != groups.end(); ++a)
        if (b->first.starts_with(a->first)) return true;
    return false;
}

}  // namespace

std::string find_telling_property(std::vector<dynamic_entity> const& rows) {
    std::map<std::string, text_counts, std::less<>> counts;
    for (auto const& row : rows)
        for (auto const& p : detail::properties_of(row))
            if (auto const* const text = std::get_if<std::string>(&p.value)) counts[p.name].add(*text);
    std::vector<texts_of_property> all;
    for (auto const& [name, texts] : counts) all.push_back({name, &texts});
    auto found = find_type_property(all);
    if (found.empty() || found == "EntityType" || found == "Discriminator" || has_index_rows(counts[found]))
        return found;
    return tells_kinds(rows, found) ? found : std::string{};
}

std::string_view beginning_of(std::string_view row_key) noexcept {
    auto const is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    auto const word = std::ranges::find_if_not(row_key, is_letter);
    auto const end = std::find_if_not(word, row_key.end(), is_separator);
    auto const length = static_cast<std::size_t>(end - row_key.begin());
    bool const good = word != row_key.begin() && (word != end || end == row_key.end()) && length <= longest_beginning;
    return good ? row_key.substr(0, length) : std::string_view{};
}

bool beginnings_tell_kinds(std::vector<dynamic_entity> const& rows, std::string const& type_property) {
    names_by_group groups;
    for (auto const& row : rows) {
        if (!type_property.empty() && row.try_get<std::string>(type_property)) continue;
        auto const beginning = beginning_of(row.row_key);
        if (beginning.empty()) return false;
        add_names(groups[beginning], row, {});
        if (groups.size() > most_beginnings) return false;
    }
    return groups.size() > 1 && !one_begins_another(groups) && are_unlike(groups);
}

}  // namespace tablemap::inspect
