// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/elsewhere_row_type.hpp"
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
template <class T, auto const& Table> constexpr bool holds_sealed(field_marks<T> const& copied_fields) {
    auto const copied = [&](std::uint16_t field) { return field != no_field && copied_fields[field]; };
    auto const sealed = [&](auto const& c, value_ops const* o) { return o->how != sealing::none && copied(c.field); };
    bool any = false;
    for (auto const& c : Table.columns) any = any || sealed(c, c.ops);
    for (auto const& m : Table.maps) any = any || sealed(m, m.ops->element);
    return any;
}
template <class T, std::size_t I>
inline constexpr bool copies_sealed = holds_sealed<T, index_column_table_of<T>>(copied_fields_of<T, I>);

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

/// The end of making a row. One that cannot be encoded for `row_use::compare` is there, whatever it holds.
result<void> settle_row(index_row& row, result<void> encoded, row_use use, std::string_view index);

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
    return settle_row(rows.back(), std::move(r), use, rule::name);
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

template <class T> struct index_list;

// ---- rows elsewhere -------------------------------------------------------------------------------------------------

/// The members that the rows of an index elsewhere hold.
template <class T, std::size_t J>
inline constexpr field_marks<T> copied_elsewhere_of = [] {
    auto marks = elsewhere_key_fields_of<T, J>;
    mark_copied<T>(marks, typename elsewhere_rule_of<T, J>::copied{});
    return marks;
}();

template <class T, std::size_t J>
inline constexpr bool
    copies_sealed_elsewhere = holds_sealed<T, elsewhere_column_table_of<T>>(copied_elsewhere_of<T, J>);

template <class T, std::size_t J> void add_copied_elsewhere(field_set& to) {
    add_fields(to, copied_elsewhere_of<T, J>);
}

/// Ends the row key of a row elsewhere with the keys of its entity. Errors: `library_errc::key_too_large`.
result<void> append_owner(std::string& row_key, entity_key const& owner);

/// True if an entity has a row in index number J elsewhere.
template <class T, std::size_t J> bool is_in_index_elsewhere(T const& value) {
    return has_parts(value, elsewhere_partition_key_of<T, J>) && has_parts(value, given_elsewhere_key_of<T, J>) &&
           std::invoke(std::get<J>(mapping<T>::indexes.elsewhere).condition, value);
}

/// Makes the key of an entity's row in index number J elsewhere, and the entity's own. Errors: as `make_key`.
/// Precondition: it has such a row.
template <class T, std::size_t J>
result<void> encode_keys_elsewhere(T const& value, std::string& partition_key, std::string& row_key,
                                   entity_key& owner) {
    auto const get = [&]<auto M>(member_part<M> const&)->auto const& { return value.*M; };
    if (auto r = make_key(partition_key, elsewhere_partition_key_of<T, J>, get); !r) return r;
    if (auto r = make_key(row_key, elsewhere_row_key_of<T, J>, get); !r) return r;
    if (auto r = encode_keys(value, owner.partition_key, owner.row_key); !r) return r;
    return append_owner(row_key, owner);
}

template <class T, std::size_t J>
result<void> add_row_elsewhere(T const& value, std::size_t number, row_use use, std::vector<index_row>& rows,
                               property_cipher const* cipher) {
    if (!is_in_index_elsewhere<T, J>(value)) return {};
    auto& to = append_row(rows, number);
    auto r = encode_keys_elsewhere<T, J>(value, to.partition_key, to.row_key, rows.back().owner);
    if (!r && use != row_use::write) {
        rows.pop_back();
        return {};
    }
    if (r && use == row_use::erase) return {};
    chosen_columns chosen;
    add_copied_elsewhere<T, J>(chosen.fields);
    auto const* const some = copies_all_elsewhere<T, J> ? nullptr : &chosen;
    if (r) r = encode_columns(elsewhere_row_type_of<T, J>, &value, to, empty_members::left_out, some, cipher);
    return settle_row(rows.back(), std::move(r), use, elsewhere_rule_of<T, J>::name);
}

/// Appends the rows of a value elsewhere; its indexes are numbered from `first`.
template <class T>
result<void> add_rows_elsewhere(T const& value, std::size_t first, row_use use, std::vector<index_row>& rows,
                                property_cipher const* cipher) {
    result<void> r;
    [&]<std::size_t... J>(std::index_sequence<J...>) {
        static_cast<void>(((r = add_row_elsewhere<T, J>(value, first + J, use, rows, cipher)).has_value() && ...));
    }
    (std::make_index_sequence<count_elsewhere<T>()>{});
    return r;
}
template <class... Ts>
result<void> add_rows_elsewhere(std::variant<Ts...> const& value, std::size_t first, row_use use,
                                std::vector<index_row>& rows, property_cipher const* cipher) {
    result<void> r;
    auto const add = [&]<class T>(T const* one) {
        if (one) r = add_rows_elsewhere(*one, first, use, rows, cipher);
        first += count_elsewhere<T>();
    };
    (..., add(std::get_if<Ts>(&value)));
    return r;
}

// ---- all rows -------------------------------------------------------------------------------------------------------

template <class T> inline constexpr bool has_elsewhere = count_elsewhere<T>() > 0;
template <class... Ts> inline constexpr bool has_elsewhere<std::variant<Ts...>> = (has_elsewhere<Ts> || ...);

template <class T>
result<void> add_rows_of_value(void const* value, row_use use, std::vector<index_row>& rows,
                               property_cipher const* cipher) {
    auto const& v = *static_cast<T const*>(value);
    auto r = add_index_rows(v, 0, use, rows, cipher);
    if constexpr (has_elsewhere<T>)
        if (r) r = add_rows_elsewhere(v, index_list<T>::size, use, rows, cipher);
    return r;
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

template <class Condition>
inline constexpr bool is_condition_function =
    !std::is_same_v<Condition, every_entity> && !std::is_member_object_pointer_v<Condition>;

template <class T, std::size_t I>
inline constexpr bool has_condition_function =
    is_condition_function<std::remove_cvref_t<decltype(std::get<I>(mapping<T>::indexes.rules).condition)>>;
template <class T, std::size_t J>
inline constexpr bool has_function_elsewhere =
    is_condition_function<std::remove_cvref_t<decltype(std::get<J>(mapping<T>::indexes.elsewhere).condition)>>;

/// True if a value has the rows in indexes that it has after it was stored and read. A function may see more of a value
/// than is stored, and a converter may change it.
template <class T>
inline constexpr bool has_rows_of_what_is_stored = [] {
    bool all = !has_computed_columns<T>;
    [&]<std::size_t... I>(std::index_sequence<I...>) { ((all = all && !has_condition_function<T, I>), ...); }
    (std::make_index_sequence<count_indexes<T>()>{});
    [&]<std::size_t... J>(std::index_sequence<J...>) { ((all = all && !has_function_elsewhere<T, J>), ...); }
    (std::make_index_sequence<count_elsewhere<T>()>{});
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

template <class T, std::size_t J> constexpr elsewhere_type describe_elsewhere() {
    using rule = elsewhere_rule_of<T, J>;
    return {.name = rule::name,
            .table = rule::table,
            .row_prefix = leading_text<elsewhere_row_key_of<T, J>>,
            .sealed = copies_sealed_elsewhere<T, J>,
            .rows = &elsewhere_row_type_of<T, J>,
            .owner_of = &read_owner_elsewhere<T>};
}

template <class T> constexpr auto list_elsewhere_types() {
    return []<std::size_t... J>(std::index_sequence<J...>) {
        return std::array<elsewhere_type, sizeof...(J)>{describe_elsewhere<T, J>()...};
    }
    (std::make_index_sequence<count_elsewhere<T>()>{});
}

template <class T> struct elsewhere_list {
    static constexpr std::size_t size = count_elsewhere<T>();
    static constexpr std::array<elsewhere_type, size> list = list_elsewhere_types<T>();
};
template <class... Ts> struct elsewhere_list<std::variant<Ts...>> {
    static constexpr std::size_t size = (0 + ... + elsewhere_list<Ts>::size);
    static constexpr std::array<elsewhere_type, size> list = [] {
        std::array<elsewhere_type, size> all{};
        std::size_t at = 0;
        auto const add = [&](auto const& some) {
            for (auto const& one : some) all[at++] = one;
        };
        (..., add(elsewhere_list<Ts>::list));
        return all;
    }();
};

/// True if entities of T have rows in indexes, in their partition or elsewhere.
template <class T> inline constexpr bool has_indexes = index_list<T>::size > 0 || has_elsewhere<T>;

template <class T> inline constexpr bool are_rows_exact = has_rows_of_what_is_stored<T>;
template <class... Ts>
inline constexpr bool are_rows_exact<std::variant<Ts...>> = ((!has_indexes<Ts> || are_rows_exact<Ts>)&&...);

template <class T>
inline constexpr index_set index_set_of{index_list<T>::list, elsewhere_list<T>::list, are_rows_exact<T>,
                                        &add_rows_of_value<T>, &add_rows_of_entity<T>};

/// Null if T has no index.
template <class T> constexpr index_set const* indexes_of() noexcept {
    if constexpr (has_indexes<T>)
        return &index_set_of<T>;
    else
        return nullptr;
}

}  // namespace tablemap::detail
