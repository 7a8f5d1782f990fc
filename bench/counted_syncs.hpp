// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>

namespace bench {

/// The calls of `fdatasync` in this program so far. A program that is linked with counted_syncs.cpp counts them.
std::int64_t syncs() noexcept;

/// Sets the counter "syncs" of a benchmark to the waits for the disk in each iteration.
class count_syncs {
public:
    explicit count_syncs(benchmark::State& state) : state_(state), before_(syncs()) {}
    ~count_syncs() {
        state_.counters["syncs"] =
            benchmark::Counter(static_cast<double>(syncs() - before_), benchmark::Counter::kAvgIterations);
    }
    count_syncs(count_syncs const&) = delete;
    count_syncs& operator=(count_syncs const&) = delete;

private:
    benchmark::State& state_;
    std::int64_t before_;
};

}  // namespace bench
