// SPDX-License-Identifier: Apache-2.0
#include "tablemap/edm/key_bounds.hpp"

#include "tablemap/detail/base/utf.hpp"

namespace tablemap::inline v0_1 {

key_bounds key_bounds::exactly(std::string_view key) noexcept { return {key, key, true, true}; }

bool key_bounds::is_exact() const noexcept { return from && to && *from == *to && from_inclusive && to_inclusive; }

bool key_bounds::holds(std::string_view key) const noexcept {
    // Both ends are the same text in memory, as `exactly` makes them: one comparison is enough.
    if (from && to && from->data() == to->data() && from->size() == to->size())
        return from_inclusive && to_inclusive && key == *from;
    auto const beyond = [](auto order, bool inclusive) { return inclusive ? order < 0 : order <= 0; };
    if (from && beyond(detail::compare_utf16(key, *from), from_inclusive)) return false;
    return !to || !beyond(detail::compare_utf16(*to, key), to_inclusive);
}

bool operator==(key_bounds const&, key_bounds const&) = default;

}  // namespace tablemap
