// SPDX-License-Identifier: Apache-2.0
#include "tablemap/mapping/converters/duration.hpp"

namespace tablemap::inline v0_1::detail {

result<std::int64_t> ticks_of_duration(std::int64_t count, bool fits, std::int64_t factor) {
    std::int64_t ticks = 0;
    if (!fits || __builtin_mul_overflow(count, factor, &ticks))
        return fail(library_errc::value_out_of_range,
                    {.reason = "the duration is longer than Edm.Int64 holds in units of 100 ns"});
    return ticks;
}

error broken_duration() {
    return error{
        library_errc::type_mismatch,
        {.reason = "the stored duration is no whole number of the member's unit; give the member a finer one"}};
}

error too_great_duration() {
    return error{library_errc::type_mismatch,
                 {.reason = "the stored duration is longer than the member's type holds; give the member a wider one"}};
}

}  // namespace tablemap::detail
