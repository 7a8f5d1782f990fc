// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tablemap::inline v0_1::detail {

/// Makes every thread learn the columns of its next row anew. To be called when a type that was made at run time is
/// destroyed, since another may get its address.
void forget_columns() noexcept;

}  // namespace tablemap::detail
