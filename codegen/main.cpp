// SPDX-License-Identifier: Apache-2.0
//
// usage: tablemap-gen SCHEMA [-o HEADER] [--check] [--depfile FILE]
//        tablemap-gen --print-schema

#include "back_end.hpp"
#include "files.hpp"
#include "front_end.hpp"
#include "schema_text.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>

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

/// A path in the syntax of make.
std::string escaped(std::string const& path) {
    std::string out;
    for (char const c : path) {
        if (c == ' ' || c == '#') out += '\\';
        if (c == '$') out += '$';
        out += c;
    }
    return out;
}

/// Refuses names of one file, which would overwrite another.
void refuse_same_files(arguments const& a) {
    auto const refuse = [](std::string const& x, std::string const& what_x, std::string const& y,
                           std::string const& what_y) {
        if (!x.empty() && !y.empty() && gen::is_same_file(x, y))
            throw std::runtime_error{what_x + " " + x + " is " + what_y + " too; name another file"};
    };
    refuse(a.output, "the header", a.schema, "the schema");
    refuse(a.depfile, "the depfile", a.schema, "the schema");
    refuse(a.depfile, "the depfile", a.output, "the header");
}

int check_output(arguments const& a, std::string const& header) {
    bool const there = fs::exists(a.output);
    if (there && gen::read_file(a.output) == header) return done;
    std::cerr << a.output << ": error: " << (there ? "differs from what " : "is not there, but ") << a.schema
              << (there ? " says" : " says what it holds") << "; run tablemap-gen again\n";
    return refused;
}

int write_out(std::string_view text) {
    std::cout << text << std::flush;
    if (!std::cout) throw std::runtime_error{"cannot write to the standard output; is there room?"};
    return done;
}

int generate(arguments const& a) {
    refuse_same_files(a);
    auto const json = gen::read_file(a.schema);
    gen::fault_list faults;
    auto const schema = gen::read_schema(json, faults);
    if (!faults.empty()) {
        std::cerr << gen::describe(faults.sorted(), a.schema);
        return refused;
    }
    auto const header = gen::write_header(schema, fs::path{a.schema}.filename().string());
    if (a.check) return check_output(a, header);
    if (a.output.empty()) return write_out(header);
    // Written even if it is unchanged, so that it is newer than the schema; files that include it are rebuilt then.
    gen::write_file(a.output, header);
    if (!a.depfile.empty()) gen::write_file(a.depfile, escaped(a.output) + ": " + escaped(a.schema) + "\n");
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
    if (a.print_schema) return write_out(gen::schema_text);
    if (a.schema.empty()) throw std::runtime_error{"name a schema; --help tells more"};
    return generate(a);
} catch (std::exception const& e) {
    std::cerr << "tablemap-gen: " << e.what() << "\n";
    return failed;
}
