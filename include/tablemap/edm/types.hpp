// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/bytes.hpp"
#include "tablemap/base/guid.hpp"
#include "tablemap/base/ticks.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace tablemap::inline v0_1 {

/// The eight property types of the service, in the order of `property_value`'s alternatives.
enum class edm_type : std::uint8_t { string, boolean, int32, int64, real, datetime, guid, binary };

/// The name of a type in the service's protocol, such as "Edm.String". `edm_type::real` is Edm.Double.
constexpr std::string_view edm_name(edm_type t) noexcept {
    constexpr std::array<std::string_view, 8> names{"Edm.String", "Edm.Boolean",  "Edm.Int32", "Edm.Int64",
                                                    "Edm.Double", "Edm.DateTime", "Edm.Guid",  "Edm.Binary"};
    return names[static_cast<std::size_t>(t)];
}

/// The type with this name in the service's protocol; nothing for a name that the service does not have.
std::optional<edm_type> edm_type_from_name(std::string_view name) noexcept;

/// A property's value of any type.
using property_value = std::variant<std::string, bool, std::int32_t, std::int64_t, double, ticks, guid, bytes>;

inline edm_type type_of(property_value const& v) noexcept { return static_cast<edm_type>(v.index()); }

/// The C++ types that hold exactly one Edm type.
template <class T>
concept edm_value = std::same_as<T, std::string> || std::same_as<T, bool> || std::same_as<T, std::int32_t> ||
    std::same_as<T, std::int64_t> || std::same_as<T, double> || std::same_as<T, ticks> || std::same_as<T, guid> ||
    std::same_as<T, bytes>;

}  // namespace tablemap
