// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/json_arrays.hpp"
#include "tablemap/detail/mapping/json_check.hpp"
#include "tablemap/detail/mapping/json_io.hpp"
#include "tablemap/detail/mapping/json_variant.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

/// Members as JSON text in one Edm.String.
///
/// bool, integers and double are JSON's; ticks are the service's text, guid 36 characters, bytes padded base64; an
/// empty std::optional is null; enums are text or numbers as `tablemap::enumeration` says; a type with a converter is
/// in its converter's stored form; a json_document is embedded unchanged; vectors, arrays, tuples, pairs, sets and
/// series are arrays, maps and structs objects. An absent element of a series is null. A variant is the JSON of the
/// alternative that it holds, and std::monostate is null.
///
/// A struct's names are those of its members in the source: `mapping<V>` has no effect here. When read, names that the
/// struct does not have are skipped, an absent name leaves an optional empty and any other member at its default, and
/// an array or a tuple must have its exact number of elements, and a set no element twice.
namespace tablemap::inline v0_1::detail {

template <class V> bool write_json_value(json_output& out, void const* from);
template <class V> bool read_json_value(json_input& in, json_value const& from, void* to);

template <class V, class... Types> constexpr auto make_json_fields(type_list<Types...>) {
    std::array<json_field, sizeof...(Types)> fields{
        json_field{{}, write_json_value<Types>, read_json_value<Types>, is_json_optional<Types>}...};
    for (std::size_t i = 0; i < fields.size(); ++i) fields[i].name = field_names<V>[i];
    return fields;
}

template <class V> inline constexpr auto json_fields = make_json_fields<V>(field_types<V>{});

template <class Sequence> bool write_json_elements(json_output& out, Sequence const& v) {
    if (!out.open('[')) return false;
    for (std::size_t i = 0; i < v.size(); ++i) {
        out.separate(i == 0);
        typename Sequence::value_type const& element = v[i];  // of a vector<bool>: a copy
        if (!write_json_value<typename Sequence::value_type>(out, &element)) return out.in_element(i);
    }
    return out.close(']');
}

template <class Map> bool write_json_entries(json_output& out, Map const& v) {
    if (!out.open('{')) return false;
    bool first = true;
    for (auto const& [name, value] : v) {
        out.separate(std::exchange(first, false));
        if (!out.key(name) || !write_json_value<typename Map::mapped_type>(out, &value)) return out.in_entry();
    }
    return out.close('}');
}

template <class V> bool write_json_value(json_output& out, void const* from) {
    constexpr auto shape = json_shape_of<V>;
    V const& v = *static_cast<V const*>(from);
    if constexpr (shape == json_shape::scalar || shape == json_shape::document) {
        return out.put(v);
    } else if constexpr (shape == json_shape::integer) {
        return out.put(static_cast<std::conditional_t<std::is_signed_v<V>, std::int64_t, std::uint64_t>>(v));
    } else if constexpr (shape == json_shape::converted) {
        auto const stored = convert_to(v);
        return stored ? write_json_value<stored_of<V>>(out, &*stored) : out.fail(stored.error());
    } else if constexpr (shape == json_shape::optional) {
        return v ? write_json_value<json_inner_of<V>>(out, &*v) : out.put_null();
    } else if constexpr (shape == json_shape::named_enum) {
        auto const name = enum_name(v);
        return name.empty() ? fail_unlisted(out) : out.put_name(name);
    } else if constexpr (shape == json_shape::numbered_enum) {
        return is_known_value(v) ? out.put(number_of(v)) : fail_unlisted(out);
    } else if constexpr (shape == json_shape::vector || shape == json_shape::array) {
        return write_json_elements(out, v);
    } else if constexpr (shape == json_shape::series) {
        return write_json_elements(out, series_access::elements(v));
    } else if constexpr (shape == json_shape::map) {
        return write_json_entries(out, v);
    } else if constexpr (shape == json_shape::tuple) {
        return write_json_tuple(out, v);
    } else if constexpr (shape == json_shape::set) {
        return write_json_set(out, v);
    } else if constexpr (shape == json_shape::nothing) {
        return out.put_null();
    } else if constexpr (shape == json_shape::variant) {
        return write_json_variant(out, v);
    } else {
        void const* addresses[field_count<V> + 1];
        field_addresses(v, addresses);
        return write_json_fields(out, json_fields<V>, addresses);
    }
}

template <class V> bool read_json_integer(json_input& in, json_value const& from, V& to) {
    using limits = std::numeric_limits<V>;
    if constexpr (std::is_signed_v<V>) {
        std::int64_t v = 0;
        if (!in.get_signed(from, limits::min(), limits::max(), v)) return false;
        to = static_cast<V>(v);
    } else {
        std::uint64_t v = 0;
        if (!in.get_unsigned(from, limits::max(), v)) return false;
        to = static_cast<V>(v);
    }
    return true;
}

template <class V> bool read_json_converted(json_input& in, json_value const& from, V& to) {
    stored_of<V> stored{};
    if (!read_json_value<stored_of<V>>(in, from, &stored)) return false;
    auto v = convert_from<V>(stored);
    if (!v) return in.fail(v.error());
    to = *std::move(v);
    return true;
}

template <class V> bool read_json_enum(json_input& in, json_value const& from, V& to) {
    std::optional<V> v;
    if constexpr (is_stored_by_name<V>) {
        if (!in.expect(from, json_kind::text)) return false;
        v = enum_of_name<V>(from.text);
    } else {
        if (!in.expect(from, json_kind::integer)) return false;
        v = enum_of_number<V>(from.integer);
    }
    if (!v) return fail_unlisted(in);
    to = *v;
    return true;
}

template <class Vector> bool read_json_vector(json_input& in, json_value const& from, Vector& to) {
    if (!in.expect(from, json_kind::array)) return false;
    to.clear();
    to.reserve(from.items.size());
    for (std::size_t i = 0; i < from.items.size(); ++i) {
        typename Vector::value_type element{};
        if (!read_json_value<typename Vector::value_type>(in, from.items[i], &element)) return in.in_element(i);
        to.push_back(std::move(element));
    }
    return true;
}

template <class Array> bool read_json_array(json_input& in, json_value const& from, Array& to) {
    if (!in.expect_size(from, to.size())) return false;
    for (std::size_t i = 0; i < to.size(); ++i)
        if (!read_json_value<typename Array::value_type>(in, from.items[i], &to[i])) return in.in_element(i);
    return true;
}

template <class Map> bool read_json_map(json_input& in, json_value const& from, Map& to) {
    if (!in.expect(from, json_kind::object)) return false;
    to.clear();
    for (std::size_t i = 0; i < from.items.size(); ++i)
        if (!read_json_value<typename Map::mapped_type>(in, from.items[i], &to[from.names[i]])) return in.in_entry();
    return true;
}

template <class V> bool read_json_value(json_input& in, json_value const& from, void* to) {
    constexpr auto shape = json_shape_of<V>;
    V& v = *static_cast<V*>(to);
    if constexpr (shape == json_shape::scalar || shape == json_shape::document) {
        return in.get(from, v);
    } else if constexpr (shape == json_shape::integer) {
        return read_json_integer(in, from, v);
    } else if constexpr (shape == json_shape::converted) {
        return read_json_converted(in, from, v);
    } else if constexpr (shape == json_shape::optional) {
        v.reset();
        return from.kind == json_kind::null || read_json_value<json_inner_of<V>>(in, from, &v.emplace());
    } else if constexpr (shape == json_shape::named_enum || shape == json_shape::numbered_enum) {
        return read_json_enum(in, from, v);
    } else if constexpr (shape == json_shape::vector) {
        return read_json_vector(in, from, v);
    } else if constexpr (shape == json_shape::array) {
        return read_json_array(in, from, v);
    } else if constexpr (shape == json_shape::series) {
        return read_json_array(in, from, series_access::elements(v));
    } else if constexpr (shape == json_shape::map) {
        return read_json_map(in, from, v);
    } else if constexpr (shape == json_shape::tuple) {
        return read_json_tuple(in, from, v);
    } else if constexpr (shape == json_shape::set) {
        return read_json_set(in, from, v);
    } else if constexpr (shape == json_shape::nothing) {
        return in.expect(from, json_kind::null);
    } else if constexpr (shape == json_shape::variant) {
        return read_json_variant(in, from, v);
    } else {
        void* addresses[field_count<V> + 1];
        field_addresses(v, addresses);
        return read_json_fields(in, from, json_fields<V>, addresses);
    }
}

/// Appends `v` as JSON, without a check of the size. The reason of an error begins with the place in the document, such
/// as `$.lines[2].price`; after an error the appended text is unusable.
///
/// Errors: `library_errc::invalid_text` for text that is not UTF-8; `library_errc::value_out_of_range` for NaN, an
/// infinity, a time outside the years 1 to 9999, an enum's value that is not listed, a variant without a value, or more
/// than 64 levels; a converter's.
template <json_form V> result<void> append_json(std::string& out, V const& v) {
    return append_json(out, write_json_value<V>, &v);
}

/// Reads a tree into `to`, which is unspecified after an error. The reason of an error begins with the place. Errors:
/// `library_errc::type_mismatch`; a converter's.
template <json_form V> result<void> read_json(json_value const& from, V& to) {
    return read_json(from, read_json_value<V>, &to);
}

/// The same from text. Errors: those of `parse_json` as well.
template <json_form V> result<void> read_json(std::string_view text, V& to) {
    return read_json(text, read_json_value<V>, &to);
}

}  // namespace tablemap::detail
