// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/ticks.hpp"

#include <cstdint>
#include <string>

namespace tablemap::inline v0_1 {

/// A message as a queue returns it.
struct queue_message {
    std::string id{};
    std::string receipt{};  ///< put, get and update: the right to change or delete it. It ends with the next one
    std::string text{};     ///< get and peek
    ticks inserted{};       ///< whole seconds
    ticks expires{};        ///< far in the future for one that never does
    ticks visible{};        ///< the time from which others see it; not of peek
    std::uint32_t dequeue_count = 0;  ///< how often it was taken; 1 at the first time

    friend bool operator==(queue_message const&, queue_message const&) = default;
};

}  // namespace tablemap
