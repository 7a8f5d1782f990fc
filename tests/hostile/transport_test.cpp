// SPDX-License-Identifier: Apache-2.0
#include "hostile/shapes.hpp"

#include "support/child_process.hpp"
#include "support/socket_server.hpp"
#include "support/ways_to_send.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

namespace {

using namespace tablemap::test;
using namespace std::chrono_literals;

/// The most that a process may grow, whatever it is sent.
constexpr long most_growth = 128 * 1024;

/// The most milliseconds that an end may be late on a busy machine.
constexpr long late = 10'000;

class hostile : public ::testing::TestWithParam<std::tuple<shape, way_to_send>> {
protected:
    static shape const& of() { return std::get<0>(GetParam()); }
    static std::string way() { return std::get<1>(GetParam()).name(); }

    /// The output of a client in a process of its own that sends requests to such a server.
    static std::string said(char const* method) {
        std::size_t connection = 0;
        socket_server const server{[&](served_socket s) { of().serve(s, connection++); }};
        std::vector<std::string> command{HOSTILE_CLIENT,
                                         way(),
                                         std::to_string(server.port()),
                                         method,
                                         std::to_string(of().requests),
                                         std::to_string(of().milliseconds)};
        if (!of().has_deadline) command.push_back("longest");
        child_process client{command};
        client.wait_for_line("grew by", std::chrono::milliseconds{of().milliseconds} + 60s);
        return client.output();
    }
};

INSTANTIATE_TEST_SUITE_P(, hostile,
                         ::testing::Combine(::testing::ValuesIn(shapes()), ::testing::ValuesIn(ways_to_send())),
                         [](auto const& i) { return std::get<0>(i.param).name + "_" + std::get<1>(i.param).name(); });

TEST_P(hostile, answers_take_no_more_memory_or_time_than_allowed) {
    for (auto const* method : {"GET", "PUT"}) {
        auto const output = said(method);
        std::istringstream words{output};
        std::string word, result;
        long milliseconds = 0, grown = -1;
        for (std::size_t i = 0; i < of().requests; ++i) {
            words >> word >> result >> word >> milliseconds >> word;
            EXPECT_THAT(of().results, ::testing::Contains(result)) << method << " " << i;
            EXPECT_LT(milliseconds, of().milliseconds + late) << method;
        }
        ASSERT_TRUE(words >> word >> word >> grown) << output;
        EXPECT_LT(grown, most_growth) << "KiB, " << method;
        std::printf("%-40s %-15s %-4s %7ld KiB %6ld ms  %s\n", of().name.c_str(), way().c_str(), method, grown,
                    milliseconds, result.c_str());
    }
}

}  // namespace
