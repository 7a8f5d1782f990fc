// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace tablemap::inline v0_1::detail {

/// The place where the characters end that stand for themselves in a text of JSON.
struct text_stop {
    char const* at;     ///< a quote, a backslash, a control character or the end
    unsigned high = 0;  ///< the upper bits of the bytes before it, in one or another place

    bool is_ascii() const noexcept { return high == 0; }
};

#if defined(__SSE2__)
/// Looks at the first bytes of a word. True if one of them is the stop, else the stop moves behind them.
[[gnu::always_inline]] inline bool stops_in(__m128i word, unsigned bytes, text_stop& stop) noexcept {
    auto const quotes = _mm_cmpeq_epi8(word, _mm_set1_epi8('"'));
    auto const backslashes = _mm_cmpeq_epi8(word, _mm_set1_epi8('\\'));
    auto const controls = _mm_cmpeq_epi8(_mm_min_epu8(word, _mm_set1_epi8(0x1F)), word);
    auto const all = _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quotes, backslashes), controls));
    auto const stops = static_cast<unsigned>(all) & ((1U << bytes) - 1);
    auto const high = static_cast<unsigned>(_mm_movemask_epi8(word));
    if (stops == 0) {
        stop.high |= high;
        stop.at += bytes;
        return false;
    }
    stop.high |= high & (stops ^ (stops - 1));
    stop.at += static_cast<unsigned>(std::countr_zero(stops));
    return true;
}
#endif

/// Always inline, so that the linker does not give an optimised caller the code of an unoptimised source.
[[gnu::always_inline]] inline text_stop search_text_stop(text_stop stop, char const* end) noexcept {
#if defined(__SSE2__)
    while (end - stop.at >= 16)
        if (stops_in(_mm_loadu_si128(reinterpret_cast<__m128i const*>(stop.at)), 16, stop)) return stop;
    if (end - stop.at >= 8 && stops_in(_mm_loadl_epi64(reinterpret_cast<__m128i const*>(stop.at)), 8, stop))
        return stop;
#endif
    for (; stop.at != end; ++stop.at) {
        auto const c = static_cast<unsigned char>(*stop.at);
        if (c == '"' || c == '\\' || c < 0x20) break;
        stop.high |= c & 0x80U;
    }
    return stop;
}

/// The same, compiled with optimisation in unoptimised builds, too.
text_stop call_text_stop(char const* from, char const* end) noexcept;

inline text_stop find_text_stop(char const* from, char const* end) noexcept {
#if defined(__OPTIMIZE__)
    return search_text_stop({from}, end);
#else
    return call_text_stop(from, end);
#endif
}

}  // namespace tablemap::detail
