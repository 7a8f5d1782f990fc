// SPDX-License-Identifier: Apache-2.0
#include "tablemap/mapping/series.hpp"

#include <stdexcept>
#include <string>

namespace tablemap::inline v0_1::detail {

void refuse_element(std::size_t extent) {
    throw std::out_of_range{"tablemap: this series has " + std::to_string(extent) +
                            " elements, and its indexes begin at 0; check the index before the element is used"};
}

}  // namespace tablemap::detail
