// SPDX-License-Identifier: Apache-2.0
#include "command/arguments.hpp"

#include "command/report_failure.hpp"
#include "command/tables.hpp"
#include "tablemap/version.hpp"

#include <CLI/CLI.hpp>

#include <functional>
#include <memory>
#include <ostream>
#include <string>

namespace tablemap::inline v0_1::command {
namespace {

/// The subcommand of the command line, with its options.
using chosen_command = std::function<int(console&)>;

/// A subcommand whose function takes `Options`, which its options fill in.
template <class Options> struct subcommand {
    CLI::App* app;
    std::shared_ptr<Options> options = std::make_shared<Options>();
};

template <class Options>
subcommand<Options> add(CLI::App& program, chosen_command& chosen, int (*function)(Options const&, console&),
                        std::string name, std::string description) {
    subcommand<Options> s{program.add_subcommand(std::move(name), std::move(description))};
    s.app->callback([&chosen, function, options = s.options] {
        chosen = [function, options](console& c) { return function(*options, c); };
    });
    return s;
}

void add_store(CLI::App& to, store_options& o) {
    to.add_option("--store", o.connection, "The connection string of the store, such as embedded:hr.db");
    to.add_option("--store-file", o.file, "A file whose first line is the connection string");
    to.footer(std::string{"Without --store and --store-file, the environment variable "} + store_variable +
              " names the store.");
}

void add_tables(CLI::App& program, chosen_command& chosen) {
    auto const [app, o] = add(program, chosen, tables, "tables", "List, create or delete tables");
    add_store(*app, o->store);
    auto* const prefix = app->add_option("--prefix", o->prefix, "List only names that begin with this");
    auto* const create = app->add_option("--create", o->create, "Create this table")->excludes(prefix);
    auto* const drop = app->add_option("--drop", o->drop, "Delete this table with all its rows");
    drop->excludes(prefix)->excludes(create);
    app->add_flag("--yes", o->confirmed, "Delete without asking again")->needs(drop);
}

void add_all(CLI::App& program, chosen_command& chosen) {
    add_tables(program, chosen);  //
}

}  // namespace

int run(int argc, char const* const* argv, console& c) {
    chosen_command chosen;
    CLI::App program{"Works on the tables of Azure Table Storage, its emulator, Cosmos DB and embedded files.",
                     "tablemap"};
    program.set_version_flag("--version", "tablemap " TABLEMAP_VERSION_TEXT);
    program.require_subcommand(1);
    program.footer("Exits with 0 when all is done, 1 when the answer is no (not found, different), 2 when the command "
                   "line cannot be carried out, 3 when the store or a file fails.");
    try {
        add_all(program, chosen);
        program.parse(argc, argv);
        int const code = chosen(c);
        c.out().flush();
        return c.out() ? code : c.fail(failed, "cannot write to the standard output; is there room?");
    } catch (CLI::Success const& e) {
        return program.exit(e, c.out(), c.out());
    } catch (CLI::ParseError const& e) {
        return c.fail(usage, std::string{e.what()} + "; --help tells more");
    } catch (...) {
        c.end_progress();
        return report_failure(c);
    }
}

}  // namespace tablemap::inline v0_1::command
