// SPDX-License-Identifier: Apache-2.0
#include "wire/text_stop.hpp"

namespace tablemap::inline v0_1::detail {

text_stop find_further_stop(text_stop stop, char const* end) noexcept {
#if defined(__SSE2__)
    while (end - stop.at >= 16)
        if (stops_in(_mm_loadu_si128(reinterpret_cast<__m128i const*>(stop.at)), 16, stop)) return stop;
    if (end - stop.at >= 8 && stops_in(_mm_loadl_epi64(reinterpret_cast<__m128i const*>(stop.at)), 8, stop))
        return stop;
#endif
    for (; stop.at != end; ++stop.at) {
        auto const c = static_cast<unsigned char>(*stop.at);
        if (c == '"' || c == '\\' || c < 0x20) break;
        stop.is_ascii = stop.is_ascii && c < 0x80;
    }
    return stop;
}

}  // namespace tablemap::detail
