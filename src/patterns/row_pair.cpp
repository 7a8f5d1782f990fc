// SPDX-License-Identifier: Apache-2.0
#include "tablemap/patterns/row_pair.hpp"

namespace tablemap::inline v0_1::detail {

error row_pair_disagrees() {
    return error{library_errc::invalid_key,
                 {.reason =
                      "the two values have different keys, so they are no halves of one thing; give the members of "
                      "their keys the same values, generated ones too"}};
}

}  // namespace tablemap::detail
