// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>

#include <cstdio>
#include <cstdlib>

// Pages of a result are as large as the sizes at which glibc begins to map and unmap memory, which it moves by what was
// freed before: the same code then took 0.3 or 1.3 ms. Every benchmark is linked with this.
namespace {

[[maybe_unused]] bool const fixed = [] {
    constexpr int mebibyte = 1024 * 1024;
    if (mallopt(M_MMAP_THRESHOLD, 32 * mebibyte) == 1 && mallopt(M_TRIM_THRESHOLD, 256 * mebibyte) == 1) return true;
    std::fputs("error: the thresholds of malloc cannot be set\n", stderr);
    std::exit(EXIT_FAILURE);
}();

}  // namespace
