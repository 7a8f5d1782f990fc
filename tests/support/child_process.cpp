// SPDX-License-Identifier: Apache-2.0
#include "support/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <stdexcept>

namespace tablemap::test {

child_process::child_process(std::vector<std::string> const& command) {
    std::vector<char*> arguments;
    for (auto const& a : command) arguments.push_back(const_cast<char*>(a.c_str()));
    arguments.push_back(nullptr);

    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error{"no pipe can be made"};
    auto const parent = ::getpid();
    id_ = ::fork();
    if (id_ == 0) {
        // Only what is safe in a copy of a process with threads. A parent that died before prctl() sends no signal.
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent) ::_exit(127);
        ::dup2(ends[1], STDOUT_FILENO);
        ::dup2(ends[1], STDERR_FILENO);
        ::execvp(arguments[0], arguments.data());
        ::_exit(127);
    }
    ::close(ends[1]);
    read_end_ = ends[0];
    if (id_ < 0) {
        ::close(read_end_);
        throw std::runtime_error{"no process can be made"};
    }
}

child_process::~child_process() {
    ::kill(id_, SIGKILL);
    ::waitpid(id_, nullptr, 0);
    ::close(read_end_);
}

std::string child_process::wait_for_line(std::string const& with, std::chrono::milliseconds at_most) {
    auto const end = std::chrono::steady_clock::now() + at_most;
    for (std::size_t searched = 0;;) {
        for (auto line = output_.find('\n', searched); line != std::string::npos; line = output_.find('\n', searched)) {
            auto const text = output_.substr(searched, line - searched);
            searched = line + 1;
            if (text.find(with) != std::string::npos) return text;
        }
        auto const left =
            std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
        pollfd event{.fd = read_end_, .events = POLLIN, .revents = 0};
        if (left <= 0 || ::poll(&event, 1, static_cast<int>(left)) <= 0) return {};
        std::array<char, 4096> part;
        auto const n = ::read(read_end_, part.data(), part.size());
        if (n <= 0) return {};
        output_.append(part.data(), static_cast<std::size_t>(n));
    }
}

}  // namespace tablemap::test
