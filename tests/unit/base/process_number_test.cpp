// SPDX-License-Identifier: Apache-2.0
#include "base/process_number.hpp"

#include "support/in_child.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <set>
#include <thread>
#include <vector>

namespace {

using tablemap::detail::process_number;
using tablemap::test::in_child;

TEST(process_number, is_the_same_on_all_threads) {
    std::array<std::uint64_t, 4> numbers{};
    {
        std::vector<std::jthread> threads;
        for (auto& n : numbers) threads.emplace_back([&n] { n = process_number(); });
    }
    for (auto const n : numbers) EXPECT_EQ(n, process_number());
}

TEST(process_number, differs_from_those_of_the_processes_it_was_forked_from) {
    auto const own = process_number();
    auto const child = in_child(process_number);
    auto const grandchild = in_child([] { return in_child(process_number); });
    EXPECT_EQ((std::set<std::uint64_t>{0, own, child}.size()), 3U);
    EXPECT_EQ((std::set<std::uint64_t>{0, own, grandchild}.size()), 3U);
    EXPECT_EQ(process_number(), own);
}

TEST(process_number, of_a_child_is_not_that_of_its_own_child) {
    auto const differs = in_child([]() -> std::uint64_t {
        auto const own = process_number();
        return in_child(process_number) != own ? 1 : 2;
    });
    EXPECT_EQ(differs, 1U);
}

TEST(process_number, stays_the_same_within_a_child) {
    EXPECT_EQ(in_child([]() -> std::uint64_t { return process_number() == process_number() ? 1 : 2; }), 1U);
}

}  // namespace
