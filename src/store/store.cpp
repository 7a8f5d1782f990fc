// SPDX-License-Identifier: Apache-2.0
#include "tablemap/store/store.hpp"

namespace tablemap::inline v0_1 {

store_context const& store::context() const noexcept {
    static store_context const empty{};
    return empty;
}

void store::async_execute(request const& r, call_options const& options, receiver& to) {
    to.complete(execute(r, options));
}

}  // namespace tablemap
