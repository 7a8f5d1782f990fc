// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/added_columns.hpp"
#include "tablemap/detail/mapping/slots.hpp"
#include "tablemap/detail/mapping/value_codec.hpp"
#include "tablemap/edm/limits.hpp"
#include "tablemap/edm/names.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

/// The columns of a struct as one compile-time table: nested structs, arrays and series flattened, names and
/// annotations as they stand in JSON, and for each column the functions of its type and the slot of its value, see
/// `slots.hpp`.
namespace tablemap::inline v0_1::detail {

/// The end of the name of a blind index, behind the name of its member and the separator.
inline constexpr std::string_view blind_index_suffix{"index"};

struct column {
    value_ops const* ops{};
    std::uint32_t text_at{};
    std::uint16_t text_size{};  ///< the length of `,"name":` or `,"name@odata.type":"Edm.X","name":`
    std::uint16_t name_size{};
    std::uint16_t slot{};
    std::uint16_t field{};  ///< the member of the mapped struct; `no_field` for columns that the mapping adds
    bool required{};
    bool read{};    ///< false: written only
    bool direct{};  ///< read as it is stored, without decryption
    bool sparse{};  ///< an element of a series: while it is absent, merges of the whole leave it out
};

/// A map whose entries are columns.
struct map_ops {
    value_ops const* element{};
    bool (*each)(void const* map, void* context, bool (*entry)(void*, std::string const& key, void const* value)){};
    void* (*insert)(void* map, std::string_view key){};
};
struct map_column {
    map_ops const* ops{};
    std::uint32_t text_at{};  ///< the place of the text that its columns' names begin with
    std::uint16_t text_size{};
    std::uint16_t slot{};
    std::uint16_t field{};
};

/// An optional struct: the columns [first, last) and the maps [first_map, last_map) are its members.
struct optional_group {
    void (*reset)(void* optional){};
    std::uint16_t slot{};
    std::uint16_t first{};
    std::uint16_t last{};
    std::uint16_t first_map{};
    std::uint16_t last_map{};
};

struct column_counts {
    std::size_t columns = 0, text = 0, maps = 0, groups = 0, extras = 0, sealed = 0;
};

/// The number of an element at the end of its name: in a series two digits at least, whatever its extent, so that a
/// series can grow without renaming its elements.
struct element_digits {
    char text[3];
    std::size_t skip;

    constexpr element_digits(std::size_t i, storage form)
        : text{static_cast<char>('0' + i / 100), static_cast<char>('0' + i / 10 % 10), static_cast<char>('0' + i % 10)},
          skip(i >= 100                             ? 0
               : i >= 10 || form == storage::series ? 1
                                                    : 2) {}
    constexpr std::string_view view() const { return {text + skip, 3 - skip}; }
};

// ---- the table ------------------------------------------------------------------------------------------------------

/// A column's name in parts: `home` in front of `city`.
struct name_chain {
    name_chain const* outer;
    std::string_view name;

    constexpr std::size_t size() const { return outer ? outer->size() + 1 + name.size() : name.size(); }
};

// Around the type in an annotation, behind the name and before it comes again.
inline constexpr std::string_view before_type = "@odata.type\":\"";
inline constexpr std::string_view after_type = "\",\"";

/// Puts columns into storage; without storage it only counts.
struct column_writer {
    column* columns = nullptr;
    char* text = nullptr;
    map_column* maps = nullptr;
    optional_group* groups = nullptr;
    column_counts count{};
    std::uint16_t field = no_field;  ///< the member of the mapped struct that columns are added for
    std::uint16_t extras_slot = 0;
    std::uint16_t extras_field = no_field;

    constexpr void put(std::string_view s) {
        auto const size = s.size();
        if (text) {
            auto const* const from = s.data();
            auto* const to = text + count.text;
            for (std::size_t i = 0; i < size; ++i) to[i] = from[i];
        }
        count.text += size;
    }
    template <std::size_t Size> constexpr void put(char const (&literal)[Size]) {
        put(std::string_view{literal, Size - 1});
    }
    constexpr std::size_t put(name_chain const& n) {
        std::size_t size = n.name.size();
        if (n.outer) {
            size += put(*n.outer) + 1;
            put("_");
        }
        put(n.name);
        return size;
    }

    constexpr void add(name_chain const& name, value_ops const& ops, std::size_t slot, bool required, bool read,
                       bool sparse = false) {
        auto const at = count.text;
        std::size_t name_size = 0;
        if (text) {
            put(",\"");
            name_size = put(name);
            if (needs_annotation(ops.type)) {
                put(before_type), put(edm_name(ops.type)), put(after_type), put(name);
            }
            put("\":");
        } else {
            // The same length without a call for each part: evaluation at compile time is slow.
            auto const size = name.size();
            constexpr std::size_t quotes_and_marks = 4;
            count.text += size + quotes_and_marks;
            if (needs_annotation(ops.type))
                count.text += before_type.size() + edm_name(ops.type).size() + after_type.size() + size;
        }
        if (ops.how != sealing::none) ++count.sealed;
        if (columns)
            columns[count.columns] = {.ops = &ops,
                                      .text_at = static_cast<std::uint32_t>(at),
                                      .text_size = static_cast<std::uint16_t>(count.text - at),
                                      .name_size = static_cast<std::uint16_t>(name_size),
                                      .slot = static_cast<std::uint16_t>(slot),
                                      .field = field,
                                      .required = required,
                                      .read = read,
                                      .direct = read && ops.how == sealing::none,
                                      .sparse = sparse};
        ++count.columns;
    }

    constexpr void add_map(name_chain const& name, map_ops const& ops, std::size_t slot) {
        auto const at = count.text;
        if (ops.element->how != sealing::none) ++count.sealed;
        put(name), put("_");
        if (maps)
            maps[count.maps] = {&ops, static_cast<std::uint32_t>(at), static_cast<std::uint16_t>(count.text - at),
                                static_cast<std::uint16_t>(slot), field};
        ++count.maps;
    }

    /// Adds a group of the columns that were added since `before`.
    constexpr void add_group(void (*reset)(void*), std::size_t slot, column_counts const& before) {
        if (groups)
            groups[count.groups] = {.reset = reset,
                                    .slot = static_cast<std::uint16_t>(slot),
                                    .first = static_cast<std::uint16_t>(before.columns),
                                    .last = static_cast<std::uint16_t>(count.columns),
                                    .first_map = static_cast<std::uint16_t>(before.maps),
                                    .last_map = static_cast<std::uint16_t>(count.maps)};
        ++count.groups;
    }
};

template <class Map>
inline constexpr map_ops map_ops_of{
    &value_ops_of<typename Map::mapped_type>,
    [](void const* map, void* context, bool (*entry)(void*, std::string const&, void const*)) {
        for (auto const& [key, value] : *static_cast<Map const*>(map))
            if (!entry(context, key, &value)) return false;
        return true;
    },
    [](void* map, std::string_view key) -> void* { return &(*static_cast<Map*>(map))[std::string{key}]; }};

template <class Optional> void reset_optional(void* optional) { static_cast<Optional*>(optional)->reset(); }

template <class S, bool Nested, auto const& Uses = key_uses_of<S, Nested>>
constexpr void add_fields(column_writer& to, name_chain const* outer, std::size_t base);

/// Adds the columns of one member. `slot` is its own address, `below` the first of those below it.
template <class F, storage How, key_use Key, bool Indexed>
constexpr void add_field(column_writer& to, name_chain const& name, bool required, std::size_t slot,
                         std::size_t& below) {
    if constexpr (Key == key_use::alone || How == storage::ignored) {
    } else if constexpr (How == storage::flattened) {
        auto const before = to.count;
        add_fields<property_type<F>, true>(to, &name, below);
        if constexpr (is_optional<F>) to.add_group(&reset_optional<F>, slot, before);
    } else if constexpr (How == storage::numbered) {
        for (std::size_t i = 0; i < std::tuple_size_v<F>; ++i)
            to.add({&name, element_digits{i, How}.view()}, value_ops_of<typename F::value_type>, below + i, required,
                   true);
    } else if constexpr (How == storage::series) {
        for (std::size_t i = 0; i < F::extent; ++i)
            to.add({&name, element_digits{i, How}.view()}, value_ops_of<std::optional<typename F::element_type>>,
                   below + i, false, true, true);
    } else if constexpr (How == storage::prefixed) {
        to.add_map(name, map_ops_of<F>, slot);
    } else if constexpr (How == storage::json) {
        to.add(name, json_ops_of<F>, slot, required, true);
    } else if constexpr (std::same_as<F, extras>) {
        to.extras_slot = static_cast<std::uint16_t>(slot);
        to.extras_field = to.field;
        ++to.count.extras;
    } else {
        to.add(name, value_ops_of<F>, slot, required || Key == key_use::hidden, Key != key_use::copied);
        if constexpr (Indexed) to.add({&name, blind_index_suffix}, blind_ops_of<F>, slot, false, false);
    }
    below += slots_below<F, How>();
}

/// The operations of members that each are one property, in their order.
template <class List> inline constexpr std::array<value_ops const*, 0> field_ops_of{};
template <class... F>
inline constexpr std::array<value_ops const*, sizeof...(F)> field_ops_of<type_list<F...>>{&value_ops_of<F>...};

/// Adds the columns of a struct with plain members.
constexpr void add_plain_fields(column_writer& to, name_chain const* outer, std::size_t base, bool nested,
                                std::string_view const* names, key_use const* uses, value_ops const* const* ops,
                                std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        if (!nested) to.field = static_cast<std::uint16_t>(i);
        if (uses[i] != key_use::alone)
            to.add({outer, names[i]}, *ops[i], base + i, uses[i] == key_use::hidden, uses[i] != key_use::copied);
    }
}

template <class S, bool Nested, auto const& Uses>
constexpr void add_fields(column_writer& to, name_chain const* outer, std::size_t base) {
    if constexpr (has_plain_members<S>())
        add_plain_fields(to, outer, base, Nested, field_names<S>.data(), Uses.data(),
                         field_ops_of<field_types<S>>.data(), field_count<S>);
    else
        [&]<class... F, std::size_t... I>(type_list<F...>, std::index_sequence<I...>) {
            auto below = base + field_count<S>;
            (..., (to.field = Nested ? to.field : static_cast<std::uint16_t>(I),
                   add_field<F, options_of<S>[I].how, Uses[I], options_of<S>[I].blind_index>(
                       to, {outer, options_of<S>[I].name}, options_of<S>[I].required, base + I, below)));
        }(field_types<S>{}, std::make_index_sequence<field_count<S>>{});
}

// ---- all of them ----------------------------------------------------------------------------------------------------

/// All columns of a mapped struct. The discriminator, if it is a property, comes first.
template <class T, auto const& Uses = key_uses_of<T, false>, value_ops const& TagOps = type_tag_ops_of<T>>
constexpr void add_all_columns(column_writer& to) {
    if constexpr (!discriminator_of<T>().property.empty())
        to.add({nullptr, discriminator_of<T>().property}, TagOps, 0, false, false);
    add_fields<T, false, Uses>(to, nullptr, 1);
    to.field = no_field;
    if constexpr (has_member_rules<T>)
        [&]<class... Rule, std::size_t... I>(member_rules<Rule...> const& list, std::index_sequence<I...>) {
            (..., [&] {
                if constexpr (is_computed_rule<Rule>)
                    to.add({nullptr, std::get<I>(list.rules).name}, computed_ops_of<T, I, Rule>, 0, false, false);
            }());
        }(mapping<T>::members, std::make_index_sequence<std::tuple_size_v<decltype(mapping<T>::members.rules)>>{});
}

template <class T, auto const& Uses = key_uses_of<T, false>, value_ops const& TagOps = type_tag_ops_of<T>>
constexpr column_counts count_columns() {
    column_writer counting;
    add_all_columns<T, Uses, TagOps>(counting);
    return counting.count;
}

/// The table of a struct's columns, with room for exactly those.
template <column_counts const& Count> struct column_table {
    std::array<column, Count.columns> columns{};
    std::array<char, Count.text> text{};
    std::array<map_column, Count.maps> maps{};
    std::array<optional_group, Count.groups> groups{};
    std::uint16_t extras_slot{};
    std::uint16_t extras_field{};
};

template <class T> inline constexpr column_counts column_counts_of = count_columns<T>();

template <class T, column_counts const& Count = column_counts_of<T>, auto const& Uses = key_uses_of<T, false>,
          value_ops const& TagOps = type_tag_ops_of<T>>
constexpr auto make_column_table() {
    column_table<Count> table;
    column_writer to{.columns = table.columns.data(),
                     .text = table.text.data(),
                     .maps = table.maps.data(),
                     .groups = table.groups.data()};
    add_all_columns<T, Uses, TagOps>(to);
    table.extras_slot = to.extras_slot;
    table.extras_field = to.extras_field;
    return table;
}
template <class T> inline constexpr auto column_table_of = make_column_table<T>();

}  // namespace tablemap::detail
