// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/wire/json_value.hpp"

#include <cstdint>

namespace tablemap::inline v0_1::detail {

/// Kinds of JSON values. Numbers are one kind, with and without a fraction.
class json_kinds {
public:
    constexpr json_kinds() = default;
    constexpr json_kinds(json_kind kind) noexcept : bits_(bit(kind)) {}

    static constexpr json_kinds number() noexcept { return json_kinds{json_kind::integer} | json_kind::real; }
    static constexpr json_kinds any() noexcept {
        return number() | json_kind::null | json_kind::boolean | json_kind::text | json_kind::array | json_kind::object;
    }

    constexpr bool holds(json_kind kind) const noexcept { return (bits_ & bit(kind)) != 0; }
    constexpr bool meets(json_kinds other) const noexcept { return (bits_ & other.bits_) != 0; }

    friend constexpr json_kinds operator|(json_kinds a, json_kinds b) noexcept {
        a.bits_ = static_cast<std::uint8_t>(a.bits_ | b.bits_);
        return a;
    }

private:
    static constexpr std::uint8_t bit(json_kind kind) noexcept {
        return static_cast<std::uint8_t>(1u << static_cast<unsigned>(kind));
    }

    std::uint8_t bits_ = 0;
};

}  // namespace tablemap::detail
