// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "faults/cases.hpp"

namespace tablemap::test {

/// Every request of every operation of containers meets each fault, with retries and without, and its second try each
/// as well where no time passes. After every case the container has to hold what the reported outcome says. Returns the
/// number of cases.
std::size_t try_every_fault_of_blobs(faulty_way& way);

}  // namespace tablemap::test
