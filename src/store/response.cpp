// SPDX-License-Identifier: Apache-2.0
#include "tablemap/store/response.hpp"

namespace tablemap::inline v0_1 {

response response::failed(error const& e) {
    response r;
    r.failure = e;
    return r;
}

}  // namespace tablemap
