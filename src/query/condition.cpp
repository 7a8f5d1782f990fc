// SPDX-License-Identifier: Apache-2.0
#include "tablemap/query/condition.hpp"

namespace tablemap::inline v0_1::detail::filtering {

result<property_value> flag_value(bool v) { return property_value{v}; }

untyped_condition both(untyped_condition const& a, untyped_condition const& b) {
    if (!a || !b) return a ? b : a;
    return *a && *b;
}

untyped_condition either(untyped_condition const& a, untyped_condition const& b) {
    if (!a || !b) return a ? b : a;
    return *a || *b;
}

untyped_condition neither(untyped_condition const& a) {
    if (!a) return a;
    return !*a;
}

}  // namespace tablemap::detail::filtering
