// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "faults/cases.hpp"
#include "tablemap/base/result.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace tablemap::test {

/// The faults that an operation on a queue or a container meets, and the policy under which it is called.
struct fault_case {
    retry_policy policy{};
    tablemap::testing::fault first{};
    std::optional<tablemap::testing::fault> second{};
};

/// Every policy with every fault of the first try; with `pairs`, also with every fault of the second one.
std::vector<fault_case> every_fault_case(bool pairs);

/// The name of an operation with its faults, for the trace of a failure.
std::string described(std::string const& operation, fault_case const& f);

/// A name that no other case uses on the emulator, which other test programs may share.
std::string name_of_this_case();

/// Runs an operation while the faults of a case come. Nothing if a slow machine missed the deadline before them: the
/// request may be carried out later.
template <class Operation>
std::optional<result<void>> run_with_faults(faulty_way& way, fault_case const& f, Operation op) {
    way.fail_next(f.first, 0);
    if (f.second) way.fail_next(*f.second, 1);
    call_options o{.retry = f.policy, .clock = &way.clock()};
    o.deadline = way.clock().now() + way.patience();
    auto const faults = way.faults();
    auto const r = op(o);
    way.stop_failing();
    if (way.faults() > faults) return r;
    EXPECT_TRUE(!way.time_is_exact() && !r && r.error().kind() == error_kind::timed_out)
        << "the request that was to fail never came";
    return std::nullopt;
}

}  // namespace tablemap::test
