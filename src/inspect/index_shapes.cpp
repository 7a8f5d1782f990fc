// SPDX-License-Identifier: Apache-2.0
#include "inspect/index_shapes.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::inspect {
namespace {

constexpr std::size_t most_rows = 2'000;  ///< of a unique index, for which entities are searched by their values

using row_pointer = dynamic_entity const*;

bool is_sorted_form(key_shape_part const& p) {
    bool const open = p.form == text_form::plain && !p.descending;
    bool const number = p.kind == value_kind::int32 || p.kind == value_kind::int64 || p.kind == value_kind::uint64;
    return !open || (p.kind != value_kind::text && !number);
}

std::set<std::string> names_of(row_kind const& k) {
    std::set<std::string> names;
    for (auto const& p : k.properties) names.insert(p.name);
    return names;
}

std::set<std::string> members_of(key_shape const& shape) {
    std::set<std::string> names;
    for (auto const& p : shape)
        if (p.kind != value_kind::literal) names.insert(p.property);
    return names;
}

class index_finder {
public:
    index_finder(row_kind const& index, row_kind const& entity) : index_(index), entity_(entity) {}

    std::optional<index_shape> find() {
        bool const all_kept = index_.rows == index_.examples.size() && entity_.rows == entity_.examples.size();
        if (!all_kept || index_.beginning.empty()) return std::nullopt;
        made_.unique = !find_owners_by_key();
        if (!find_key() || (made_.unique && !find_owners_by_value())) return std::nullopt;
        if (!find_row_key() || !find_copies() || !is_whole()) return std::nullopt;
        return std::move(made_);
    }

private:
    /// Finds the entity of each row by the end of its row key. False: they have no such ends.
    bool find_owners_by_key() {
        using both_keys = std::pair<std::string_view, std::string_view>;
        std::map<both_keys, row_pointer> entities;
        for (auto const& e : entity_.examples) entities.emplace(both_keys{e.partition_key, e.row_key}, &e);
        for (auto const& row : index_.examples) {
            row_pointer owner = nullptr;
            std::string_view const key = row.row_key;
            for (auto at = key.find('_'); at != key.npos && owner == nullptr; at = key.find('_', at + 1)) {
                auto const found = entities.find({row.partition_key, key.substr(at + 1)});
                if (found != entities.end()) owner = found->second;
            }
            if (owner == nullptr) return owners_.clear(), false;
            owners_.push_back(owner);
        }
        return true;
    }

    /// The same keys with the properties of index rows, which hold the members of keys.
    key_shape shape_of(std::vector<std::string> const& keys, std::string const& beginning) const {
        std::vector<dynamic_entity> rows;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            rows.push_back(index_.examples[i]);
            rows.back().row_key = keys[i];
        }
        return find_key_shapes(rows, {true, beginning}).row;
    }

    bool find_key() {
        std::vector<std::string> keys;
        for (std::size_t i = 0; i < index_.examples.size(); ++i) {
            auto key = index_.examples[i].row_key;
            if (!made_.unique) key.resize(key.size() - owners_[i]->row_key.size());
            keys.push_back(std::move(key));
        }
        auto shape = shape_of(keys, index_.beginning);
        if (!made_.unique && (shape.size() < 2 || shape.back().literal != "_")) return false;
        if (!made_.unique) shape.pop_back();
        made_.key = std::move(shape);
        bool values = false;
        for (auto const& p : made_.key) {
            if (p.kind == value_kind::literal) continue;
            values = true;
            if (p.property.empty() || (!made_.unique && !is_sorted_form(p))) return false;
        }
        return values;
    }

    /// The only entity of the partition with the values of the key.
    bool find_owners_by_value() {
        if (index_.examples.size() > most_rows || entity_.examples.size() > most_rows) return false;
        auto const names = members_of(made_.key);
        for (auto const& row : index_.examples) {
            auto const is_owner = [&](dynamic_entity const& e) {
                return e.partition_key == row.partition_key && std::ranges::all_of(names, [&](auto const& n) {
                           auto const* const value = e.find(n);
                           return value != nullptr && *value == *row.find(n);
                       });
            };
            if (std::ranges::count_if(entity_.examples, is_owner) != 1) return false;
            owners_.push_back(&*std::ranges::find_if(entity_.examples, is_owner));
        }
        return true;
    }

    /// The rows of an index hold all members of the row key, under their names.
    bool find_row_key() {
        std::vector<std::string> keys;
        for (auto const* const owner : owners_) keys.push_back(owner->row_key);
        made_.row_key = shape_of(keys, leading_literal(entity_.keys.row));
        if (made_.row_key.size() != entity_.keys.row.size()) return false;
        for (std::size_t i = 0; i < made_.row_key.size(); ++i) {
            auto& named = made_.row_key[i];
            auto const& part = entity_.keys.row[i];
            if (part.same_as) return false;
            if (part.kind == value_kind::literal ? named.literal != part.literal : named.property.empty()) return false;
            bool const same = named.form == part.form && named.descending == part.descending;
            if (!same || named.number != part.number) return false;
            if (!part.property.empty() && part.property != named.property) return false;
        }
        return true;
    }

    bool find_copies() {
        auto const own = names_of(entity_);
        auto copied = names_of(index_);
        bool const all = std::ranges::includes(copied, own);
        auto const of_row_key = members_of(made_.row_key);
        for (auto const& name : members_of(made_.key)) {
            if (!own.contains(name) && !of_row_key.contains(name)) return false;
            copied.erase(name);
        }
        for (auto const& name : of_row_key) copied.erase(name);
        if (!std::ranges::includes(own, copied)) return false;
        if (!all) made_.include = std::move(copied);
        return true;
    }

    /// True if each entity with the members of the key has a row: otherwise a condition of the program chooses.
    bool is_whole() const {
        auto const names = members_of(made_.key);
        auto const of_row_key = members_of(made_.row_key);
        auto const has_members = [&](dynamic_entity const& e) {
            return std::ranges::all_of(names,
                                       [&](auto const& n) { return of_row_key.contains(n) || e.find(n) != nullptr; });
        };
        return std::cmp_equal(std::ranges::count_if(entity_.examples, has_members), index_.examples.size());
    }

    row_kind const& index_;
    row_kind const& entity_;
    std::vector<row_pointer> owners_{};
    index_shape made_{};
};

}  // namespace

std::optional<index_shape> find_index_shape(row_kind const& index, row_kind const& entity) {
    return index_finder{index, entity}.find();
}

}  // namespace tablemap::inspect
