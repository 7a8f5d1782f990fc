// SPDX-License-Identifier: Apache-2.0
#include "inspect/row_likeness.hpp"

#include "base/ascii.hpp"
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

using name_set = std::set<std::string_view>;
using names_by_group = std::map<std::string_view, name_set>;

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

bool tells_kinds(std::vector<dynamic_entity> const& rows, std::string const& property) {
    names_by_group groups;
    for (auto const& row : rows) {
        auto const* const text = row.try_get<std::string>(property);
        add_names(groups[text ? std::string_view{*text} : std::string_view{}], row, property);
    }
    return are_unlike(groups);
}

/// The rows without a type, if each of their row keys begins with one of a few words; none otherwise.
std::vector<dynamic_entity const*> rows_with_beginnings(std::vector<dynamic_entity> const& rows,
                                                        std::string const& type_property) {
    std::vector<dynamic_entity const*> all;
    std::set<std::string_view> beginnings;
    for (auto const& row : rows) {
        if (!type_property.empty() && row.try_get<std::string>(type_property)) continue;
        auto const beginning = beginning_of(row.row_key);
        beginnings.insert(beginning);
        if (beginning.empty() || beginnings.size() > most_beginnings) return {};
        all.push_back(&row);
    }
    return all;
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

bool beginnings_tell_kinds(std::vector<dynamic_entity> const& rows, std::string const& type_property) {
    names_by_group groups;
    for (auto const* const row : rows_with_beginnings(rows, type_property))
        add_names(groups[beginning_of(row->row_key)], *row, {});
    if (groups.size() < 2 || one_begins_another(groups)) return false;
    return are_unlike(groups) || !find_index_beginnings(rows, type_property).empty();
}

std::map<std::string, std::string> find_index_beginnings(std::vector<dynamic_entity> const& rows,
                                                         std::string const& type_property) {
    auto const all = rows_with_beginnings(rows, type_property);
    std::set<std::pair<std::string_view, std::string_view>> keys;
    for (auto const* const row : all) keys.emplace(row->partition_key, row->row_key);
    std::map<std::string, std::string> owners;
    std::set<std::string_view> others;
    for (auto const* const row : all) {
        auto const own = beginning_of(row->row_key);
        std::string_view owner;
        for (auto at = row->row_key.find('_'); at != std::string::npos && owner.empty();
             at = row->row_key.find('_', at + 1)) {
            auto const rest = std::string_view{row->row_key}.substr(at + 1);
            if (keys.contains({row->partition_key, rest})) owner = beginning_of(rest);
        }
        auto const known = owners.try_emplace(std::string{own}, owner).first;
        if (owner.empty() || owner == own || known->second != owner) others.insert(own);
    }
    std::erase_if(owners, [&](auto const& o) { return others.contains(o.first); });
    return owners;
}

}  // namespace tablemap::inspect
