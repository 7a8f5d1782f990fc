// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/error.hpp"

#include <string_view>

/// The errors of `modify` of entities that are more than one row.
namespace tablemap::inline v0_1::detail {

inline constexpr std::string_view fewer_writers{"allow more in modify_options, or let fewer writers change one entity"};

inline error key_was_changed() {
    return error{library_errc::key_changed,
                 {.reason = "modify may not change a member of the key: another key is another entity; insert that one "
                            "and erase this"}};
}

inline error not_there() {
    return error{service_errc::resource_not_found,
                 {.reason = "there is no entity with this key; insert one, or upsert it"}};
}

}  // namespace tablemap::detail
