// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tablemap::inline v0_1::detail {

template <class Word> inline bool same_word(char const* a, char const* b) noexcept {
    Word x, y;
    std::memcpy(&x, a, sizeof x);
    std::memcpy(&y, b, sizeof y);
    return x == y;
}

/// For names and the like: a call of memcmp for each of them would cost as much as the rest of a property.
[[gnu::always_inline]] inline bool same_short_text(std::string_view a, std::string_view b) noexcept {
    auto const n = a.size();
    if (n != b.size()) return false;
    if (a.data() == b.data()) return true;
    auto const words = [&]<class Word>(Word) {
        for (std::size_t i = 0; i + sizeof(Word) < n; i += sizeof(Word))
            if (!same_word<Word>(a.data() + i, b.data() + i)) return false;
        return same_word<Word>(a.data() + n - sizeof(Word), b.data() + n - sizeof(Word));
    };
    if (n >= sizeof(std::uint64_t)) return words(std::uint64_t{});
    if (n >= sizeof(std::uint32_t)) return words(std::uint32_t{});
    return std::equal(a.begin(), a.end(), b.begin());
}

}  // namespace tablemap::detail
