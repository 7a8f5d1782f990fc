// SPDX-License-Identifier: Apache-2.0
#include "tablemap/mapping/converters/system_time.hpp"

namespace tablemap::inline v0_1::detail {

namespace {

constexpr auto other_years = "times lie in the years 1601 to 9999";
constexpr auto too_far = "the time, in whole units of 100 ns, is outside what the member's type holds, as 64 bits of "
                         "nanoseconds reach from 1677 to 2262; use tablemap::ticks or "
                         "std::chrono::sys_time<tablemap::tick_duration>";

}  // namespace

result<ticks> tick_of_time(std::int64_t count, std::int64_t units, std::int64_t lowest) {
    auto const since_1970 = count / units - (count % units < 0 ? 1 : 0);
    std::int64_t first = 0;
    if (__builtin_mul_overflow(since_1970, units, &first) || first < lowest)
        return fail(library_errc::value_out_of_range, {.reason = too_far});
    ticks const tick{std::chrono::sys_time<tick_duration>{tick_duration{since_1970}}};
    if (!tick.storable()) return fail(library_errc::value_out_of_range, {.reason = other_years});
    return tick;
}

result<std::int64_t> time_of_tick(ticks tick, std::int64_t units) {
    if (!tick.storable()) return fail(library_errc::type_mismatch, {.reason = other_years});
    std::int64_t count = 0;
    if (__builtin_mul_overflow(tick.time().time_since_epoch().count(), units, &count)) return failure{too_far_time()};
    return count;
}

error too_far_time() { return error{library_errc::type_mismatch, {.reason = too_far}}; }

}  // namespace tablemap::detail
