// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// JSON of any shape, as the user's properties may hold it.
namespace tablemap::inline v0_1::detail {

enum class json_kind : std::uint8_t { null, boolean, integer, real, text, array, object };

/// The deepest nesting of arrays and objects.
inline constexpr std::size_t deepest_json = 64;

/// A value and its elements.
struct json_value {
    json_kind kind = json_kind::null;
    bool boolean{};
    std::int64_t integer{};
    double real{};
    std::string text{};  ///< a text's characters; of a `real`, its digits if it is an integer that 64 bits cannot hold
    std::vector<json_value> items{};   ///< an array's elements or an object's values, in order
    std::vector<std::string> names{};  ///< an object's names, in order
    std::string_view source{};         ///< the value in the text that was parsed

    /// The value of an object's name, or null.
    json_value const* find(std::string_view name) const noexcept;
};

/// Reads one JSON value (RFC 8259), and nothing after it. The tree refers to `text`.
///
/// May be called while an entity is being read on the same thread. Errors: `library_errc::type_mismatch` for text that
/// is not JSON, an object with a name twice, more than 64 levels, or a number beyond a double.
result<json_value> parse_json(std::string_view text);

/// The nesting depth of arrays and objects. Precondition: `text` is JSON.
std::size_t json_depth(std::string_view text) noexcept;

}  // namespace tablemap::inline v0_1::detail
