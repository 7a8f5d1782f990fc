// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/mapping/variant.hpp"

#include <cstddef>
#include <string_view>

/// The rules of types whose rows are read together from one partition.
namespace tablemap::inline v0_1::detail {

template <class... Parts> constexpr bool is_constant_key(key_template<Parts...> const&) {
    return (is_literal_part<Parts> && ...);
}

/// True if a partition has at most one row of T.
template <class T> constexpr bool has_constant_row_key() { return is_constant_key(mapping<T>::row_key); }

template <class... Parts> constexpr bool is_spread_key(key_template<Parts...> const&) {
    return (is_spread_part<Parts> || ...);
}

/// True if every row key of Child begins with a row key of Parent and is longer.
template <class Parent, class Child> constexpr bool continues_row_key() {
    auto const& a = mapping<Parent>::row_key.layouts;
    auto const& b = mapping<Child>::row_key.layouts;
    if (b.size() <= a.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!look_alike(a[i], b[i])) return false;
    return true;
}

/// The last part of a row key that is not empty.
template <class T> constexpr part_layout last_part() {
    auto const& layouts = mapping<T>::row_key.layouts;
    auto at = layouts.size() - 1;
    while (at > 0 && layouts[at].kind == part_kind::literal && layouts[at].width == 0) --at;
    return layouts[at];
}

/// Escaped text marks its end once something follows it, with a text that sorts before all its possible continuations.
template <class T> constexpr bool ends_in_escaped_text() { return last_part<T>().form == part_form::escaped; }

/// True if no row key begins with another one of the type, so that all keys that continue one lie together.
template <class T> constexpr bool has_row_keys_apart() {
    constexpr auto last = last_part<T>();
    return last.kind == part_kind::literal || ends_itself(last) || ends_in_escaped_text<T>();
}

/// Gives the compiler's "required from" line the types' names.
template <class Parent, class Child> constexpr bool check_child() {
    constexpr bool together = have_one_partition_key<Parent, Child>();
    static_assert(together,
                  "tablemap[P15]: parent and child have different partition keys, so no one partition holds a family; "
                  "give both the same parts, or join two tables in the client: join(...)");
    constexpr bool continued = has_constant_row_key<Parent>() || continues_row_key<Parent, Child>();
    static_assert(!together || continued,
                  "tablemap[P7]: the child's row key does not begin with the parent's, so the rows of a family do not "
                  "lie together; begin it with the same literals and parts and let something follow, or give the "
                  "parent a constant row key, one parent for each partition");
    return together && continued;
}

template <class Parent, class... Children> constexpr bool check_relation() {
    static_assert(sizeof...(Children) > 0,
                  "tablemap[P15]: a relation is of a parent and at least one type of children");
    if constexpr ((check_mapping<Parent>() && ... && check_mapping<Children>())) {
        constexpr bool one_partition = !is_spread_key(mapping<Parent>::partition_key);
        static_assert(one_partition,
                      "tablemap[P15]: spread<N> chooses one of several partitions, and a family lives in one; leave it "
                      "out of the partition keys of parent and children");
        constexpr bool apart = has_constant_row_key<Parent>() || has_row_keys_apart<Parent>();
        static_assert(apart,
                      "tablemap[P7]: the parent's row key ends in a part of any length, so rows of other parents could "
                      "lie among its children (\"a b\" between \"a\" and \"a_1\"); declare that part escaped() or "
                      "width(n), or let a literal follow it");
        return (check_child<Parent, Children>() && ...) && one_partition && apart;
    }
    return false;
}

}  // namespace tablemap::detail
