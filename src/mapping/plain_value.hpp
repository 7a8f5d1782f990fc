// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/value_codec.hpp"
#include "tablemap/edm/types.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// The plain bytes of values that are stored encrypted; `property_cipher.hpp` has their format.
namespace tablemap::inline v0_1::detail {

/// The number of a type in an encrypted value.
std::uint8_t number_of(edm_type t) noexcept;
std::optional<edm_type> type_of_number(std::uint8_t number) noexcept;

/// The bytes of a value that was checked.
std::string plain_of(property_value const& v);

/// The bytes of a value that stands in JSON, as the encoder wrote it. Errors: `library_errc::type_mismatch`,
/// `malformed_response` for any other text.
result<std::string> plain_of_json(edm_type type, std::string_view text);

/// The value with these bytes; nothing if they are no value of the type.
std::optional<property_value> value_of_plain(edm_type type, std::string_view plain);

}  // namespace tablemap::detail
