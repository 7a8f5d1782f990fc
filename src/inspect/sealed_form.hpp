// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/types.hpp"

#include <optional>
#include <string>

namespace tablemap::inline v0_1::inspect {

/// The type of an encrypted value's plain value, which its bytes tell without keys; nothing if they are no such value.
std::optional<edm_type> sealed_type(bytes const& value);

/// Finds out what is wrong with a value that should be an encrypted one of this type, as far as this shows without
/// keys; empty if nothing is. Without a type any is right.
std::string find_fault_of_sealed(property_value const& v, std::optional<edm_type> type);

}  // namespace tablemap::inspect
