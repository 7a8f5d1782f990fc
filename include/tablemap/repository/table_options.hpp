// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tablemap {

/// How a table writes.
struct table_options {
    /// Adds a random identifier to every row that is written, as the property `TablemapOperation` (16 bytes). With it a write
    /// whose answer was lost is recognised when its row is met again, in retries and in `modify`.
    bool operation_tokens = false;
};

}  // namespace tablemap
