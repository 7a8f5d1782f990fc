// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/entity_type.hpp"
#include "tablemap/detail/patterns/relation_rules.hpp"
#include "tablemap/detail/patterns/wide_core.hpp"
#include "tablemap/mapping/wide.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

/// The rows of a wide struct as types of their own. Each holds the columns of some members, and numbers only their
/// slots.
namespace tablemap::inline v0_1::detail {

template <class B> inline constexpr bool is_row_beginnings = false;
template <auto... Members> inline constexpr bool is_row_beginnings<row_beginnings<Members...>> = true;

/// The member that each row begins with, and the number of members behind the last.
template <class T, auto... Members> constexpr auto list_begins(row_beginnings<Members...>) {
    return std::array<std::uint16_t, sizeof...(Members) + 2>{0, static_cast<std::uint16_t>(member_index<Members, T>)...,
                                                             static_cast<std::uint16_t>(field_count<T>)};
}
template <class T> inline constexpr auto wide_begins = list_begins<T>(mapping<T>::wide);
template <class T> inline constexpr std::size_t wide_rows = wide_begins<T>.size() - 1;

template <class T, std::size_t Row> constexpr bool is_in_row(std::size_t field) {
    return field >= wide_begins<T>[Row] && field < wide_begins<T>[Row + 1];
}

// ---- slots ----------------------------------------------------------------------------------------------------------

/// Those below the members of a row, behind the addresses of all members.
template <class T, std::size_t Row> constexpr std::size_t count_row_slots() {
    return []<class... F, std::size_t... I>(type_list<F...>, std::index_sequence<I...>) {
        return (field_count<T> + ... + (is_in_row<T, Row>(I) ? slots_below<F, options_of<T>[I].how>() : 0));
    }(field_types<T>{}, std::make_index_sequence<field_count<T>>{});
}

/// The first slot of the stamps of a row. The head has those of all further rows.
template <class T, std::size_t Row> inline constexpr std::size_t stamp_slot = count_row_slots<T, Row>() + 1;
template <class T, std::size_t Row>
inline constexpr std::size_t row_slots = stamp_slot<T, Row> + (Row == 0 ? wide_rows<T> - 1 : 1);

template <class T, std::size_t Row> void fill_row(void* object, void** out, bool to_read_into) {
    auto& o = *static_cast<wide_object*>(object);
    auto& value = *static_cast<T*>(o.value);
    out[0] = &value;
    field_addresses(value, out + 1);
    auto** next = out + 1 + field_count<T>;
    [&]<class... F, std::size_t... I>(type_list<F...>, std::index_sequence<I...>) {
        (..., [&] {
            if constexpr (is_in_row<T, Row>(I)) fill_below<F, options_of<T>[I].how>(out[I + 1], next, to_read_into);
        }());
    }(field_types<T>{}, std::make_index_sequence<field_count<T>>{});
    if constexpr (Row == 0)
        for (std::size_t i = 1; i < wide_rows<T>; ++i) out[stamp_slot<T, 0> + i - 1] = &o.stamps->in_head[i];
    else
        out[stamp_slot<T, Row>] = &o.stamps->in_rows[Row];
}

// ---- columns --------------------------------------------------------------------------------------------------------

template <class T, std::size_t Row> constexpr void add_row_columns(column_writer& to) {
    auto const add_stamp = [&](std::size_t number, std::size_t slot) {
        to.add({nullptr, stamp_names[number].view()}, value_ops_of<std::optional<std::string>>, slot, false, true);
    };
    to.field = no_field;
    if constexpr (Row == 0)
        for (std::size_t i = 1; i < wide_rows<T>; ++i) add_stamp(i, stamp_slot<T, 0> + i - 1);
    else
        add_stamp(Row, stamp_slot<T, Row>);
    constexpr auto const& uses = key_uses_of<T, false>;
    [&]<class... F, std::size_t... I>(type_list<F...>, std::index_sequence<I...>) {
        auto below = 1 + field_count<T>;
        (..., [&] {
            if constexpr (is_in_row<T, Row>(I)) {
                to.field = static_cast<std::uint16_t>(I);
                add_field<F, options_of<T>[I].how, uses[I], options_of<T>[I].blind_index>(
                    to, {nullptr, options_of<T>[I].name}, options_of<T>[I].required, 1 + I, below);
            }
        }());
    }(field_types<T>{}, std::make_index_sequence<field_count<T>>{});
}

template <class T, std::size_t Row> constexpr column_counts count_row_columns() {
    column_writer counting;
    add_row_columns<T, Row>(counting);
    return counting.count;
}
template <class T, std::size_t Row> inline constexpr column_counts row_column_counts = count_row_columns<T, Row>();

template <class T, std::size_t Row> constexpr auto make_row_columns() {
    column_table<row_column_counts<T, Row>> table;
    column_writer to{.columns = table.columns.data(),
                     .text = table.text.data(),
                     .maps = table.maps.data(),
                     .groups = table.groups.data()};
    add_row_columns<T, Row>(to);
    return table;
}
template <class T, std::size_t Row> inline constexpr auto row_columns = make_row_columns<T, Row>();

template <class T, std::size_t Row> constexpr row_type make_wide_row() {
    row_type t{.columns = row_columns<T, Row>.columns,
               .text = row_columns<T, Row>.text.data(),
               .maps = row_columns<T, Row>.maps,
               .groups = row_columns<T, Row>.groups,
               .slots = row_slots<T, Row>,
               .extras_slot = 0,
               .extras_field = no_field,
               .sealed = row_column_counts<T, Row>.sealed > 0,
               .unknown = unknown_columns_of<T>(),
               .discriminator = {},
               .row_prefix = leading_text<mapping<T>::row_key>,
               .index_prefixes = {},
               .version = 1,
               .upgrades = {},
               .fill = &fill_row<T, Row>};
    // The keys of further rows are the head's, and are read there.
    if (Row == 0) {
        t.partition_parts = mapping<T>::partition_key.layouts;
        t.row_parts = mapping<T>::row_key.layouts;
        t.key_fields = key_fields_of<T>;
    }
    return t;
}
template <class T, std::size_t Row> inline constexpr row_type wide_row_of = make_wide_row<T, Row>();

template <class T, std::size_t... Row> constexpr auto list_wide_rows(std::index_sequence<Row...>) {
    return std::array<row_type const*, sizeof...(Row)>{&wide_row_of<T, Row>...};
}
template <class T> inline constexpr auto wide_rows_of = list_wide_rows<T>(std::make_index_sequence<wide_rows<T>>{});

template <class T> wide_type wide_type_of() noexcept {
    return {wide_rows_of<T>, static_list<std::uint16_t>{wide_begins<T>.data(), wide_rows<T>}};
}

// ---- rules ----------------------------------------------------------------------------------------------------------

template <class T, auto Member> constexpr bool check_row_beginning() {
    constexpr bool own = is_member_of<Member, T>;
    static_assert(own, "tablemap[P11]: next_row_at<...> names members of the wide struct itself, and none of a nested "
                       "one");
    return own;
}

template <class T, auto... Members> constexpr bool check_beginnings(row_beginnings<Members...>) {
    static_assert(sizeof...(Members) > 0,
                  "tablemap[P11]: next_row_at<...> names at least one member, at which the second row begins; a struct "
                  "of one row needs no wide_table");
    static_assert(sizeof...(Members) <= most_further_rows,
                  "tablemap[P11]: a wide entity has at most 100 rows, as many as one transaction writes");
    if constexpr (sizeof...(Members) > 0 && sizeof...(Members) <= most_further_rows &&
                  (check_row_beginning<T, Members>() && ...)) {
        constexpr auto begins = list_begins<T>(row_beginnings<Members...>{});
        constexpr bool sorted = [](auto const& all) {
            for (std::size_t i = 1; i + 1 < all.size(); ++i)
                if (all[i] <= all[i - 1]) return false;
            return true;
        }(begins);
        static_assert(sorted,
                      "tablemap[P11]: next_row_at<...> names members in the order in which the struct declares them, "
                      "each once, and not the first one, which is in the first row anyway");
        return sorted;
    }
    return false;
}

/// A constant of its own for each row: clang bounds the steps of one evaluation.
template <class T, std::size_t Row>
inline constexpr found_name_fault name_fault_of_row = find_name_fault(row_columns<T, Row>);

/// The row is a template argument so that the compiler's "required from" line has its number.
template <class T, std::size_t Row> constexpr bool check_row() {
    constexpr auto const& count = row_column_counts<T, Row>;
    static_assert(count.columns <= limits::properties,
                  "tablemap[P11]: a row of this wide struct has more than 252 properties, its stamps among them; let "
                  "another row begin earlier, with one more member in next_row_at<...>");
    static_assert(
        row_slots<T, Row> < most_slots && field_count<T> <= most_fields,
        "tablemap[P11]: a wide struct has at most 256 members, and in each row 1,023 with those nested in them");
    if constexpr (count.columns <= limits::properties) {
        constexpr auto found = name_fault_of_row<T, Row>;
        if constexpr (found.fault == name_fault::none)
            return true;
        else if constexpr (found.field == no_field)
            return refuse_name<found.fault, added_by_the_mapping_of<T>{}>();
        else
            return refuse_name<found.fault, address_of_field<T, found.field>()>();
    }
    return false;
}

/// The end of a further row's key: two blanks and two digits.
inline constexpr std::size_t further_row_tail = further_row_separator.size() + 2;

constexpr bool fits_tail(char c, std::size_t at) noexcept {
    return at < further_row_separator.size() ? c == ' ' : c >= '0' && c <= '9';
}

constexpr bool can_end_like_further_row(std::span<part_layout const> parts, std::size_t rest);

constexpr bool fits_literal(std::string_view literal, std::span<part_layout const> before, std::size_t rest) {
    auto const size = std::min(rest, literal.size());
    for (std::size_t i = 1; i <= size; ++i)
        if (!fits_tail(literal[literal.size() - i], rest - i)) return false;
    return can_end_like_further_row(before, rest - size);
}

/// For a part of which between so many characters can lie in the tail.
constexpr bool fits_unbroken(std::size_t least, std::size_t most, std::span<part_layout const> before,
                             std::size_t rest) {
    for (auto size = least; size <= std::min(most, rest); ++size)
        if (can_end_like_further_row(before, rest - size)) return true;
    return false;
}

/// True if the text of these parts can end in the first `rest` characters of a further row's tail.
constexpr bool can_end_like_further_row(std::span<part_layout const> parts, std::size_t rest) {
    if (rest == 0 || parts.empty()) return rest == 0;
    auto const& p = parts.back();
    auto const before = parts.first(parts.size() - 1);
    if (p.kind == part_kind::literal) return fits_literal(p.literal, before, rest);
    if (p.terminated || p.form == part_form::units) return false;  // it ends in '!' or '~'
    if (p.kind == part_kind::name || (p.kind == part_kind::text && p.form == part_form::plain)) return true;
    // Of two blanks in a row escaped text holds the second one at most: a digit or letter follows each.
    if (p.form == part_form::escaped) return fits_unbroken(0, rest - 1, before, rest);
    auto const digits = rest - std::min(rest, further_row_separator.size());
    return fits_unbroken(p.width == 0 ? 1 : p.width, p.width == 0 ? digits : std::min(p.width, digits), before, rest);
}

template <class T> constexpr bool check_wide_keys() {
    constexpr bool one_partition = !is_spread_key(mapping<T>::partition_key);
    static_assert(one_partition, "tablemap[P11]: spread<N> chooses one of several partitions; leave it out of the "
                                 "partition key of a wide struct, whose rows live in one");
    constexpr bool apart = has_constant_row_key<T>() || has_row_keys_apart<T>();
    static_assert(
        apart, "tablemap[P11]: the row key of a wide struct ends in a part of any length, so the rows of another "
               "entity could lie among its own (\"a b\" between \"a\" and \"a  01\"); declare that part escaped() or "
               "width(n), or let a literal follow it");
    constexpr bool known = !can_end_like_further_row(mapping<T>::row_key.layouts, further_row_tail);
    static_assert(!apart || known,
                  "tablemap[P11]: the row key of a wide struct can end in two blanks and two digits, which is "
                  "how the keys of further rows end (\"a  01\"); put a literal such as \"_\" before its last "
                  "digits");
    return one_partition && apart && known;
}

template <class T> constexpr bool check_wide_members() {
    constexpr bool plain = !indexed<T> && !has_discriminator<T> && !has_versions<T> && !has_computed_columns<T>;
    static_assert(plain, "tablemap[P11]: a wide struct has no indexes, discriminator, versions or computed properties: "
                         "they would be of one of its rows; keep members to find it by in an entity of its own");
    constexpr bool no_extras = []<class... F>(type_list<F...>) {
        return !(std::same_as<F, extras> || ...);
    }(field_types<T>{});
    static_assert(no_extras,
                  "tablemap[P11]: extras keep the unknown columns of one row, and a wide struct has several; "
                  "use a prefixed() map");
    return plain && no_extras;
}

/// Checks every rule of a wide struct. A static_assert names the broken rule.
template <class T> constexpr bool check_wide() {
    static_assert(mapped<T> && divided_mapping<mapping<T>>,
                  "tablemap[P11]: a wide_table is of a mapped struct that says where its further rows begin: static "
                  "constexpr auto wide = tablemap::next_row_at<&T::second, &T::third>; use table<T> for one row");
    if constexpr (mapped<T> && divided_mapping<mapping<T>>) {
        using beginnings = std::remove_const_t<decltype(mapping<T>::wide)>;
        static_assert(is_row_beginnings<beginnings>,
                      "tablemap[P11]: wide is made by next_row_at<...>: static constexpr auto wide = "
                      "tablemap::next_row_at<&T::second, &T::third>");
        if constexpr (is_row_beginnings<beginnings>) {
            if constexpr (check_mapping<T>()) {
                if constexpr (check_wide_members<T>() && check_wide_keys<T>() && check_beginnings<T>(beginnings{}))
                    return []<std::size_t... Row>(std::index_sequence<Row...>) { return (check_row<T, Row>() && ...); }
                (std::make_index_sequence<wide_rows<T>>{});
            }
        }
    }
    return false;
}

}  // namespace tablemap::detail
