// SPDX-License-Identifier: Apache-2.0
#include "wire/text_stop.hpp"

namespace tablemap::inline v0_1::detail {

text_stop call_text_stop(char const* from, char const* end) noexcept { return search_text_stop({from}, end); }

}  // namespace tablemap::detail
