// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/chosen_columns.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Encoding of a struct in one pass of appends, with all limits checked.
namespace tablemap::inline v0_1::detail {

/// Keys and bytes of an entity in the form that stores take.
struct encoded_entity {
    std::string partition_key{};
    std::string row_key{};
    std::string body{};
    std::optional<guid> operation_id{};
    std::size_t properties_at = 0;  ///< as in `write_operation`
};

/// The encoding of an empty optional.
enum class empty_members : bool {
    left_out,  ///< no property
    refused,   ///< an error: the write could not remove the property
};

class property_cipher;

/// The place of a property in the body of an encoded entity, with the comma before it.
struct property_place {
    std::uint32_t begin{};
    std::uint32_t value{};
    std::uint32_t end{};
    edm_type type{};
    sealing how{};
    bool added{};  ///< the mapping adds it: no member holds it
};

/// An entity without its end, so that properties can be separated, left out and added. The values of properties that
/// are written encrypted are plain bytes here, since two encryptions of one value differ.
struct encoded_state {
    encoded_entity entity{};
    std::vector<property_place> places{};
};

/// The treatment of a property that cannot be encoded.
enum class faulty_properties : bool {
    refused,
    left_blank,  ///< its place holds a name and no value, and so differs from all others
};

error property_error(value_fault const& fault, std::string_view property);

/// Ends an entity of this many properties, with the operation id if there is one, and checks its size. Errors:
/// `library_errc::too_many_properties`, `entity_too_large`.
result<void> finish_entity(encoded_entity& e, std::size_t properties);

/// Encodes the columns of an object behind its keys, which `out` holds: all, or the chosen ones and those that the
/// mapping adds. Empty elements of a series are left out unless they were chosen one by one. `out.operation_id` is
/// written as well. Errors: as `encode`.
result<void> encode_columns(row_type const& type, void const* object, encoded_entity& out, empty_members empty,
                            chosen_columns const* chosen, property_cipher const* cipher);

/// Makes both keys of an object, and encodes its columns behind them as `encode_columns` does. Errors: as `encode`.
result<void> encode_entity(row_type const& type, void const* object, encoded_entity& out, empty_members empty,
                           chosen_columns const* chosen, property_cipher const* cipher);

/// Makes both keys of an object, and encodes all its columns behind them; empty ones have no place. Errors: as
/// `encode`, without those of the whole entity.
result<void> encode_entity_state(row_type const& type, void const* object, encoded_state& out, faulty_properties faulty,
                                 property_cipher const* cipher);

/// Encodes all columns of an object behind its keys, which `out` holds. Errors: as `encode_entity_state`.
result<void> encode_columns_state(row_type const& type, void const* object, encoded_state& out,
                                  faulty_properties faulty, property_cipher const* cipher);

/// Makes both keys of a value. Errors: as `make_key`.
template <class T> result<void> encode_keys(T const& value, std::string& partition_key, std::string& row_key) {
    return encode_keys(row_type_of<T>, &value, partition_key, row_key);
}

/// Encodes a whole value.
///
/// Errors: as `make_key`; `library_errc::invalid_text`, `value_out_of_range`, `value_too_large`, `merge_cannot_remove`,
/// `invalid_property_name`, or what a converter refused, with the property; `entity_too_large`, `too_many_properties`;
/// `no_encryption_key` for an encrypted member without a cipher, and those of the cipher.
template <class T>
result<void> encode(T const& value, encoded_entity& out, empty_members empty = empty_members::left_out,
                    property_cipher const* cipher = nullptr) {
    return encode_entity(row_type_of<T>, &value, out, empty, nullptr, cipher);
}

/// Encodes a whole value with the places of its properties. Errors: as `encode_entity_state`.
template <class T>
result<void> encode_state(T const& value, encoded_state& out, faulty_properties faulty,
                          property_cipher const* cipher = nullptr) {
    return encode_entity_state(row_type_of<T>, &value, out, faulty, cipher);
}

template <class T, auto Member> constexpr bool check_chosen_member() {
    constexpr bool own = is_member_of<Member, T>;
    static_assert(own, "tablemap[W2]: only<...> names members of the entity's own struct");
    if constexpr (own) {
        constexpr auto field = member_index<Member, T>;
        constexpr bool in_key = list_key_uses<T, false>()[field] != key_use::none;
        constexpr bool ignored = options_of<T>[field].how == storage::ignored;
        static_assert(
            !in_key,
            "tablemap[W2]: a member that is part of the key cannot be merged: another key is another entity; insert "
            "that one and erase this");
        static_assert(!ignored, "tablemap[W2]: this member is ignored(), so there is nothing of it to merge");
        return !in_key && !ignored;
    }
    return false;
}

template <class T, auto... Members> constexpr bool check_chosen() {
    static_assert(sizeof...(Members) > 0, "tablemap[W2]: only<...> names at least one member");
    return (check_chosen_member<T, Members>() && ...);
}

template <auto... Members> struct chooser<only_t<Members...>> {
    template <class T> static constexpr bool check() { return check_chosen<T, Members...>(); }
    template <class T> static result<void> choose(only_t<Members...>, chosen_columns& to) {
        (..., to.fields.set(member_index<Members, T>));
        return {};
    }
};

/// Encodes the chosen members of a value, and the properties that the mapping adds. Errors: as `encode`,
/// `choose_elements`.
template <class T, choosing::choice Choice>
result<void> encode(T const& value, encoded_entity& out, Choice const& choice, empty_members empty,
                    property_cipher const* cipher = nullptr) {
    if constexpr (chooser<Choice>::template check<T>()) {
        chosen_columns chosen;
        if (auto r = chooser<Choice>::template choose<T>(choice, chosen); !r) return r;
        return encode_entity(row_type_of<T>, &value, out, empty, &chosen, cipher);
    }
}

}  // namespace tablemap::detail
