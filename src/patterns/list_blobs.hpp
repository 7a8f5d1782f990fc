// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "patterns/list_findings.hpp"

namespace tablemap::inline v0_1::detail {

/// Looks for the blobs that no list names, and deletes them if `repairs`.
///
/// A blob that a writer has just stored must not be deleted before the writer has written the row that names it. Its
/// age tells that this is unlikely. What makes it safe is the list's row: it is written once more under the etag with
/// which it was read and did not name the blob, so that the writer's own write, under that etag or an older one, is
/// refused. If there is no row, a row that is inserted names no blob.
task<result<void>> check_blobs(list_state const& table, bool repairs, list_findings& found);

}  // namespace tablemap::detail
