// SPDX-License-Identifier: Apache-2.0
#include "command/output_file.hpp"

#include "base/durable_file.hpp"
#include "command/open_store.hpp"

#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace tablemap::inline v0_1::command {

namespace fs = std::filesystem;

void check_output(std::string const& file, bool overwrite) {
    if (file == "-") return;
    if (detail::is_no_file(file))
        throw usage_error{file + " is no file; leave --output out, and direct the standard output there"};
    if (fs::exists(file) && !overwrite)
        throw usage_error{"the file " + file + " is there already; --overwrite replaces it"};
}

void write_output(std::string const& file, std::string const& text) {
    auto const part = file + ".part";
    std::ofstream out{part, std::ios::binary | std::ios::trunc};
    if (!out) throw std::runtime_error{"cannot write the file " + part};
    out << text;
    out.close();
    if (!out) throw std::runtime_error{"cannot write the file " + part + "; is there room?"};
    detail::rename_durably(part, file);
}

}  // namespace tablemap::inline v0_1::command
