// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace tablemap::inline v0_1::detail {

/// The place where the characters end that stand for themselves in a text of JSON.
struct text_stop {
    char const* at;        ///< a quote, a backslash, a control character or the end
    bool is_ascii = true;  ///< the characters before it are
};

#if defined(__SSE2__)
/// Looks at the first bytes of a word. True if one of them is the stop, else the stop moves behind them.
inline bool stops_in(__m128i word, unsigned bytes, text_stop& stop) noexcept {
    auto const quotes = _mm_cmpeq_epi8(word, _mm_set1_epi8('"'));
    auto const backslashes = _mm_cmpeq_epi8(word, _mm_set1_epi8('\\'));
    auto const controls = _mm_cmpeq_epi8(_mm_min_epu8(word, _mm_set1_epi8(0x1F)), word);
    auto const all = _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quotes, backslashes), controls));
    auto const stops = static_cast<unsigned>(all) & ((1U << bytes) - 1);
    auto const high = static_cast<unsigned>(_mm_movemask_epi8(word));
    if (stops == 0) {
        stop.is_ascii &= high == 0;
        stop.at += bytes;
        return false;
    }
    stop.is_ascii &= (high & (stops ^ (stops - 1))) == 0;
    stop.at += std::countr_zero(stops);
    return true;
}
#endif

/// Goes on with the search in what follows the first word of a long text.
text_stop find_further_stop(text_stop from, char const* end) noexcept;

/// A short text, like most, ends in the first word, which is looked at without a call.
inline text_stop find_text_stop(char const* from, char const* end) noexcept {
    text_stop stop{from};
#if defined(__SSE2__)
    if (end - from >= 16 && stops_in(_mm_loadu_si128(reinterpret_cast<__m128i const*>(from)), 16, stop)) return stop;
#endif
    return find_further_stop(stop, end);
}

}  // namespace tablemap::detail
