// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/socket_server.hpp"

#include <cstddef>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

/// Answers that no honest server gives.
namespace tablemap::test {

struct shape {
    std::string name;
    std::function<void(served_socket, std::size_t)> serve{};  ///< the connection, and its number from 0
    std::vector<std::string> results{};                       ///< each of them is right
    std::size_t requests = 1;
    int milliseconds = 20'000;  ///< for a request
    bool has_deadline = true;   ///< else `longest_request` bounds it

    friend void PrintTo(shape const& s, std::ostream* out) { *out << s.name; }
};

std::vector<shape> const& shapes();

}  // namespace tablemap::test
