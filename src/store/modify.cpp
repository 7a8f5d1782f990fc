// SPDX-License-Identifier: Apache-2.0
#include "tablemap/store/modify.hpp"

#include <algorithm>

namespace tablemap::detail {

bool is_conflict(error const& e) noexcept {
    return e.code() == service_errc::update_condition_not_satisfied && e.outcome() == outcome::not_applied;
}

result<time_point> conflict_policy::next_try(int tries, error const& conflict, environment const& env) const {
    auto details = conflict.details();
    if (tries >= attempts) {
        details.reason = "it gave up after " + std::to_string(tries) + " tries";
        return fail(library_errc::too_many_conflicts, std::move(details));
    }
    auto const doublings = std::min(tries - 1, 20);
    auto const longest = std::min<std::chrono::nanoseconds>(
        std::chrono::nanoseconds{first_wait} * (std::int64_t{1} << doublings), longest_wait);
    if (auto const until = env.wait_for(env.jittered(longest, 1.0))) return *until;
    details.reason = "the last try met: " + conflict.code().message();
    return fail(library_errc::deadline_exceeded, std::move(details));
}

}  // namespace tablemap::detail
