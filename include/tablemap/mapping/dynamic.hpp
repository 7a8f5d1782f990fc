// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/entity_type.hpp"
#include "tablemap/mapping/changes.hpp"
#include "tablemap/mapping/key_of.hpp"

#include <initializer_list>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

/// Entities without a C++ type: `table<dynamic_entity>` reads rows of any type, and writes them or single properties of
/// them.
namespace tablemap::inline v0_1 {

/// The key of a dynamic entity: both keys as they are stored.
template <> class key_of<dynamic_entity> {
public:
    using values_type = std::tuple<std::string, std::string>;

    key_of(std::string partition_key, std::string row_key)
        : partition_key_(std::move(partition_key)), row_key_(std::move(row_key)) {}

    std::string const& partition_key() const& noexcept { return partition_key_; }
    std::string partition_key() const&& { return partition_key_; }
    std::string const& row_key() const& noexcept { return row_key_; }
    std::string row_key() const&& { return row_key_; }

    friend bool operator==(key_of const&, key_of const&) = default;

private:
    std::string partition_key_, row_key_;
};

/// Chosen properties of a dynamic entity for a merge: `table.merge(e, only_properties{"Age"})`.
struct only_properties {
    only_properties(std::initializer_list<std::string_view> list);

    std::vector<std::string> names;
};

/// The columns of a value with both keys, as a store would hold them; encrypted ones are decrypted and marked.
///
/// \return the entity, or an error as for writing the value
template <class T> detail::late_result<T, dynamic_entity> to_dynamic(T const& value);

/// A value of a mapped type, or a std::variant of several, from the columns of a row; for resolvers that know the type.
/// Encrypted members take marked properties.
///
/// \return the value, or an error as for reading it
template <class T> result<T> from_dynamic(dynamic_entity const& row);

namespace detail {

result<void> encode_keys(dynamic_entity const& value, std::string& partition_key, std::string& row_key);
result<void> encode_keys(key_of<dynamic_entity> const& key, std::string& partition_key, std::string& row_key);

/// Encodes an entity.
///
/// \return nothing, or an error as `check_key` and `check_property_name`; `library_errc::invalid_text`,
/// `value_out_of_range`, `value_too_large` with the property; `too_many_properties`, `entity_too_large`
result<void> encode(dynamic_entity const& value, encoded_entity& out, empty_members = empty_members::left_out,
                    property_cipher const* cipher = nullptr);

/// Encodes chosen properties.
///
/// \return nothing, or an error as above; `library_errc::invalid_property_name` for a property that the entity does not
/// have
result<void> encode(dynamic_entity const& value, encoded_entity& out, only_properties const& chosen,
                    property_cipher const* cipher = nullptr);

/// Encodes an entity with the places of its properties.
///
/// \return nothing, or an error as `encode`, without those of the whole entity
result<void> encode_state(dynamic_entity const& value, encoded_state& out, faulty_properties faulty,
                          property_cipher const* cipher = nullptr);

/// Decodes rows of any type.
///
/// \return error `library_errc::malformed_response`, `type_mismatch`; with a cipher, every encrypted value that cannot
/// be decrypted
result<void> decode_into(std::string& json, entity<dynamic_entity>& out, property_cipher const* cipher = nullptr);
result<std::size_t> decode_page(std::string& json, std::vector<entity<dynamic_entity>>& out,
                                std::vector<bad_row_at>& bad, bool partial = false,
                                property_cipher const* cipher = nullptr, page_bounds const& bounds = {});

/// Like `encode`, for rows that others wrote: only marked properties are encrypted.
result<void> encode_kept(dynamic_entity const& value, encoded_entity& out, property_cipher const* cipher);

/// The names of a type's blind indexes.
std::vector<std::string> blind_indexes_of(row_type const& type);

/// Adds to a row the blind indexes of the encrypted properties that were decrypted, and removes those of other
/// properties; it keeps those of values that could not be decrypted.
///
/// \return nothing, or an error of the keys; `library_errc::no_encryption_key` without a cipher
result<void> set_blind_indexes(row_type const& type, dynamic_entity& row, property_cipher const* cipher);

/// The body of a row that a typed entity can be decoded from.
std::string body_of(dynamic_entity const& row);

/// The properties of a state, decrypted.
///
/// \return the entity, or an error as `finish_entity`
result<dynamic_entity> read_state(encoded_state const& state);

}  // namespace detail

template <class T> detail::late_result<T, dynamic_entity> to_dynamic(T const& value) {
    detail::encoded_state s;
    // Not qualified, so that the overload for std::variant is found wherever it is declared.
    if (auto r = encode_state(value, s, detail::faulty_properties::refused); !r) return failure{std::move(r).error()};
    return detail::read_state(s);
}

template <class T> result<T> from_dynamic(dynamic_entity const& row) {
    static_assert(detail::check_entity_type<T>());
    if constexpr (std::is_same_v<T, dynamic_entity>) {
        return row;
    } else {
        auto body = detail::body_of(row);
        entity<T> e;
        if (auto r = detail::decode_known(body, e, row); !r) return failure{std::move(r).error()};
        return std::move(e.value);
    }
}

namespace detail {
template <class T> result<void> check_row(dynamic_entity const& row) {
    auto const r = from_dynamic<T>(row);
    if (!r) return failure{r.error()};
    return {};
}
}  // namespace detail

}  // namespace tablemap
