// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tablemap::inline v0_1::detail {

/// False, but only once it is instantiated: for the `static_assert` of a function that no right program calls, and that
/// is declared for what it says to a wrong one.
template <class...> inline constexpr bool is_right_use = false;

}  // namespace tablemap::detail
