// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/encode.hpp"
#include "tablemap/mapping/entity.hpp"

#include <string>
#include <string_view>
#include <vector>

/// Writes of the difference between two states of an entity.
namespace tablemap::inline v0_1 {

/// An earlier state of an entity, which is borrowed. Made by `changed_since`.
template <class T> struct changed_since_t { T const* before; };

/// For a merge of the changes since a copy was made:
/// `auto const before = *found; … table.merge(*found, changed_since(before))`. Takes a value or an entity, copied after
/// the read; it is compared before the call returns. Columns are compared as they would be stored, so members need no
/// `==`.
template <class T> changed_since_t<T> changed_since(T const& before) noexcept { return {&before}; }
template <class T> changed_since_t<T> changed_since(entity<T> const& before) noexcept { return {&before.value}; }

namespace detail {

/// The parts of a property: all of it with the comma before it, its value, its name.
std::string_view text_of(encoded_state const& s, property_place const& p) noexcept;
std::string_view value_of(encoded_state const& s, property_place const& p) noexcept;
std::string_view name_of(encoded_state const& s, property_place const& p) noexcept;

/// The difference between an earlier and a later state.
struct state_difference {
    std::vector<property_place>
        to_merge{};        ///< places in the later one: the properties that differ, and those that the mapping adds
    bool changed = false;  ///< some property is new or differs
    std::string_view removed{};  ///< a property that only the earlier one has; empty if there is none
};
state_difference compare(encoded_state const& before, encoded_state const& after);

bool have_same_keys(encoded_state const& a, encoded_state const& b) noexcept;

/// Appends a property of a state as it is stored.
///
/// \return nothing, or an error as `append_sealed`
result<void> append_place(std::string& out, encoded_state const& from, property_place const& p,
                          property_cipher const* cipher);

/// Makes an entity with the keys of a state, some of its properties, and the operation id that `out` holds.
///
/// \return nothing, or an error as `finish_entity`
result<void> encode_places(encoded_state const& from, std::vector<property_place> const& places, encoded_entity& out,
                           property_cipher const* cipher);

/// Encodes the merge that changes `before` into `after`.
///
/// \return false if there is nothing to send; error `library_errc::key_changed`, `merge_cannot_remove` with the
/// property, or as `finish_entity`
result<bool> encode_difference(encoded_state const& before, encoded_state const& after, encoded_entity& out,
                               property_cipher const* cipher);

/// Encodes the changes of a value since an earlier state of it, and `out.operation_id`.
///
/// \return false if there are no changes; errors as `encode`, `encode_difference`
template <class T>
late_result<T, bool> encode_changes(T const& before, T const& value, encoded_entity& out,
                                    property_cipher const* cipher = nullptr) {
    encoded_state earlier, later;
    // A value that cannot be stored was never read from the store: a later value that can be is a change.
    auto r = encode_state(before, earlier, faulty_properties::left_blank, cipher);
    if (r) r = encode_state(value, later, faulty_properties::refused, cipher);
    if (!r) return failure{std::move(r).error()};
    return encode_difference(earlier, later, out, cipher);
}

}  // namespace detail
}  // namespace tablemap
