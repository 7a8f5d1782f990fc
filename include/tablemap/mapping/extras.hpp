// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/dynamic_entity.hpp"

namespace tablemap::inline v0_1 {

/// The type of a member that keeps the columns that a row has and the struct does not, in the order of the row. Writing
/// the entity writes them back, so that a replace by this program does not remove columns that another one added.
/// Properties that are set here become columns; a name of the struct's is refused when the entity is written
/// (`library_errc::invalid_property_name`).
struct extras : property_bag {
    friend bool operator==(extras const&, extras const&) = default;
};

}  // namespace tablemap
