// SPDX-License-Identifier: Apache-2.0
#include "tablemap/store/own_doing.hpp"

namespace tablemap::inline v0_1 {

own_doing own_doing::unknown(error const& why) {
    own_doing d;
    d.doubt_ = why;
    return d;
}

own_doing::operator bool() const {
    if (doubt_) throw error{*doubt_};
    return did_it_;
}

}  // namespace tablemap
