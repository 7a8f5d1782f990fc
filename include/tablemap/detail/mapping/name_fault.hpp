// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/columns.hpp"
#include "tablemap/edm/limits.hpp"
#include "tablemap/edm/names.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>

/// Faults of the names of columns.
namespace tablemap::inline v0_1::detail {

enum class name_fault : std::uint8_t { none, system, token, no_identifier, twice, in_map };

struct found_name_fault {
    name_fault fault = name_fault::none;
    std::uint16_t field = no_field;
};

template <class Table> constexpr std::string_view name_of(Table const& t, column const& c) {
    return {t.text.data() + c.text_at + 2, c.name_size};
}

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

template <class Table> constexpr found_name_fault find_name_fault(Table const& t) {
    std::array<std::uint32_t, std::tuple_size_v<decltype(t.columns)>> hashes{};
    for (std::size_t i = 0; i < hashes.size(); ++i) {
        auto const& c = t.columns[i];
        auto const name = name_of(t, c);
        auto const fault = fault_of_name(name);
        if (fault != name_fault::none) return {fault, c.field};
        hashes[i] = hash_of(name);
        for (std::size_t k = 0; k < i; ++k)
            if (hashes[k] == hashes[i] && name_of(t, t.columns[k]) == name)
                return {name_fault::twice, c.field != no_field ? c.field : t.columns[k].field};
        for (auto const& m : t.maps)
            if (name.starts_with(std::string_view{t.text.data() + m.text_at, m.text_size}))
                return {name_fault::in_map, m.field};
    }
    for (auto const& a : t.maps) {
        std::string_view const prefix{t.text.data() + a.text_at, a.text_size};
        if (!is_identifier(prefix)) return {name_fault::no_identifier, a.field};
        for (auto const& b : t.maps)
            if (&a != &b && prefix.starts_with(std::string_view{t.text.data() + b.text_at, b.text_size}))
                return {name_fault::in_map, a.field};
    }
    return {};
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
