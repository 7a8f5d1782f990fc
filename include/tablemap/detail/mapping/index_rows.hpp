// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/index_row_type.hpp"
#include "tablemap/detail/mapping/index_set.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// The rows of an entity in its indexes.
namespace tablemap::inline v0_1::detail {

// ---- the rows of an entity -----------------------------------------------------------------------------------------

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

/// True if some of these members are encrypted, wholly or in part.
template <class T, std::size_t I>
inline constexpr bool copies_sealed = [] {
    constexpr auto& all = index_column_table_of<T>;
    auto const copied = [](std::uint16_t field) { return field != no_field && copied_fields_of<T, I>[field]; };
    auto const sealed = [&](auto const& c, value_ops const* o) { return o->how != sealing::none && copied(c.field); };
    bool any = false;
    for (auto const& c : all.columns) any = any || sealed(c, c.ops);
    for (auto const& m : all.maps) any = any || sealed(m, m.ops->element);
    return any;
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

/// Appends the row of an index, which has its number alone; gives its entity.
encoded_entity& append_row(std::vector<index_row>& rows, std::size_t index);

template <class T, std::size_t I>
result<void> add_index_row(T const& value, std::size_t number, row_use use, std::vector<index_row>& rows,
                           property_cipher const* cipher) {
    using rule = index_rule_of<T, I>;
    if (!has_parts(value, given_index_key_of<T, I>)) return {};
    if (!std::invoke(std::get<I>(mapping<T>::indexes.rules).condition, value)) return {};
    auto const get = [&]<auto M>(member_part<M> const&)->auto const& { return value.*M; };
    auto& to = append_row(rows, number);
    auto r = make_key(to.partition_key, mapping<T>::partition_key, get);
    if (r) r = make_key(to.row_key, index_key_of<T, I>, get);
    if (!r && use != row_use::write) {
        rows.pop_back();
        return {};
    }
    if (r && use == row_use::erase) return {};
    if constexpr (copies_all<T, I>) {
        if (r) r = encode_columns(index_row_type_of<T, I>, &value, to, empty_members::left_out, nullptr, cipher);
    } else {
        chosen_columns chosen;
        add_copied_fields<T, I>(chosen.fields);
        if (r) r = encode_columns(index_row_type_of<T, I>, &value, to, empty_members::left_out, &chosen, cipher);
    }
    if (!r && use == row_use::compare) {  // it is there, whatever it holds
        to.body.clear();
        rows.back().outdated = true;
        return {};
    }
    if (!r) return failure{in_index(r.error(), rule::name)};
    return {};
}

/// Appends the rows of a value; its indexes are numbered from `first`.
template <class T>
result<void> add_index_rows(T const& value, std::size_t first, row_use use, std::vector<index_row>& rows,
                            property_cipher const* cipher) {
    result<void> r;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        static_cast<void>(((r = add_index_row<T, I>(value, first + I, use, rows, cipher)).has_value() && ...));
    }
    (std::make_index_sequence<count_indexes<T>()>{});
    return r;
}
template <class... Ts>
result<void> add_index_rows(std::variant<Ts...> const& value, std::size_t first, row_use use,
                            std::vector<index_row>& rows, property_cipher const* cipher) {
    result<void> r;
    auto const add = [&]<class T>(T const* one) {
        if (one) r = add_index_rows(*one, first, use, rows, cipher);
        first += count_indexes<T>();
    };
    (..., add(std::get_if<Ts>(&value)));
    return r;
}

template <class T>
result<void> add_rows_of_value(void const* value, row_use use, std::vector<index_row>& rows,
                               property_cipher const* cipher) {
    return add_index_rows(*static_cast<T const*>(value), 0, use, rows, cipher);
}

template <class T>
result<void> add_rows_of_entity(std::string& entity, row_use use, std::vector<index_row>& rows,
                                property_cipher const* cipher) {
    tablemap::entity<T> e;
    reading const how{.partial = true, .cipher = needed_for(entity, cipher)};
    if (auto r = read_row(entity, target_of(e), row_types<T>::list, how); !r) return r;
    auto const first = rows.size();
    auto r = add_rows_of_value<T>(&e.value, use, rows, cipher);
    for (auto i = first; i < rows.size(); ++i) rows[i].outdated = rows[i].outdated || e.outdated;
    return r;
}

// ---- the value in hand, and the one that is read --------------------------------------------------------------------

template <class T, std::size_t I>
inline constexpr bool has_condition_function = [] {
    using condition = std::remove_cvref_t<decltype(std::get<I>(mapping<T>::indexes.rules).condition)>;
    return !std::is_same_v<condition, every_entity> && !std::is_member_object_pointer_v<condition>;
}();

/// True if a value has the rows in indexes that it has after it was stored and read. A function may see more of a value
/// than is stored, and a converter may change it.
template <class T>
inline constexpr bool has_rows_of_what_is_stored = [] {
    bool all = !has_computed_columns<T>;
    [&]<std::size_t... I>(std::index_sequence<I...>) { ((all = all && !has_condition_function<T, I>), ...); }
    (std::make_index_sequence<count_indexes<T>()>{});
    for (auto const& c : index_column_table_of<T>.columns) all = all && (c.field == no_field || c.ops->exact);
    for (auto const& m : index_column_table_of<T>.maps) all = all && m.ops->element->exact;
    return all;
}();

// ---- the set --------------------------------------------------------------------------------------------------------

template <class T, std::size_t I> constexpr index_type describe_index() {
    using rule = index_rule_of<T, I>;
    return {.name = rule::name,
            .row_prefix = index_prefixes_of<T>[I],
            .unique = rule::unique,
            .whole = copies_all<T, I>,
            .sealed = copies_sealed<T, I>,
            .rows = &index_row_type_of<T, I>,
            .owner_of = &read_owner<T>};
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
};

/// True if entities of T have rows in indexes.
template <class T> inline constexpr bool has_indexes = index_list<T>::size > 0;

template <class T> inline constexpr bool are_rows_exact = has_rows_of_what_is_stored<T>;
template <class... Ts>
inline constexpr bool are_rows_exact<std::variant<Ts...>> = ((index_list<Ts>::size == 0 || are_rows_exact<Ts>)&&...);

template <class T>
inline constexpr index_set index_set_of{index_list<T>::list, are_rows_exact<T>, &add_rows_of_value<T>,
                                        &add_rows_of_entity<T>};

/// Null if T has no index.
template <class T> constexpr index_set const* indexes_of() noexcept {
    if constexpr (has_indexes<T>)
        return &index_set_of<T>;
    else
        return nullptr;
}

}  // namespace tablemap::detail
