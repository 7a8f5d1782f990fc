// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "faults/operations.hpp"

#include "tablemap/testing/faulty_store.hpp"

#include <chrono>
#include <cstddef>
#include <vector>

namespace tablemap::test {

inline constexpr tablemap::testing::fault every_fault[] = {
    tablemap::testing::fault::busy,        tablemap::testing::fault::lost_before, tablemap::testing::fault::lost_after,
    tablemap::testing::fault::late_before, tablemap::testing::fault::late_after,  tablemap::testing::fault::truncated,
    tablemap::testing::fault::reset};

/// Two ways to one store: one that works, and one on which faults can be planned.
class faulty_way {
public:
    virtual ~faulty_way() = default;

    virtual store_ptr const& clean() const = 0;
    virtual store_ptr const& faulty() const = 0;

    /// The request after `skip` others from now on, on the faulty way, meets this fault. A busy store asks to wait a
    /// second.
    virtual void fail_next(tablemap::testing::fault f, std::size_t skip) = 0;
    virtual void stop_failing() = 0;
    virtual std::size_t faults() const = 0;

    /// For every request on the faulty way so far: does it change something?
    virtual std::vector<bool> changes() const = 0;

    virtual tablemap::clock& clock() = 0;

    /// The time that all waits together would have taken so far.
    virtual std::chrono::nanoseconds waited() = 0;

    /// The time that a call may take that is to miss its deadline.
    virtual std::chrono::nanoseconds patience() const = 0;

    /// True if time stands still, so that a call meets its deadline at its fault only.
    virtual bool time_is_exact() const = 0;

    /// True if a read that meets this fault may succeed as well as fail, for reasons of the transport.
    virtual bool lets_read_end_either_way(tablemap::testing::fault f, bool retries) const = 0;
};

/// Each request of the operation in turn meets each fault, with operation ids and without, with retries and without,
/// blocking and asynchronous. After every case the table has to hold what the reported outcome says; and the outcome
/// has to be as good as it can be known. Returns the number of cases.
std::size_t try_every_fault(operation_under_test const& op, faulty_way& way);

/// The same with two faults: each request meets each fault, and the request that comes next, such as a second try, each
/// as well. Here the outcome only has to be true.
std::size_t try_every_pair_of_faults(operation_under_test const& op, faulty_way& way);

/// Prints and records a number of cases.
void report_cases(std::string const& of, std::size_t cases);

}  // namespace tablemap::test
