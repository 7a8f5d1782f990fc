// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "index_audit/index_checks.hpp"
#include "tablemap/detail/store/task.hpp"

#include <memory>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// Looks at suspects, many beside each other, then writes their repairs, as many as fit into each group; and again,
/// until nothing is left to do. The audit is borrowed.
task<> settle(audit& all, std::vector<std::unique_ptr<index_check>> suspects);

}  // namespace tablemap::detail
