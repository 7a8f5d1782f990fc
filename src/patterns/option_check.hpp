// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/error.hpp"

#include <string>
#include <string_view>

namespace tablemap::inline v0_1::detail {

/// The error of an option that cannot be used.
inline error out_of_range(std::string_view option, std::string_view reason) {
    return error{library_errc::value_out_of_range, {.reason = std::string{reason}, .member = std::string{option}}};
}

/// The error of a call that needs the queue of a relay.
inline error no_queue() {
    return out_of_range("queue", "the options name no queue; give them the one that the relay takes messages from");
}

}  // namespace tablemap::detail
