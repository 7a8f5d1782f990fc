// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/json_check.hpp"
#include "tablemap/detail/mapping/json_io.hpp"

#include <cstddef>
#include <tuple>
#include <utility>

/// Tuples, pairs and sets as JSON arrays.
namespace tablemap::inline v0_1::detail {

template <class V> bool write_json_value(json_output& out, void const* from);
template <class V> bool read_json_value(json_input& in, json_value const& from, void* to);

/// Calls `use(std::integral_constant<std::size_t, I>{})` for every element, until one returns false.
template <class Tuple, class Use> bool for_each_element(Use use) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return (use(std::integral_constant<std::size_t, I>{}) && ...);
    }
    (std::make_index_sequence<std::tuple_size_v<Tuple>>{});
}

template <class Tuple> bool write_json_tuple(json_output& out, Tuple const& v) {
    auto const write = [&](auto i) {
        out.separate(i == 0);
        return write_json_value<std::tuple_element_t<i, Tuple>>(out, &std::get<i>(v)) || out.in_element(i);
    };
    return out.open('[') && for_each_element<Tuple>(write) && out.close(']');
}

template <class Tuple> bool read_json_tuple(json_input& in, json_value const& from, Tuple& to) {
    auto const read = [&](auto i) {
        return read_json_value<std::tuple_element_t<i, Tuple>>(in, from.items[i], &std::get<i>(to)) || in.in_element(i);
    };
    return in.expect_size(from, std::tuple_size_v<Tuple>) && for_each_element<Tuple>(read);
}

template <class Set> bool write_json_set(json_output& out, Set const& v) {
    if (!out.open('[')) return false;
    std::size_t i = 0;
    for (auto const& element : v) {
        out.separate(i == 0);
        if (!write_json_value<typename Set::key_type>(out, &element)) return out.in_element(i);
        ++i;
    }
    return out.close(']');
}

template <class Set> bool read_json_set(json_input& in, json_value const& from, Set& to) {
    if (!in.expect(from, json_kind::array)) return false;
    to.clear();
    for (std::size_t i = 0; i < from.items.size(); ++i) {
        typename Set::key_type element{};
        if (!read_json_value<typename Set::key_type>(in, from.items[i], &element)) return in.in_element(i);
        if (!to.insert(std::move(element)).second) return fail_repeated(in) || in.in_element(i);
    }
    return true;
}

}  // namespace tablemap::detail
