// SPDX-License-Identifier: Apache-2.0
#include "tablemap/patterns/latest.hpp"

namespace tablemap::inline v0_1::detail {

result<void> check_newest_first(table_state const& t) {
    if (t.store->capabilities().ordered_results) return {};
    error const e{library_errc::unsupported,
                  {.reason =
                       "the newest entries stand in front only where rows come in key order, which this store does not "
                       "give; query the period whole and sort it"}};
    return failure{e.in("latest", t.name)};
}

}  // namespace tablemap::detail
