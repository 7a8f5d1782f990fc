// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace tablemap::inline v0_1::detail {

/// Makes room for a body of this size, which is at most the limit. It grows by halves of the limit: while a body is
/// copied, the old and the new memory together are no more than the limit.
inline void make_room(std::string& body, std::size_t size, std::size_t limit) {
    if (size <= body.capacity()) return;
    auto room = limit;
    while (room / 2 >= size) room /= 2;
    body.reserve(room);
}

}  // namespace tablemap::detail
