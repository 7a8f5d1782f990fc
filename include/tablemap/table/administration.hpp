// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/own_doing.hpp"

#include <cstdint>

namespace tablemap::inline v0_1 {

/// The behaviour of creating a table while one of the same name is being deleted, which takes the service some 40
/// seconds.
enum class if_being_deleted : std::uint8_t {
    fail,  ///< `service_errc::table_being_deleted`
    wait,  ///< it is tried again every few seconds until the call's deadline, and for 2 minutes at most
};

}  // namespace tablemap
