// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/arguments.hpp"

#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/open.hpp"
#include "tablemap/table/table.hpp"

#include "support/temp_folder.hpp"

#include <fstream>
#include <iterator>
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

/// The message of a command line that is refused; empty if it is carried out.
inline std::string refusal_of(std::vector<std::string> const& arguments) {
    auto const r = run_command(arguments);
    return r.code == command::usage ? r.error : std::string{};
}

/// An embedded file for the time of a test.
struct command_file {
    temp_folder folder{};
    std::string store = "embedded:" + folder.file("store.db") + ";synchronous=normal";

    /// Carries out a subcommand on the file.
    command_result operator()(std::vector<std::string> arguments) const {
        arguments.insert(arguments.end(), {"--store", store});
        return run_command(arguments);
    }

    table<dynamic_entity> rows(std::string const& name = "People") const {
        table<dynamic_entity> t{open(store), name};
        static_cast<void>(t.create_if_not_exists());
        return t;
    }

    std::string file(char const* name, std::string const& text) const {
        std::ofstream{folder.file(name), std::ios::binary} << text;
        return folder.file(name);
    }

    std::string contents(char const* name) const {
        std::ifstream in{folder.file(name), std::ios::binary};
        return {std::istreambuf_iterator<char>{in}, {}};
    }
};

}  // namespace tablemap::test
