// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "faults/cases.hpp"

#include <cstddef>

namespace tablemap::test {

/// Each operation of a queue meets each fault, and each pair of them, with retries and without, and where lost requests
/// may be repeated. After every case the queue has to hold what the reported outcome says. Returns the number of cases.
std::size_t try_every_fault_of_queues(faulty_way& way);

}  // namespace tablemap::test
