// SPDX-License-Identifier: Apache-2.0
#include "tablemap/write/retry_on_conflict.hpp"

namespace tablemap::inline v0_1::detail {

std::optional<error> conflict_loop::end_after(error const& failed) {
    if (!is_conflict(failed)) return failed;
    auto const until = next_try(options_, ++tries_, env_.now() - began_, failed, env_);
    if (!until) return until.error();
    env_.clock().sleep_until(*until, env_.options().stop);
    if (auto const why = env_.why_stop()) {
        auto details = failed.details();
        details.reason = "the last try met: " + failed.code().message();
        return error{why, std::move(details)};
    }
    return std::nullopt;
}

}  // namespace tablemap::detail
