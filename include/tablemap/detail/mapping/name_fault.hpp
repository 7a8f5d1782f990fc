// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/columns.hpp"
#include "tablemap/edm/limits.hpp"
#include "tablemap/edm/names.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// Faults of the names of columns.
namespace tablemap::inline v0_1::detail {

enum class name_fault : std::uint8_t { none, system, token, no_identifier, twice, in_map };

struct found_name_fault {
    name_fault fault = name_fault::none;
    std::uint16_t field = no_field;
};

constexpr std::uint32_t hash_of(std::string_view s) {
    std::uint32_t h = 2166136261U;
    for (char const c : s) h = (h ^ static_cast<unsigned char>(c)) * 16777619U;
    return h;
}

/// The fault of a name by itself.
constexpr name_fault fault_of_name(std::string_view name) {
    if (!is_identifier(name) || name.size() > limits::property_name_units) return name_fault::no_identifier;
    // The reserved names begin with these letters; comparing every name with all of them takes long at compile time.
    if (name[0] < 'P' || name[0] > 'T') return name_fault::none;
    if (is_system_name(name)) return name_fault::system;
    return name == operation_id_property ? name_fault::token : name_fault::none;
}

/// The names of all columns of a table, without its type: what checks them is compiled once.
struct column_names {
    char const* text;
    column const* columns;
    std::size_t count;
    map_column const* maps;
    std::size_t map_count;

    // With a size of another type the compiler would first find out whether that is a sentinel, which is slow.
    constexpr std::string_view name_of(column const& c) const {
        return {text + c.text_at + 2, std::size_t{c.name_size}};
    }
    constexpr std::string_view prefix_of(map_column const& m) const {
        return {text + m.text_at, std::size_t{m.text_size}};
    }
};

/// For columns that have the names of members, no two of which are equal. It reads these instead of the table's text,
/// a character of which takes the compiler longer to find.
constexpr found_name_fault find_name_fault(std::string_view const* members, key_use const* uses, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        if (uses[i] == key_use::alone) continue;
        auto const fault = fault_of_name(members[i]);
        if (fault != name_fault::none) return {fault, static_cast<std::uint16_t>(i)};
    }
    return {};
}

constexpr found_name_fault find_name_fault(column_names const& t) {
    std::array<std::uint32_t, limits::properties> hashes{};
    for (std::size_t i = 0; i < t.count; ++i) {
        auto const& c = t.columns[i];
        auto const name = t.name_of(c);
        auto const fault = fault_of_name(name);
        if (fault != name_fault::none) return {fault, c.field};
        auto const hash = hash_of(name);
        hashes[i] = hash;
        for (std::size_t k = 0; k < i; ++k)
            if (hashes[k] == hash && t.name_of(t.columns[k]) == name)
                return {name_fault::twice, c.field != no_field ? c.field : t.columns[k].field};
        for (std::size_t m = 0; m < t.map_count; ++m)
            if (name.starts_with(t.prefix_of(t.maps[m]))) return {name_fault::in_map, t.maps[m].field};
    }
    for (std::size_t a = 0; a < t.map_count; ++a) {
        auto const prefix = t.prefix_of(t.maps[a]);
        if (!is_identifier(prefix)) return {name_fault::no_identifier, t.maps[a].field};
        for (std::size_t b = 0; b < t.map_count; ++b)
            if (a != b && prefix.starts_with(t.prefix_of(t.maps[b]))) return {name_fault::in_map, t.maps[a].field};
    }
    return {};
}

template <class Table> constexpr found_name_fault find_name_fault(Table const& t) {
    return find_name_fault(
        column_names{t.text.data(), t.columns.data(), t.columns.size(), t.maps.data(), t.maps.size()});
}

/// `Where` is the address of the member whose column is at fault, or the struct's name for one that the mapping adds.
template <name_fault fault, auto Where> constexpr bool refuse_name() {
    static_assert(fault != name_fault::system,
                  "tablemap[M7]: PartitionKey, RowKey and Timestamp belong to the service; name this member otherwise, "
                  "with member<&T::m>.named(\"...\")");
    static_assert(fault != name_fault::token,
                  "tablemap[M7]: TablemapOperation is the property of operation ids; name this member otherwise, with "
                  "member<&T::m>.named(\"...\")");
    static_assert(
        fault != name_fault::no_identifier,
        "tablemap[M7]: a property name is at most 255 letters, digits and underscores, no digit first; rename "
        "this member, with member<&T::m>.named(\"...\")");
    static_assert(
        fault != name_fault::twice,
        "tablemap[M7]: two members have one property name; rename this one, with member<&T::m>.named(\"...\")");
    static_assert(
        fault != name_fault::in_map,
        "tablemap[M6]: the names of this prefixed() map's columns begin like another column's, which would be "
        "read as one of its entries; rename one of them");
    return false;
}

}  // namespace tablemap::detail
