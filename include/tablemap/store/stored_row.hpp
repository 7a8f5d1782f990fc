// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/entity_key.hpp"
#include "tablemap/base/result.hpp"
#include "tablemap/edm/dynamic_entity.hpp"
#include "tablemap/store/request.hpp"

#include <span>
#include <string>
#include <string_view>

/// Rows for stores that hold them as values: read from the body of a write, and written into the body of a response.
namespace tablemap::inline v0_1 {

/// A row in a store: keys, properties, etag and timestamp.
using stored_row = detail::stored_entity;

/// Reads the body of a write and checks it by the service's rules. An erase has no body: its row has keys alone. The
/// store sets etag and timestamp; those of the body are ignored, and so are nulls.
///
/// \pre `check_request` has accepted the write
/// \return the row, or an error with the property in `member()`: `service_errc::invalid_input`,
/// `properties_need_value`, `property_name_invalid`, `property_name_too_long`, `property_value_too_large`,
/// `invalid_value_type`, `out_of_range_input`, `duplicate_properties_specified`, `too_many_properties`,
/// `entity_too_large`
result<stored_row> read_body(write_operation const& o);

/// Sets the properties of `changes` in `row`, whose other properties stay.
///
/// \return nothing, or error `service_errc::too_many_properties`, `entity_too_large`, which leaves `row` unchanged
result<void> merge_into(stored_row& row, dynamic_entity const& changes);

/// Appends a row in the form of a response to `get_entity`: etag, keys, timestamp, and the selected properties; all if
/// none is selected.
void append_row(std::string& out, stored_row const& row, std::span<std::string_view const> select = {});

/// The order of rows in a table: by partition key, then by row key, each by UTF-16 code units.
struct entity_key_less {
    bool operator()(entity_key const& a, entity_key const& b) const noexcept;
};

}  // namespace tablemap
