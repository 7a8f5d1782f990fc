// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/types.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tablemap::inline v0_1::detail {

enum class json_token_kind : std::uint8_t { text, integer, real, boolean };

/// One value of JSON. Views are valid until the sink's call returns.
struct json_token {
    json_token_kind kind{};
    bool boolean{};
    std::int64_t integer{};
    double real{};
    std::string_view text{};
};

// Makes a value of one type out of a token. False if the token is not one, with `to` unspecified. An Int64 may be
// digits in text or a number, a double any number or one of the texts NaN, Infinity and -Infinity.
bool assign(std::string& to, json_token const& from);
bool assign(bool& to, json_token const& from);
bool assign(std::int32_t& to, json_token const& from);
bool assign(std::int64_t& to, json_token const& from);
bool assign(double& to, json_token const& from);
bool assign(ticks& to, json_token const& from);
bool assign(guid& to, json_token const& from);
bool assign(bytes& to, json_token const& from);

template <edm_value V> bool assign(std::optional<V>& to, json_token const& from) { return assign(to.emplace(), from); }

/// Makes a value of a declared type out of a token; nothing if the token cannot be one.
std::optional<property_value> value_of(json_token const& t, edm_type type);

/// The type of a token without an annotation: String, Boolean, Double, or the smallest integer type that holds it.
edm_type guess_type(json_token const& t) noexcept;

}  // namespace tablemap::detail
