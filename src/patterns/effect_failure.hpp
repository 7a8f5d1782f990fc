// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "patterns/outbox_rows.hpp"
#include "tablemap/base/error.hpp"
#include "tablemap/patterns/relay_options.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

/// The reason and the waits of an effect whose handler failed.
namespace tablemap::inline v0_1::detail {

/// The longest reason of a failure that is stored, in bytes.
inline constexpr std::size_t longest_reason = 1024;

/// The reason of a failure in a form that rows and messages can hold: a '?' stands for each byte that they cannot.
std::string reason_of(error const& why);

/// The wait after so many failed attempts.
tick_duration wait_after(std::int32_t attempts, relay_options const& o) noexcept;

/// True before the time of the next try. A time that lies too far ahead was written by a relay whose clock was wrong.
bool is_too_early(effect_row const& effect, relay_options const& o);

}  // namespace tablemap::detail
