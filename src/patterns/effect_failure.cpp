// SPDX-License-Identifier: Apache-2.0
#include "patterns/effect_failure.hpp"

#include "tablemap/base/redaction.hpp"
#include "tablemap/detail/base/utf.hpp"

#include <algorithm>
#include <string_view>

namespace tablemap::inline v0_1::detail {
namespace {

/// The bytes of the first character; 0 if it is none that XML can hold.
std::size_t length_of_first(std::string_view text) noexcept {
    for (std::size_t n = 1; n <= std::min<std::size_t>(4, text.size()); ++n)
        if (fits_xml(text.substr(0, n))) return n;
    return 0;
}

std::string storable(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        auto const n = length_of_first(text);
        out += n > 0 ? text.substr(0, n) : std::string_view{"?"};
        text.remove_prefix(std::max<std::size_t>(n, 1));
    }
    return out;
}

}  // namespace

std::string reason_of(error const& why) {
    auto reason = std::string{why.what()};
    if (!why.server_text().empty()) reason += ": " + why.server_text();
    return cut(storable(redacted(reason)), longest_reason);
}

tick_duration wait_after(std::int32_t attempts, relay_options const& o) noexcept {
    auto wait = o.retry_wait;
    for (std::int32_t i = 1; i < attempts && wait.count() > 0 && wait < o.longest_retry_wait; ++i) wait *= 2;
    return tick_duration{std::min(wait, o.longest_retry_wait)};
}

bool is_too_early(effect_row const& effect, relay_options const& o) {
    auto const rest = effect.next_try - o.now();
    return rest > tick_duration{0} && rest <= tick_duration{o.longest_retry_wait};
}

}  // namespace tablemap::detail
