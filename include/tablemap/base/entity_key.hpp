// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <string>

namespace tablemap::inline v0_1 {

/// The keys of an entity, as they are stored.
struct entity_key {
    std::string partition_key{};
    std::string row_key{};

    friend auto operator<=>(entity_key const&, entity_key const&) = default;
};

}  // namespace tablemap
