// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

namespace tablemap::test {

/// A program that runs beside a test. It ends with this object, and with the thread that made this even if the test
/// dies.
class child_process {
public:
    /// The program is looked up like a shell does. Throws if it cannot be run.
    explicit child_process(std::vector<std::string> const& command);
    ~child_process();
    child_process(child_process const&) = delete;
    child_process& operator=(child_process const&) = delete;

    /// The first line of its output that holds this text, without its line break; "" if the program ends before, or the
    /// time is up.
    std::string wait_for_line(std::string const& with, std::chrono::milliseconds at_most);

    /// Its output so far, errors included.
    std::string const& output() const noexcept { return output_; }

    pid_t id() const noexcept { return id_; }

private:
    pid_t id_ = -1;
    int read_end_ = -1;
    std::string output_;
};

}  // namespace tablemap::test
