// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "patterns/check_findings.hpp"
#include "patterns/list_rows.hpp"

namespace tablemap::inline v0_1::detail {

using list_findings = check_findings<index_entity_report>;

}  // namespace tablemap::detail
