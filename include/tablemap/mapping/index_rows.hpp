// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/mapping/index_row_type.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// The rows that an entity implies in its indexes.
namespace tablemap::detail {

// ---- what an entity implies -----------------------------------------------------------------------------------------

/// What the ordinary functions need to know of an index.
struct index_type {
    std::string_view name;
    std::string_view row_prefix;  ///< what its rows' keys begin with
    bool unique;
    bool whole;            ///< its rows hold all members
    row_type const* rows;  ///< how they are read; borrowed
};

/// A row of an index as an entity implies it.
struct index_row {
    std::size_t index;  ///< its number in the `index_set`
    encoded_entity entity{};
    bool outdated = false;  ///< the entity is of an older version, and so may be the row that is stored
};

/// The indexes of a type, or of all types of a variant.
struct index_set {
    std::span<index_type const> list;
    bool sealed;  ///< some columns are encrypted: two encodings of one row differ

    /// Appends the rows that an encoded entity implies, which may lack properties, and may grow in capacity. The cipher may be null.
    /// Errors: as for reading the entity; as `make_key` and `encode`, with the index in the reason.
    result<void> (*add_rows)(std::string& entity, std::vector<index_row>& rows, property_cipher const* cipher);
};

error in_index(error const& e, std::string_view index);

template <class T, auto... Members> constexpr void mark_copied(field_marks<T>& marks, only_t<Members...>) {
    mark_members<T>(marks, member_list<Members...>{});
}
template <class T> constexpr void mark_copied(field_marks<T>& marks, all_members) { marks.fill(true); }

/// The members that the rows of an index hold.
template <class T, std::size_t I>
inline constexpr field_marks<T> copied_fields_of = [] {
    auto marks = index_key_fields_of<T, I>;
    mark_copied<T>(marks, typename index_rule_of<T, I>::copied{});
    return marks;
}();

template <std::size_t N> void add_fields(field_set& to, std::array<bool, N> const& marks) {
    for (std::size_t i = 0; i < N; ++i)
        if (marks[i]) to.set(i);
}

template <class T, std::size_t I> void add_copied_fields(field_set& to) { add_fields(to, copied_fields_of<T, I>); }

template <class Part, class T> bool has_part(T const& value) {
    if constexpr (!is_literal_part<Part>) {
        using source = source_part<Part>;
        if constexpr (is_optional_part<typename source::value_type>) return (value.*source::member).has_value();
    }
    return true;
}

/// False if the entity lacks a member of the index's key, and so has no row there.
template <class T, class... Parts> bool has_parts(T const& value, key_template<Parts...> const&) {
    return (has_part<Parts>(value) && ...);
}

template <class T, std::size_t I>
result<void> add_index_row(T const& value, std::size_t number, std::vector<index_row>& rows,
                           property_cipher const* cipher) {
    using rule = index_rule_of<T, I>;
    if (!has_parts(value, given_index_key_of<T, I>)) return {};
    if (!std::invoke(std::get<I>(mapping<T>::indexes.rules).condition, value)) return {};
    auto const get = [&]<auto M>(member_part<M> const&)->auto const& { return value.*M; };
    auto& to = rows.emplace_back(index_row{number}).entity;
    auto r = make_key(to.partition_key, mapping<T>::partition_key, get);
    if (r) r = make_key(to.row_key, index_key_of<T, I>, get);
    if constexpr (copies_all<T, I>) {
        if (r) r = encode_columns(index_row_type_of<T, I>, &value, to, empty_members::left_out, nullptr, cipher);
    } else {
        chosen_columns chosen;
        add_copied_fields<T, I>(chosen.fields);
        if (r) r = encode_columns(index_row_type_of<T, I>, &value, to, empty_members::left_out, &chosen, cipher);
    }
    if (!r) return failure{in_index(r.error(), rule::name)};
    return {};
}

/// Appends the rows of a value; its indexes are numbered from `first`.
template <class T>
result<void> add_index_rows(T const& value, std::size_t first, std::vector<index_row>& rows,
                            property_cipher const* cipher) {
    result<void> r;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        static_cast<void>(((r = add_index_row<T, I>(value, first + I, rows, cipher)).has_value() && ...));
    }
    (std::make_index_sequence<count_indexes<T>()>{});
    return r;
}
template <class... Ts>
result<void> add_index_rows(std::variant<Ts...> const& value, std::size_t first, std::vector<index_row>& rows,
                            property_cipher const* cipher) {
    result<void> r;
    auto const add = [&]<class T>(T const* one) {
        if (one) r = add_index_rows(*one, first, rows, cipher);
        first += count_indexes<T>();
    };
    (..., add(std::get_if<Ts>(&value)));
    return r;
}

template <class T>
result<void> add_rows_of_entity(std::string& entity, std::vector<index_row>& rows, property_cipher const* cipher) {
    tablemap::entity<T> e;
    entity_sink_of<T> sink{e, {.partial = true, .cipher = needed_for(entity, cipher)}};
    if (auto r = read_entity(entity, sink); !r) return r;
    auto const first = rows.size();
    auto r = add_index_rows(e.value, 0, rows, cipher);
    for (auto i = first; i < rows.size(); ++i) rows[i].outdated = e.outdated;
    return r;
}

// ---- the set --------------------------------------------------------------------------------------------------------

template <class T, std::size_t I> constexpr index_type describe_index() {
    using rule = index_rule_of<T, I>;
    return {.name = rule::name,
            .row_prefix = index_prefixes_of<T>[I],
            .unique = rule::unique,
            .whole = copies_all<T, I>,
            .rows = &index_row_type_of<T, I>};
}

template <class T> constexpr auto list_index_types() {
    return []<std::size_t... I>(std::index_sequence<I...>) {
        return std::array<index_type, sizeof...(I)>{describe_index<T, I>()...};
    }
    (std::make_index_sequence<count_indexes<T>()>{});
}

template <class T> struct index_list {
    static constexpr std::size_t size = count_indexes<T>();
    static constexpr std::array<index_type, size> list = list_index_types<T>();
    static constexpr bool sealed = size > 0 && column_counts_of<T>.sealed > 0;
};
template <> struct index_list<dynamic_entity> { static constexpr std::size_t size = 0; };
template <class... Ts> struct index_list<std::variant<Ts...>> {
    static constexpr std::size_t size = (0 + ... + index_list<Ts>::size);
    static constexpr std::array<index_type, size> list = [] {
        std::array<index_type, size> all{};
        std::size_t at = 0;
        auto const add = [&](auto const& some) {
            for (auto const& one : some) all[at++] = one;
        };
        (..., add(index_list<Ts>::list));
        return all;
    }();
    static constexpr bool sealed = (index_list<Ts>::sealed || ...);
};

/// True if entities of T have rows in indexes.
template <class T> inline constexpr bool has_indexes = index_list<T>::size > 0;

template <class T>
inline constexpr index_set index_set_of{index_list<T>::list, index_list<T>::sealed, &add_rows_of_entity<T>};

/// Null if T has no index.
template <class T> constexpr index_set const* indexes_of() noexcept {
    if constexpr (has_indexes<T>)
        return &index_set_of<T>;
    else
        return nullptr;
}

}  // namespace tablemap::detail
