// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Conversion of the body of a write into the properties of a row.
namespace tablemap::inline v0_1::detail {

/// The keys of the entity that a write names, with the sum of their lengths in UTF-16 code units.
struct keys_of_write {
    std::string_view partition_key;
    std::string_view row_key;
    std::size_t units{};
};

/// Checks an encoded entity by the service's rules and appends its properties, each in one form. With `keys_required`
/// the body must hold both keys; if it holds them they must be those of `keys`.
///
/// Errors (thrown), the property in `member()`: `service_errc::invalid_input`, `properties_need_value`,
/// `property_name_invalid`, `property_name_too_long`, `property_value_too_large`, `invalid_value_type`,
/// `out_of_range_input`, `duplicate_properties_specified`, `too_many_properties`, `entity_too_large`.
void append_canonical(std::string& fragment, std::string_view body, keys_of_write const& keys, bool keys_required);

/// Appends properties that the encoder of a mapping wrote and checked, in the form that `append_canonical` gives them.
void append_encoded(std::string& fragment, std::string_view properties);

/// Errors (thrown): `service_errc::too_many_properties`, `entity_too_large`.
void check_entity_limits(std::size_t entity_size, std::size_t properties);

}  // namespace tablemap::detail
