// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <type_traits>

#include <sys/wait.h>
#include <unistd.h>

namespace tablemap::test {

/// The result of a function in a child of fork; a value of zeros if the child could not tell it.
template <class F> std::invoke_result_t<F> in_child(F f) {
    using value = std::invoke_result_t<F>;
    static_assert(std::is_trivially_copyable_v<value>, "a pipe carries it");
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) return {};
    auto const child = fork();
    if (child == 0) {
        auto const told = f();
        _exit(write(ends[1], &told, sizeof told) == sizeof told ? 0 : 1);
    }
    close(ends[1]);
    value told{};
    if (read(ends[0], &told, sizeof told) != sizeof told) told = {};
    close(ends[0]);
    waitpid(child, nullptr, 0);
    return told;
}

}  // namespace tablemap::test
