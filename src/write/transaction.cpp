// SPDX-License-Identifier: Apache-2.0
#include "tablemap/write/transaction.hpp"

namespace tablemap::inline v0_1 {

std::size_t transaction::merge(entity<dynamic_entity>& e, only_properties const& chosen) {
    return add(encoder<dynamic_entity>().merge(e, chosen), e);
}

}  // namespace tablemap
