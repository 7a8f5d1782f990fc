// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/dynamic_entity.hpp"

namespace tablemap {

/// The type of a member that keeps the columns that a row has and the struct does not, in the order of the row. Writing the
/// entity writes them back, so that a replace by this program does not remove what another one added. Adding to it adds
/// columns; a name that the struct has is refused then (`library_errc::invalid_property_name`).
struct extras : property_bag {
    friend bool operator==(extras const&, extras const&) = default;
};

}  // namespace tablemap
