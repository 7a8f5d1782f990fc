// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/arguments.hpp"

#include "support/temp_folder.hpp"

#include <sstream>
#include <string>
#include <vector>

namespace tablemap::test {

/// The result of a command line.
struct command_result {
    int code = 0;
    std::string out{};
    std::string error{};
};

/// Carries out `tablemap` with these arguments in this process.
inline command_result run_command(std::vector<std::string> const& arguments) {
    std::ostringstream out, error;
    command::console c{out, error};
    std::vector<char const*> argv{"tablemap"};
    for (auto const& a : arguments) argv.push_back(a.c_str());
    int const code = command::run(static_cast<int>(argv.size()), argv.data(), c);
    return {code, out.str(), error.str()};
}

/// An embedded file for the time of a test.
struct command_file {
    temp_folder folder{};
    std::string store = "embedded:" + folder.file("store.db");

    /// Carries out a subcommand on the file.
    command_result operator()(std::vector<std::string> arguments) const {
        arguments.insert(arguments.end(), {"--store", store});
        return run_command(arguments);
    }
};

}  // namespace tablemap::test
