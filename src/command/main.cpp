// SPDX-License-Identifier: Apache-2.0
#include "command/arguments.hpp"

#include <ios>

int main(int argc, char** argv) {
    std::ios::sync_with_stdio(false);
    auto c = tablemap::command::standard_console();
    return tablemap::command::run(argc, argv, c);
}
