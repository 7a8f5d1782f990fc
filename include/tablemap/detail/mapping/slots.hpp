// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/keys/key_members.hpp"
#include "tablemap/detail/mapping/property.hpp"
#include "tablemap/detail/reflect/fields.hpp"
#include "tablemap/mapping/mapping.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

/// The forms of a struct's members, and the places of the values of its columns.
///
/// The place of a value is a slot: the number of an address in a list that `fill_slots` makes of an object. Slot 0 is
/// the object itself; then come the addresses of its members in their order; then, for each member that is flattened,
/// numbered or a series, those of its members or elements in the same way.
namespace tablemap::inline v0_1::detail {

inline constexpr std::size_t most_slots = 1024;
inline constexpr std::size_t most_fields = 256;

// ---- the rules of members ------------------------------------------------------------------------------------------

template <class S>
concept has_member_rules = requires {
    mapping<S>::members;
};

/// A series is stored as its type says, unless a rule says otherwise.
template <class S, class Options, class... F> constexpr void find_series(Options& options, type_list<F...>) {
    if constexpr ((is_series<F> || ...)) {
        constexpr bool series[]{is_series<F>...};
        for (std::size_t i = 0; i < sizeof...(F); ++i)
            if (series[i] && options[i].how == storage::plain) options[i].how = storage::series;
    }
}

template <class S> constexpr auto list_options() {
    std::array<member_options, field_count<S>> options{};
    for (std::size_t i = 0; i < field_count<S>; ++i) options[i].name = field_names<S>[i];
    if constexpr (has_member_rules<S>) {
        auto const apply = [&]<class Rule>(Rule const& rule) {
            if constexpr (is_member_rule<Rule>) {
                auto& o = options[member_index<Rule::pointer, S>];
                auto const name = rule.options().name.empty() ? o.name : rule.options().name;
                o = rule.options();
                o.name = name;
            }
        };
        std::apply([&](auto const&... rule) { (apply(rule), ...); }, mapping<S>::members.rules);
    }
    find_series<S>(options, field_types<S>{});
    return options;
}
template <class S> inline constexpr auto options_of = list_options<S>();

template <class... F> constexpr bool are_plain_members(type_list<F...>) {
    return (is_property_value<property_type<F>>() && ...);
}

/// True if each member of S is stored as one property, if it is stored at all, and no rule says otherwise: its columns
/// and slots are found without a template for each member then.
template <class S> constexpr bool has_plain_members() {
    if constexpr (has_member_rules<S>)
        return false;
    else
        return are_plain_members(field_types<S>{});
}

/// The use of a member in a key.
enum class key_use : std::uint8_t {
    none,
    alone,   ///< stored in the key alone
    copied,  ///< stored as a property as well, and read from the key
    hidden,  ///< stored as a property as well, and read from that, since the key does not contain the value
};

inline constexpr std::uint16_t no_field = 0xFFFF;

/// The parts of both keys, the partition key's first.
template <class T> constexpr auto list_key_parts() {
    auto const& partition = mapping<T>::partition_key.layouts;
    auto const& row = mapping<T>::row_key.layouts;
    std::array<part_layout const*, partition.size() + row.size()> parts{};
    auto** out = parts.data();
    for (std::size_t i = 0; i < partition.size(); ++i) *out++ = partition.data() + i;
    for (std::size_t i = 0; i < row.size(); ++i) *out++ = row.data() + i;
    return parts;
}
template <class T> inline constexpr auto key_parts_of = list_key_parts<T>();

/// Finds the member that each part is of, by its name; `no_field` for a literal.
constexpr void find_key_fields(part_layout const* const* parts, std::size_t count, std::string_view const* names,
                               std::size_t name_count, std::uint16_t* fields) {
    for (std::size_t i = 0; i < count; ++i) {
        fields[i] = no_field;
        if (parts[i]->kind == part_kind::literal) continue;
        for (std::size_t at = 0; at < name_count && fields[i] == no_field; ++at)
            if (names[at] == parts[i]->name) fields[i] = static_cast<std::uint16_t>(at);
    }
}

template <class T> constexpr auto list_key_fields() {
    auto const& parts = key_parts_of<T>;
    auto const& names = declared_names_of<T>;
    std::array<std::uint16_t, parts.size()> fields{};
    find_key_fields(parts.data(), parts.size(), names.data(), names.size(), fields.data());
    return fields;
}

/// The member that each part of both keys is of, the partition key's parts first; `no_field` for a literal.
template <class T> inline constexpr auto key_fields_of = list_key_fields<T>();

/// True if the members of a struct have all that keys are made of.
constexpr bool has_all_key_members(part_layout const* const* parts, std::size_t count, std::uint16_t const* fields) {
    for (std::size_t i = 0; i < count; ++i)
        if (fields[i] == no_field && parts[i]->kind != part_kind::literal) return false;
    return true;
}

/// Marks the members that are parts of keys.
constexpr void mark_key_uses(part_layout const* const* parts, std::size_t count, std::uint16_t const* fields,
                             key_use* uses) {
    for (std::size_t i = 0; i < count; ++i) {
        if (fields[i] == no_field) continue;
        bool stored = false, readable = false;
        for (std::size_t k = 0; k < count; ++k) {
            if (fields[k] != fields[i]) continue;
            stored = stored || parts[k]->also_stored;
            readable = readable || is_readable(*parts[k]);
        }
        uses[fields[i]] = !stored ? key_use::alone : readable ? key_use::copied : key_use::hidden;
    }
}

/// A struct that is nested in another has its keys stored like any other member.
template <class S, bool Nested> constexpr auto list_key_uses() {
    std::array<key_use, field_count<S>> uses{};
    if constexpr (mapped<S> && !Nested) {
        auto const& parts = key_parts_of<S>;
        mark_key_uses(parts.data(), parts.size(), key_fields_of<S>.data(), uses.data());
    }
    return uses;
}

template <class S, bool Nested> inline constexpr auto key_uses_of = list_key_uses<S, Nested>();

// ---- slots ----------------------------------------------------------------------------------------------------------

template <class F, storage How> constexpr std::size_t slots_below();

template <class S> constexpr std::size_t count_slots() {
    if constexpr (has_plain_members<S>())
        return field_count<S>;
    else
        return []<class... F, std::size_t... I>(type_list<F...>, std::index_sequence<I...>) {
            return (field_count<S> + ... + slots_below<F, options_of<S>[I].how>());
        }(field_types<S>{}, std::make_index_sequence<field_count<S>>{});
}
template <class S> inline constexpr std::size_t slot_count = count_slots<S>();

template <class F, storage How> constexpr std::size_t slots_below() {
    if constexpr (How == storage::flattened)
        return slot_count<property_type<F>>;
    else if constexpr (How == storage::numbered)
        return std::tuple_size_v<F>;
    else if constexpr (How == storage::series)
        return F::extent;
    else
        return 0;
}

template <class S> constexpr bool is_nested() { return slot_count<S> != field_count<S>; }

/// Writes the addresses of an object's members, and of those below them, to `out`. For reading into the object, empty
/// optional structs are given a value; otherwise the members of an empty one have no address.
template <class S> void fill_slots(S& object, void** out, bool to_read_into);

template <class F, storage How> void fill_below(void* field, void**& out, bool to_read_into) {
    if constexpr (How == storage::flattened) {
        auto& value = *static_cast<F*>(field);
        if constexpr (!is_optional<F>) {
            fill_slots(value, out, to_read_into);
        } else {
            if (to_read_into) value.emplace();
            if (value)
                fill_slots(*value, out, to_read_into);
            else
                for (std::size_t i = 0; i < slot_count<property_type<F>>; ++i) out[i] = nullptr;
        }
    } else if constexpr (How == storage::numbered || How == storage::series) {
        auto& elements = *static_cast<F*>(field);
        for (std::size_t i = 0; i < slots_below<F, How>(); ++i) out[i] = &elements[i];
    }
    out += slots_below<F, How>();
}

template <class S> void fill_slots(S& object, void** out, bool to_read_into) {
    field_addresses(object, out);
    if constexpr (is_nested<S>()) {
        auto** next = out + field_count<S>;
        [&]<class... F, std::size_t... I>(type_list<F...>, std::index_sequence<I...>) {
            (..., fill_below<F, options_of<S>[I].how>(out[I], next, to_read_into));
        }(field_types<S>{}, std::make_index_sequence<field_count<S>>{});
    }
}

}  // namespace tablemap::detail
