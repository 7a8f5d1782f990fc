// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/wire/token.hpp"

#include <charconv>
#include <limits>
#include <utility>

namespace tablemap::inline v0_1::detail {

bool assign(std::string& to, json_token const& from) {
    if (from.kind != json_token_kind::text) return false;
    to.assign(from.text);
    return true;
}

bool assign(bool& to, json_token const& from) {
    if (from.kind != json_token_kind::boolean) return false;
    to = from.boolean;
    return true;
}

bool assign(std::int32_t& to, json_token const& from) {
    using limits = std::numeric_limits<std::int32_t>;
    if (from.kind != json_token_kind::integer || from.integer < limits::min() || from.integer > limits::max())
        return false;
    to = static_cast<std::int32_t>(from.integer);
    return true;
}

bool assign(std::int64_t& to, json_token const& from) {
    if (from.kind == json_token_kind::integer) {
        to = from.integer;
        return true;
    }
    if (from.kind != json_token_kind::text) return false;
    auto const* const last = from.text.data() + from.text.size();
    auto const [end, e] = std::from_chars(from.text.data(), last, to);
    return e == std::errc{} && end == last;
}

bool assign(double& to, json_token const& from) {
    switch (from.kind) {
    case json_token_kind::real: to = from.real; return true;
    case json_token_kind::integer: to = static_cast<double>(from.integer); return true;
    case json_token_kind::boolean: return false;
    case json_token_kind::text: break;
    }
    using limits = std::numeric_limits<double>;
    if (from.text == "NaN")
        to = limits::quiet_NaN();
    else if (from.text == "Infinity")
        to = limits::infinity();
    else if (from.text == "-Infinity")
        to = -limits::infinity();
    else
        return false;
    return true;
}

bool assign(ticks& to, json_token const& from) {
    return from.kind == json_token_kind::text && parse_ticks(from.text, to);
}
bool assign(guid& to, json_token const& from) {
    return from.kind == json_token_kind::text && parse_guid(from.text, to);
}
bool assign(bytes& to, json_token const& from) {
    return from.kind == json_token_kind::text && parse_base64(from.text, to);
}

namespace {
template <class V> std::optional<property_value> value_as(json_token const& t) {
    V v{};
    if (!assign(v, t)) return std::nullopt;
    return property_value{std::move(v)};
}
}  // namespace

std::optional<property_value> value_of(json_token const& t, edm_type type) {
    switch (type) {
    case edm_type::string: return value_as<std::string>(t);
    case edm_type::boolean: return value_as<bool>(t);
    case edm_type::int32: return value_as<std::int32_t>(t);
    case edm_type::int64: return value_as<std::int64_t>(t);
    case edm_type::real: return value_as<double>(t);
    case edm_type::datetime: return value_as<ticks>(t);
    case edm_type::guid: return value_as<guid>(t);
    case edm_type::binary: return value_as<bytes>(t);
    }
    return std::nullopt;
}

edm_type guess_type(json_token const& t) noexcept {
    switch (t.kind) {
    case json_token_kind::text: return edm_type::string;
    case json_token_kind::boolean: return edm_type::boolean;
    case json_token_kind::real: return edm_type::real;
    case json_token_kind::integer: break;
    }
    using limits = std::numeric_limits<std::int32_t>;
    return t.integer >= limits::min() && t.integer <= limits::max() ? edm_type::int32 : edm_type::int64;
}

}  // namespace tablemap::detail
