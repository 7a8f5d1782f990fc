// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace tablemap::test {

/// Runs the program and kills it after a while.
///
/// \return its exit status; nothing if it was killed
inline std::optional<int> run_for(std::vector<std::string> arguments, std::chrono::milliseconds while_) {
    arguments.insert(arguments.begin(), TABLEMAP_COMMAND_PROGRAM);
    auto const child = fork();
    if (child == 0) {
        std::vector<char*> argv;
        for (auto& a : arguments) argv.push_back(a.data());
        argv.push_back(nullptr);
        execv(argv[0], argv.data());
        _exit(127);
    }
    auto const end = std::chrono::steady_clock::now() + while_;
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (std::chrono::steady_clock::now() >= end) kill(child, SIGKILL);
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    if (WIFSIGNALED(status)) return std::nullopt;
    return WEXITSTATUS(status);
}

}  // namespace tablemap::test
