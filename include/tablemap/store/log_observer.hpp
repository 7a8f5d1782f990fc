// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/observer.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

namespace tablemap::inline v0_1 {

enum class log_level : std::uint8_t { debug, info, warning, error };

/// The name of a level: "debug", "info", "warning", "error".
std::string_view name_of(log_level l) noexcept;

/// An observer that passes `sink` one line for each request and each operation, as `name=value` pairs:
///
///     event=operation action=insert table=Employees store=rest result=ok outcome=applied took_us=2140 requests=2 …
///
/// Requests are `debug`, or `warning` if they failed in a way that may pass. Operations are `info` if they succeeded;
/// `warning` if an entity or table was missing, existed already, or was changed by another writer, if the call was
/// cancelled, and if rows of many are in doubt; else `error`. Lines below `least` are not made. Exceptions of `sink`
/// are ignored.
///
/// \pre `sink` is not empty
/// \par Thread safety
/// `sink` is called on any thread, several at once.
std::shared_ptr<observer> make_log_observer(std::function<void(log_level, std::string_view)> sink,
                                            log_level least = log_level::debug);

}  // namespace tablemap
