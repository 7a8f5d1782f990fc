// SPDX-License-Identifier: Apache-2.0
#include "tablemap/patterns/halves.hpp"

namespace tablemap::detail {

error halves_disagree() {
    return error{library_errc::invalid_key,
                 {.reason =
                      "the two values have different keys, so they are no halves of one thing; give the members of "
                      "their keys the same values, generated ones too"}};
}

}  // namespace tablemap::detail
