// SPDX-License-Identifier: Apache-2.0
//
// usage: with_azurite PROGRAM [ARGUMENT...]
//
// Runs a program beside an emulator of its own, with `--store` and the emulator's connection string as its last
// arguments.

#include "support/azurite.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

int main(int argc, char** argv) try {
    if (argc < 2) throw std::invalid_argument{"usage: with_azurite PROGRAM [ARGUMENT...]"};
    if (!tablemap::test::azurite::program()) {
        std::cerr << "needs the storage emulator: scripts/setup test installs it\n";
        return 77;
    }
    tablemap::test::azurite emulator;
    auto store = emulator.connection_string();
    std::string option = "--store";
    std::vector<char*> arguments(argv + 1, argv + argc);
    arguments.insert(arguments.end(), {option.data(), store.data(), nullptr});
    auto const child = fork();
    if (child == 0) {
        execv(arguments.front(), arguments.data());
        _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
} catch (std::exception const& e) {
    std::cerr << e.what() << "\n";
    return 1;
}
