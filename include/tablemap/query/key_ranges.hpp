// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/mapping/variant.hpp"
#include "tablemap/query/row_selection.hpp"
#include "tablemap/store/request.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1 {

/// One partition by the values of its key's members. Made by `partition(…)`.
template <class... Values> struct partition_values { std::tuple<Values...> values; };

/// The partition that a query reads: one value for each member of the partition key, none for a constant key. A member
/// that only chooses a bucket (`spread<N>`) has no value here: all its buckets are read.
template <class... Values> auto partition(Values&&... values) {
    return partition_values<std::decay_t<Values>...>{{std::forward<Values>(values)...}};
}

namespace detail {

// ---- keys of a table's types ---------------------------------------------------------------------------------------

/// The keys that queries of T use.
template <class T> struct query_mapping {
    static constexpr auto const& partition_key = mapping<T>::partition_key;
    static constexpr auto const& row_key = mapping<T>::row_key;
};

/// Both keys as they are stored.
template <> struct query_mapping<dynamic_entity> {
    static constexpr auto partition_key = key(part<&dynamic_entity::partition_key>.may_be_empty());
    static constexpr auto row_key = key(part<&dynamic_entity::row_key>.may_be_empty());
};

/// The partition key that all types share, and row keys as they are stored.
template <class First, class... Rest> struct query_mapping<std::variant<First, Rest...>> {
    static_assert(
        (have_one_partition_key<First, Rest>() && ...),
        "tablemap[M10]: the types of this variant have different partition keys, so no one partition holds them; "
        "query each type for itself, or give them the same parts");
    static constexpr auto const& partition_key = mapping<First>::partition_key;
    static constexpr auto const& row_key = query_mapping<dynamic_entity>::row_key;
};

/// Keys that a query's bounds point into.
struct query_keys {
    std::vector<std::string>
        partitions{};  ///< none: all; several: those of a list, or the buckets that rows are spread over
    key_range rows{};
    bool merged_by_row_key = true;  ///< several partitions appear as one
    bool nothing = false;           ///< the list of partitions is empty: no row is read

    key_bounds partition_bounds(std::size_t at = 0) const noexcept;
    key_bounds row_bounds() const noexcept;
};

template <class P> inline constexpr bool is_partition = false;
template <class... Values> inline constexpr bool is_partition<partition_values<Values...>> = true;
template <class P> inline constexpr bool is_partition<std::vector<P>> = is_partition<P>;

/// Refuses arguments that name no partition, such as a condition: the query would read the whole table.
template <class P> constexpr bool check_partitions() {
    static_assert(
        is_partition<P>,
        "tablemap[Q1]: a query names its partition first, query(partition(...)).where(...); a condition alone would "
        "read the whole table, which must be asked for: scan(condition)");
    return is_partition<P>;
}

// ---- partitions -----------------------------------------------------------------------------------------------------

/// True if a part's bucket is chosen by a value that `Given` lacks.
template <class Part, class Given> constexpr bool is_free_spread() {
    if constexpr (is_spread_part<Part>)
        return !is_listed<source_part<Part>::member, Given>;
    else
        return false;
}

/// The place of the first part whose bucket no given value chooses; the number of parts if there is none.
template <class Given, class... Parts> constexpr std::size_t find_free_spread(key_template<Parts...> const&) {
    std::size_t at = 0;
    static_cast<void>(((is_free_spread<Parts, Given>() ? true : (++at, false)) || ...));
    return at;
}

template <class Given, class... Parts> constexpr std::size_t count_free_spreads(key_template<Parts...> const&) {
    return (0 + ... + (is_free_spread<Parts, Given>() ? 1 : 0));
}

/// The address of a part's value in a tuple of the values of `Given`; null where the part's member is not among them.
template <class Given, class Part, class Values> void const* given_value(Values const& values) {
    if constexpr (!is_literal_part<Part>) {
        constexpr auto at = position_in<source_part<Part>::member>(Given{});
        if constexpr (at < std::tuple_size_v<Values>) return std::addressof(std::get<at>(values));
    }
    return nullptr;
}

template <class Given, class... Parts, class Values>
std::array<void const*, sizeof...(Parts)> given_values(key_template<Parts...> const&, Values const& values) {
    return {given_value<Given, Parts>(values)...};
}

/// Makes the partition keys of a query's values.
///
/// \return nothing, or an error as `make_key`
template <class T, class... Values>
result<void> encode_partition(query_keys& out, partition_values<Values...> const& p) {
    static constexpr auto const& key = query_mapping<T>::partition_key;
    using members = given_members_of<key>;
    using tuple = typename member_values<members>::type;
    static_assert(count_free_spreads<members>(key) <= 1,
                  "tablemap[K6]: a partition key can be spread by one member only; leave out the other spread<N>");
    if constexpr (check_key_arguments<tuple, Values const&...>()) {
        auto const typed = std::apply([](auto const&... v) { return tuple{v...}; }, p.values);
        auto const values = given_values<members>(key, typed);
        return make_partition_keys(out.partitions, key.layouts, values.data(), find_free_spread<members>(key));
    } else {
        return {};
    }
}

// ---- rows -----------------------------------------------------------------------------------------------------------

/// True if a part's text needs a value that is not among the first `Leading` of `Members`.
template <std::size_t Leading, class Members, class Part> constexpr bool lacks_value() {
    if constexpr (is_literal_part<Part>)
        return false;
    else
        return position_in<source_part<Part>::member>(Members{}) >= Leading;
}

template <std::size_t Leading, class Members, class... Parts>
constexpr std::size_t find_part_without_value(key_template<Parts...> const&) {
    std::size_t at = 0;
    static_cast<void>(((lacks_value<Leading, Members, Parts>() ? true : (++at, false)) || ...));
    return at;
}

/// True if a value is given for a part behind a bucket that no value chooses.
template <std::size_t Leading, class Members, class... Parts>
constexpr bool passes_over_bucket(key_template<Parts...> const&) {
    bool bucket = false, passes = false;
    static_cast<void>(((lacks_value<Leading, Members, Parts>() ? bucket |= is_spread_part<Parts>
                                                               : passes |= bucket && !is_literal_part<Parts>),
                       ...));
    return passes;
}

template <bool BehindBucket> constexpr bool check_bucket() {
    static_assert(!BehindBucket,
                  "tablemap[K6]: rows are spread over buckets before this place of the row key, so no one range holds "
                  "them; put spread<N> into the partition key, or give its member's value first");
    return !BehindBucket;
}

/// Puts the member's name into the compiler's "required from" line.
template <auto Member, selection_kind Kind, bool Sorts, bool IsText, bool IsLast, bool Unsorted>
constexpr bool check_selected_part() {
    if constexpr (Kind == selection_kind::prefix) {
        static_assert(IsText,
                      "tablemap[K7]: only text begins with text; give this member a whole value, leading(...), or a "
                      "range of values");
        return IsText;
    } else if constexpr (Unsorted) {
        static_assert(
            !Unsorted,
            "tablemap[K7]: the converter of this part's type does not keep the order of values, so a range of "
            "it means nothing; if what it stores sorts as its values do, add static constexpr bool "
            "keeps_order = true to it");
        return false;
    } else {
        static_assert(Sorts || IsText,
                      "tablemap[K7]: this part does not sort in keys as its values do (10 before 9), so a range of it "
                      "means nothing; declare part<...>.width(n) or ordered()");
        static_assert(Sorts || !IsText || IsLast,
                      "tablemap[K7]: text that other parts follow does not sort by its value in keys (\"a_1\" and "
                      "\"ab_1\" stand the other way round than \"a\" and \"ab\"), so a range of it means nothing; "
                      "put the text last, or declare it escaped()");
        return Sorts;
    }
}

template <auto const& Key, std::size_t At, selection_kind Kind> constexpr bool check_selected_part() {
    using part_type = part_at<Key, At>;
    if constexpr (check_bucket<is_spread_part<part_type>>()) {
        constexpr auto const& layout = Key.layouts[At];
        constexpr bool last = At + 1 == Key.layouts.size();
        constexpr bool text = layout.kind == part_kind::text && layout.form != part_form::hashed;
        return check_selected_part<source_part<part_type>::member, Kind, sorts_by_value(layout, last), text, last,
                                   layout.unsorted>();
    } else {
        return false;
    }
}

/// The type of the beginning of a member's text in keys; the member's own if that has another form.
template <class V> using beginning_type = std::conditional_t<std::same_as<key_form_of<V>, std::string>, std::string, V>;

/// The type of value `I` of a selection: both bounds are values of one member.
template <class Selection, std::size_t I, class Tuple> struct type_selected {
    using type = std::tuple_element_t<(I < Selection::leading ? I : Selection::leading), Tuple>;
};
template <class Selection, std::size_t I, class Tuple>
requires(Selection::kind == selection_kind::prefix &&
         I == Selection::leading) struct type_selected<Selection, I, Tuple> {
    using type = beginning_type<std::tuple_element_t<I, Tuple>>;
};
template <class Selection, std::size_t I, class Tuple>
using selected_type = typename type_selected<Selection, I, Tuple>::type;

template <class T, row_selection Selection, std::size_t... I>
result<void> encode_selected(query_keys& out, Selection const& s, std::index_sequence<I...>) {
    static constexpr auto const& key = query_mapping<T>::row_key;
    using members = given_members_of<key>;
    using tuple = typename member_values<members>::type;
    if constexpr ((check_key_argument<selected_type<Selection, I, tuple>,
                                      typename Selection::template value<I> const&>() &&
                   ...)) {
        if constexpr (!check_bucket<passes_over_bucket<Selection::leading, members>(key)>()) return {};
        std::tuple<selected_type<Selection, I, tuple>...> const typed{
            selected_type<Selection, I, tuple>{std::get<I>(s.values)}...};
        constexpr auto at = find_part_without_value<Selection::leading, members>(key);
        auto const values = given_values<members>(key, first_of<Selection::leading>(typed));
        part_bounds bounds;
        if constexpr (Selection::kind != selection_kind::whole) {
            if constexpr (!check_selected_part<key, at, Selection::kind>()) return {};
            bounds.low = std::addressof(std::get<Selection::leading>(typed));
            bounds.high = std::addressof(std::get<Selection::size - 1>(typed));
        }
        return make_key_range(out.rows, key.layouts, values.data(), at, Selection::kind, bounds);
    }
    return {};
}

/// Makes a selection's range of row keys.
///
/// \return nothing, or an error as `make_key`
template <class T, row_selection Selection> result<void> encode_rows(query_keys& out, Selection const& s) {
    constexpr bool whole = Selection::kind == selection_kind::whole;
    constexpr auto members = given_members_of<query_mapping<T>::row_key>::size;
    static_assert(whole || members > 0, "tablemap[K7]: this row key is constant, so it has no range");
    constexpr bool fits = Selection::leading + (whole ? 0 : 1) <= members;
    static_assert(fits || (members == 0 && !whole),
                  "tablemap[K7]: more values than the row key has members; pass those of its leading members, in the "
                  "order in which they stand there");
    if constexpr (fits)
        return encode_selected<T>(out, s, std::make_index_sequence<Selection::size>{});
    else
        return {};
}

}  // namespace detail
}  // namespace tablemap
