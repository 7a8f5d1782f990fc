// SPDX-License-Identifier: Apache-2.0
#include "counted_syncs.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

namespace {
std::atomic<std::int64_t> counted = 0;
}

/// In place of the C library's: SQLite calls this one.
extern "C" int fdatasync(int file) {
    ++counted;
    return static_cast<int>(syscall(SYS_fdatasync, file));
}

std::int64_t bench::syncs() noexcept { return counted.load(); }
