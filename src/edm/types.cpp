// SPDX-License-Identifier: Apache-2.0
#include "tablemap/edm/types.hpp"

namespace tablemap::inline v0_1 {

std::optional<edm_type> edm_type_from_name(std::string_view name) noexcept {
    for (std::size_t i = 0; i < std::variant_size_v<property_value>; ++i)
        if (auto const t = static_cast<edm_type>(i); edm_name(t) == name) return t;
    return std::nullopt;
}

}  // namespace tablemap
