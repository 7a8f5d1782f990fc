// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/mapping/schema.hpp"

#include <optional>
#include <string>
#include <tuple>
#include <utility>

/// From a struct to an encoded entity, in one pass of appends, with every limit checked.
namespace tablemap::detail {

/// Keys and bytes of an entity, as stores take them.
struct encoded_entity {
    std::string partition_key{};
    std::string row_key{};
    std::string body{};
    std::optional<guid> token{};
};

/// What an empty optional means.
enum class empty_members : bool {
    left_out,  ///< no property
    refused,   ///< an error: the write could not remove the property
};

// Append a value after checking it. Returns what is wrong, `nothing_wrong` if it was appended. A plain enum, because an
// empty std::error_code asks the library for its category each time.
inline constexpr library_errc nothing_wrong{};
library_errc append_checked(std::string& out, std::string const& v);
library_errc append_checked(std::string& out, ticks v);
library_errc append_checked(std::string& out, bytes const& v);
template <class V> library_errc append_checked(std::string& out, V const& v) {
    append_value(out, v);
    return nothing_wrong;
}

error property_error(library_errc code, std::string_view member);

/// Appends the operation token if there is one, ends the object, and checks the entity's size.
result<void> finish_entity(encoded_entity& e);

template <class T, std::size_t I>
bool append_property(std::string& out, T const& value, empty_members empty, std::optional<error>& fault) {
    using member = field_type<T, I>;
    auto const& v = get_field<I>(value);
    if constexpr (is_optional<member>) {
        if (!v) {
            if (empty == empty_members::refused)
                fault = property_error(library_errc::merge_cannot_remove, field_name<T, I>);
            return !fault;
        }
    }
    out += property_text<T, I>;
    auto code = nothing_wrong;
    if constexpr (is_optional<member>)
        code = append_checked(out, *v);
    else
        code = append_checked(out, v);
    if (code != nothing_wrong) [[unlikely]]
        fault = property_error(code, field_name<T, I>);
    return code == nothing_wrong;
}

/// Makes both keys of a value. Errors: as `make_key`.
template <class T> result<void> encode_keys(T const& value, std::string& partition_key, std::string& row_key) {
    auto const get = [&]<auto M>(member_part<M> const&)->auto const& { return value.*M; };
    if (auto r = make_key(partition_key, mapping<T>::partition_key, get); !r) return r;
    return make_key(row_key, mapping<T>::row_key, get);
}

/// Encodes the fields `I...` of a value behind its keys. `out.token` goes in as well.
template <class T, std::size_t... I>
result<void> encode_fields(T const& value, encoded_entity& out, empty_members empty, std::index_sequence<I...>) {
    if (auto r = encode_keys(value, out.partition_key, out.row_key); !r) return r;
    out.body.clear();
    begin_entity(out.body, out.partition_key, out.row_key);
    std::optional<error> fault;
    auto append = [&]<std::size_t N>(std::integral_constant<std::size_t, N>) {
        if constexpr (is_in_key<T, N>)
            return true;
        else
            return append_property<T, N>(out.body, value, empty, fault);
    };
    if (!(append(std::integral_constant<std::size_t, I>{}) && ...)) return failure{std::move(*fault)};
    return finish_entity(out);
}

/// Encodes a whole value.
///
/// Errors: as `make_key`; `library_errc::invalid_text`, `value_out_of_range`, `value_too_large`, `merge_cannot_remove` with
/// the member; `entity_too_large`.
template <class T>
result<void> encode(T const& value, encoded_entity& out, empty_members empty = empty_members::left_out) {
    return encode_fields(value, out, empty, std::make_index_sequence<field_count<T>>{});
}

template <class T, auto Member> constexpr bool check_chosen_member() {
    constexpr bool own = std::same_as<member_owner<Member>, T>;
    static_assert(own, "tablemap[W2]: only<...> names members of the entity's own struct");
    if constexpr (own) {
        constexpr bool in_key = is_in_key<T, member_index<Member, T>>;
        static_assert(
            !in_key,
            "tablemap[W2]: a member that is part of the key cannot be merged: another key is another entity; insert "
            "that one and erase this");
        return !in_key;
    }
    return false;
}

/// Encodes chosen members of a value. Errors: as `encode`.
template <class T, auto... Members>
result<void> encode(T const& value, encoded_entity& out, only_t<Members...>, empty_members empty) {
    static_assert(sizeof...(Members) > 0, "tablemap[W2]: only<...> names at least one member");
    if constexpr ((check_chosen_member<T, Members>() && ...))
        return encode_fields(value, out, empty, std::index_sequence<member_index<Members, T>...>{});
}

}  // namespace tablemap::detail
