// SPDX-License-Identifier: Apache-2.0
#include "base/process_number.hpp"

#include <atomic>
#include <new>

#include <sys/mman.h>
#include <unistd.h>

namespace tablemap::inline v0_1::detail {
namespace {

using number = std::atomic<std::uint64_t>;

/// A number that is 0 in a child of fork, in memory that is never freed. Null if the system has no such memory.
number* zero_after_fork() noexcept {
#ifdef MADV_WIPEONFORK
    void* const at = ::mmap(nullptr, sizeof(number), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) return nullptr;
    // Some emulators accept any advice and follow none.
    constexpr int no_advice = -1;
    if (::madvise(at, sizeof(number), no_advice) != 0 && ::madvise(at, sizeof(number), MADV_WIPEONFORK) == 0)
        return new (at) number{0};
    ::munmap(at, sizeof(number));
#endif
    return nullptr;
}

}  // namespace

std::uint64_t process_number() noexcept {
    static number* const here = zero_after_fork();
    if (!here) return static_cast<std::uint64_t>(::getpid());
    auto known = here->load(std::memory_order_relaxed);
    if (known != 0) return known;
    // Copied by fork, unlike the other one, so that a child goes on counting.
    static number last{0};
    auto const next = ++last;
    return here->compare_exchange_strong(known, next) ? next : known;
}

}  // namespace tablemap::detail
