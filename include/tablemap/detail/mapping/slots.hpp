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

/// The use of a member in a key.
enum class key_use : std::uint8_t {
    none,
    alone,   ///< stored in the key alone
    copied,  ///< stored as a property as well, and read from the key
    hidden,  ///< stored as a property as well, and read from that, since the key does not contain the value
};

/// Marks the members that are parts of keys, by their names.
constexpr void mark_key_uses(key_use* uses, std::string_view const* names, std::size_t count, auto const&... keys) {
    for (std::size_t i = 0; i < count; ++i) {
        bool used = false, stored = false, readable = false;
        auto const look = [&](part_layout const& p) {
            if (p.name != names[i]) return;
            used = true;
            stored = stored || p.also_stored;
            readable = readable || is_readable(p);
        };
        (..., [&] {
            for (auto const& p : keys) look(p);
        }());
        if (used) uses[i] = !stored ? key_use::alone : readable ? key_use::copied : key_use::hidden;
    }
}

/// A struct that is nested in another has its keys stored like any other member.
template <class S, bool Nested> constexpr auto list_key_uses() {
    std::array<key_use, field_count<S>> uses{};
    if constexpr (mapped<S> && !Nested) {
        auto const& names = declared_names_of<S>;
        mark_key_uses(uses.data(), names.data(), names.size(), mapping<S>::partition_key.layouts,
                      mapping<S>::row_key.layouts);
    }
    return uses;
}

template <class S, bool Nested> inline constexpr auto key_uses_of = list_key_uses<S, Nested>();

inline constexpr std::uint16_t no_field = 0xFFFF;

/// The member that each part of both keys is of, the partition key's parts first; `no_field` for a literal.
template <class T> constexpr auto list_key_fields() {
    auto const& partition = mapping<T>::partition_key.layouts;
    auto const& row = mapping<T>::row_key.layouts;
    std::array<std::uint16_t, partition.size() + row.size()> fields{};
    for (std::size_t i = 0; i < fields.size(); ++i) {
        auto const& p = i < partition.size() ? partition[i] : row[i - partition.size()];
        std::size_t at = 0;
        while (at < field_count<T> && declared_names_of<T>[at] != p.name) ++at;
        fields[i] = at < field_count<T> ? static_cast<std::uint16_t>(at) : no_field;
    }
    return fields;
}
template <class T> inline constexpr auto key_fields_of = list_key_fields<T>();

template <class T> constexpr bool has_all_key_members() {
    auto const& fields = key_fields_of<T>;
    std::size_t at = 0;
    auto const have_members = [&](auto const& parts) {
        for (auto const& p : parts)
            if (fields[at++] == no_field && p.kind != part_kind::literal) return false;
        return true;
    };
    return have_members(mapping<T>::partition_key.layouts) && have_members(mapping<T>::row_key.layouts);
}

// ---- slots ----------------------------------------------------------------------------------------------------------

template <class F, storage How> constexpr std::size_t slots_below();

template <class S> constexpr std::size_t count_slots() {
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
