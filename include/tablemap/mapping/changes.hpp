// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/encode.hpp"
#include "tablemap/mapping/entity.hpp"

#include <string>
#include <string_view>
#include <vector>

/// From two states of an entity to a write of what differs.
namespace tablemap {

/// An earlier state of an entity, which is borrowed. Made by `changed_since`.
template <class T> struct changed_since_t { T const* before; };

/// For a merge of what changed: `auto const before = *found; … table.merge(*found, changed_since(before))`. Takes a value or an
/// entity, copied after the read; it is compared before the call returns. Columns are compared as they would be stored, so
/// members need no `==`.
template <class T> changed_since_t<T> changed_since(T const& before) noexcept { return {&before}; }
template <class T> changed_since_t<T> changed_since(entity<T> const& before) noexcept { return {&before.value}; }

namespace detail {

std::string_view text_of(encoded_state const& s, property_place const& p) noexcept;
std::string_view name_of(encoded_state const& s, property_place const& p) noexcept;

/// What a later state has that an earlier one has not, and the other way round.
struct state_difference {
    std::vector<property_place> to_merge{};  ///< of the later one: what differs, and what the mapping adds
    bool changed = false;                    ///< some property is new or differs
    std::string_view removed{};              ///< a property that only the earlier one has; empty: there is none
};
state_difference compare(encoded_state const& before, encoded_state const& after);

bool have_same_keys(encoded_state const& a, encoded_state const& b) noexcept;

/// Appends a property of a state as it is stored. Errors: those of `append_sealed`.
result<void> append_place(std::string& out, encoded_state const& from, property_place const& p,
                          property_cipher const* cipher);

/// Makes an entity with the keys of a state, some of its properties, and the operation id that `out` holds. Errors: as
/// `finish_entity`.
result<void> encode_places(encoded_state const& from, std::vector<property_place> const& places, encoded_entity& out,
                           property_cipher const* cipher);

/// Encodes what a merge sends that makes `after` of `before`; false if that is nothing.
/// Errors: `library_errc::key_changed`, `merge_cannot_remove` with the property, those of `finish_entity`.
result<bool> encode_difference(encoded_state const& before, encoded_state const& after, encoded_entity& out,
                               property_cipher const* cipher);

/// Encodes the changes of a value since an earlier state of it; false if there are none. `out.operation_id` goes in as well.
/// Errors: as `encode`, `encode_difference`.
template <class T>
result<bool> encode_changes(T const& before, T const& value, encoded_entity& out,
                            property_cipher const* cipher = nullptr) {
    encoded_state earlier, later;
    // What cannot be stored was never read from there: a later value that can be is a change.
    auto r = encode_state(before, earlier, faulty_properties::left_blank, cipher);
    if (r) r = encode_state(value, later, faulty_properties::refused, cipher);
    if (!r) return failure{std::move(r).error()};
    return encode_difference(earlier, later, out, cipher);
}

}  // namespace detail
}  // namespace tablemap
