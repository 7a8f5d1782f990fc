// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "place.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tablemap::codegen {

struct json_member;

/// A JSON value with its place in the source.
struct json_node {
    using array = std::vector<json_node>;
    using object = std::vector<json_member>;

    place at{};
    std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, array, object> value;
    std::string text{};  ///< a number's text in the source

    // Defined where the members of objects are complete.
    json_node();
    json_node(json_node const&);
    json_node(json_node&&) noexcept;
    json_node& operator=(json_node const&);
    json_node& operator=(json_node&&) noexcept;
    ~json_node();

    /// True for a whole number that 64 bits and a sign cannot hold, and that is stored as a double only for that
    /// reason.
    bool is_beyond_int64() const noexcept;

    template <class V> V const* as() const noexcept { return std::get_if<V>(&value); }

    /// The value's description for messages: `the text 'x'`, `an object`.
    std::string describe() const;
};

/// A member of an object, in the order of the source.
struct json_member {
    place at{};
    std::string key{};
    json_node value{};
};

/// Reads JSON. Nothing, and one fault, if it is none: text after a syntax error cannot be interpreted. Keys that an
/// object has twice are faults too, and the first one counts.
std::optional<json_node> read_json(std::string_view text, fault_list& faults);

}  // namespace tablemap::codegen
