// SPDX-License-Identifier: Apache-2.0
#include "command/arguments.hpp"

int main(int argc, char** argv) {
    auto c = tablemap::command::standard_console();
    return tablemap::command::run(argc, argv, c);
}
