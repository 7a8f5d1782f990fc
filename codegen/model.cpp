// SPDX-License-Identifier: Apache-2.0
#include "model.hpp"

#include <algorithm>

namespace tablemap::codegen {
namespace {

template <class Items> auto const* find_named(Items const& items, std::string const& id) {
    auto const it = std::find_if(items.begin(), items.end(), [&](auto const& i) { return i.id.text == id; });
    return it == items.end() ? nullptr : &*it;
}

void add_once(std::vector<std::string>& to, std::string const& member) {
    if (std::find(to.begin(), to.end(), member) == to.end()) to.push_back(member);
}

void add_members(std::vector<std::string>& to, key const& k, bool buckets) {
    for (auto const& p : k.parts)
        if (!p.is_literal() && (buckets || p.form != part_form::spread)) add_once(to, p.member.text);
}

}  // namespace

enumeration const* find_enum(schema const& s, std::string const& id) { return find_named(s.enums, id); }
property const* find_property(entity const& e, std::string const& id) { return find_named(e.properties, id); }
index const* find_index(entity const& e, std::string const& id) { return find_named(e.indexes, id); }

std::vector<std::string> given_members(key const& k) {
    std::vector<std::string> members;
    add_members(members, k, false);
    return members;
}

std::vector<std::string> key_members(key const& partition_key, key const& row_key) {
    std::vector<std::string> members;
    add_members(members, partition_key, false);
    add_members(members, row_key, false);
    add_members(members, partition_key, true);
    add_members(members, row_key, true);
    return members;
}
std::vector<std::string> key_members(entity const& e) { return key_members(e.partition_key, e.row_key); }

std::vector<std::string> row_members(entity const& e, index const* by) {
    std::vector<std::string> members;
    if (by != nullptr) add_members(members, by->key, false);
    if (by == nullptr || !by->unique) add_members(members, e.row_key, false);
    return members;
}

bool is_in_key_alone(entity const& e, std::string const& member) {
    bool in_key = false;
    for (auto const* k : {&e.partition_key, &e.row_key})
        for (auto const& p : k->parts) {
            if (p.member.text != member || p.is_literal()) continue;
            if (p.also_stored) return false;
            in_key = true;
        }
    return in_key;
}

}  // namespace tablemap::codegen
