// SPDX-License-Identifier: Apache-2.0
//
// usage: tablemap-gen SCHEMA [-o HEADER] [--check] [--depfile FILE]
//        tablemap-gen --print-schema

#include "back_end.hpp"
#include "front_end.hpp"
#include "schema_text.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>

namespace {

namespace fs = std::filesystem;
namespace gen = tablemap::codegen;

enum exit_code : int { done = 0, refused = 1, failed = 2 };

struct arguments {
    std::string schema{};
    std::string output{};
    std::string depfile{};
    bool check = false;
    bool print_schema = false;
};

std::optional<std::string> read_file(fs::path const& path) {
    std::ifstream file{path, std::ios::binary};
    if (!file || fs::is_directory(path)) return std::nullopt;
    std::string text{std::istreambuf_iterator<char>{file}, {}};
    if (file.bad()) return std::nullopt;
    return text;
}

/// Another process that reads the file meanwhile sees the old one or the new one.
void write_file(fs::path const& path, std::string const& text) {
    auto part = path;
    part += ".part";
    {
        std::ofstream file{part, std::ios::binary | std::ios::trunc};
        file << text;
        file.close();
        if (!file)
            throw std::runtime_error{"cannot write " + part.string() + "; is the folder there and is there room?"};
    }
    fs::rename(part, path);
}

/// A path as make reads it.
std::string escaped(std::string const& path) {
    std::string out;
    for (char const c : path) {
        if (c == ' ' || c == '#') out += '\\';
        if (c == '$') out += '$';
        out += c;
    }
    return out;
}

int check_output(arguments const& a, std::string const& header) {
    auto const there = read_file(a.output);
    if (there == header) return done;
    std::cerr << a.output << ": error: " << (there ? "differs from what " : "is not there, but ") << a.schema
              << (there ? " says" : " says what it holds") << "; run tablemap-gen again\n";
    return refused;
}

int generate(arguments const& a) {
    auto const json = read_file(a.schema);
    if (!json) throw std::runtime_error{"cannot read " + a.schema + "; is there such a file?"};
    gen::fault_list faults;
    auto const schema = gen::read_schema(*json, faults);
    if (!faults.empty()) {
        std::cerr << gen::describe(faults.sorted(), a.schema);
        return refused;
    }
    auto const header = gen::write_header(schema, fs::path{a.schema}.filename().string());
    if (a.check) return check_output(a, header);
    if (a.output.empty()) {
        std::cout << header;
        return std::cout.flush() ? done : failed;
    }
    // Written even if it is the same, so that it is newer than the schema; but what includes it is built again then.
    write_file(a.output, header);
    if (!a.depfile.empty()) write_file(a.depfile, escaped(a.output) + ": " + escaped(a.schema) + "\n");
    return done;
}

}  // namespace

int main(int argc, char** argv) try {
    arguments a;
    CLI::App app{"Writes a C++ header with structs, mappings and repositories from a schema.", "tablemap-gen"};
    auto* const print = app.add_flag("--print-schema", a.print_schema, "Print the JSON Schema of schemas, for editors");
    app.add_option("SCHEMA", a.schema, "The schema, JSON")->excludes(print);
    auto* const output =
        app.add_option("-o,--output", a.output, "The header; without it, it is printed")->excludes(print);
    auto* const check =
        app.add_flag("--check", a.check, "Write nothing; exit with 1 if the header is not what it should be")
            ->needs(output);
    app.add_option("--depfile", a.depfile, "Write what the header depends on, as make reads it")
        ->needs(output)
        ->excludes(check);
    app.set_version_flag("--version", "tablemap-gen " TABLEMAP_VERSION);
    app.footer("Exits with 0 when all is well, 1 when the schema has errors or --check finds a difference, 2 for "
               "anything else.");
    try {
        app.parse(argc, argv);
    } catch (CLI::ParseError const& e) {
        return app.exit(e) == 0 ? done : failed;
    }
    if (a.print_schema) {
        std::cout << gen::schema_text;
        return done;
    }
    if (a.schema.empty()) throw std::runtime_error{"name a schema; --help tells more"};
    return generate(a);
} catch (std::exception const& e) {
    std::cerr << "tablemap-gen: " << e.what() << "\n";
    return failed;
}
