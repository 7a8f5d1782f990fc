// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/dynamic_entity.hpp"
#include "tablemap/edm/types.hpp"

#include <cstdint>
#include <string>
#include <string_view>

/// Writing the service's JSON by appends into one buffer.
///
/// An encoded entity is one flat object whose first members are PartitionKey and RowKey; every property after them
/// begins with its comma. Types that a JSON token does not identify (all but String, Boolean and Int32) have their
/// annotation before the value. Source: the service's JSON payload format, version 3.0.
namespace tablemap::inline v0_1::detail {

/// Appends text as a quoted JSON string, U+2028 and U+2029 escaped: some readers take them for ends of lines. True if
/// it is all ASCII; otherwise the caller has to know that it is valid UTF-8.
bool append_json_string(std::string& out, std::string_view text);

// Appends the value of a property.
void append_value(std::string& out, std::string_view v);
void append_value(std::string& out, bool v);
void append_value(std::string& out, std::int32_t v);
void append_value(std::string& out, std::int64_t v);  ///< quoted digits
void append_value(std::string& out, double v);  ///< shortest text that reads back; always with a point or exponent
void append_value(std::string& out, ticks v);
void append_value(std::string& out, guid const& v);
void append_value(std::string& out, bytes const& v);
void append_any_value(std::string& out, property_value const& v);
void append_value(std::string& out, char const*) = delete;  // it would be taken for a bool

/// Appends `,"name":` and, if the type needs one, the annotation before it.
void append_name(std::string& out, std::string_view name, edm_type type);

/// True for the types whose values need `name@odata.type` before them.
constexpr bool needs_annotation(edm_type t) noexcept {
    return t != edm_type::string && t != edm_type::boolean && t != edm_type::int32;
}

/// Appends `{"PartitionKey":…,"RowKey":…`; the caller appends properties and the closing brace.
void begin_entity(std::string& out, std::string_view partition_key, std::string_view row_key);

/// Appends a whole entity: keys and properties, not etag and timestamp, which belong to the store.
void append_entity(std::string& out, dynamic_entity const& e);

}  // namespace tablemap::detail
