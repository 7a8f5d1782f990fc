// SPDX-License-Identifier: Apache-2.0
#include "command/arguments.hpp"

#include "command/check.hpp"
#include "command/copy.hpp"
#include "command/export.hpp"
#include "command/get.hpp"
#include "command/import.hpp"
#include "command/infer.hpp"
#include "command/lint.hpp"
#include "command/maintenance.hpp"
#include "command/option_checks.hpp"
#include "command/outbox.hpp"
#include "command/query.hpp"
#include "command/report.hpp"
#include "command/report_failure.hpp"
#include "command/serve.hpp"
#include "command/stats.hpp"
#include "command/sweep.hpp"
#include "command/tables.hpp"
#include "tablemap/version.hpp"

#include <CLI/CLI.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

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
    to.add_option("--store", o.connection, "The connection string of the store, such as embedded:hr.db")
        ->check(not_empty());
    to.add_option("--store-file", o.file, "A file whose first line is the connection string")->check(not_empty());
    to.footer(std::string{"Without --store and --store-file, the environment variable "} + store_variable +
              " names the store.");
}

void add_tables(CLI::App& program, chosen_command& chosen) {
    auto const [app, o] = add(program, chosen, tables, "tables", "List, create or delete tables");
    add_store(*app, o->store);
    auto* const prefix =
        app->add_option("--prefix", o->prefix, "List only names that begin with this")->check(not_empty());
    auto* const create =
        app->add_option("--create", o->create, "Create this table")->check(not_empty())->excludes(prefix);
    auto* const drop = app->add_option("--drop", o->drop, "Delete this table with all its rows");
    drop->check(not_empty())->excludes(prefix)->excludes(create);
    app->add_flag("--yes", o->confirmed, "Delete without asking again")->needs(drop);
}

void add_get(CLI::App& program, chosen_command& chosen) {
    auto const [app, o] = add(program, chosen, get, "get", "Print one row as JSON");
    add_store(*app, o->store);
    app->add_option("TABLE", o->table, "The table")->required();
    app->add_option("PARTITION", o->partition_key, "The partition key")->required();
    app->add_option("ROW", o->row_key, "The row key")->required();
}

void add_rows(CLI::App& to, row_choice& o) {
    to.add_option("TABLE", o.table, "The table")->required();
    to.add_option("--partition", o.partition, "Only rows of this partition");
    to.add_option("--filter", o.filter, "Only rows that match, as in $filter: \"Age ge 30 and Name eq 'Eva'\"")
        ->check(not_empty());
    to.add_option("--select", o.select, "Only these properties, separated by commas")
        ->delimiter(',')
        ->check(not_empty())
        ->check(property_name());
    to.add_option("--top", o.top, "At most so many rows")->transform(whole_number(0));
}

void add_query(CLI::App& program, chosen_command& chosen) {
    auto const [app, o] = add(program, chosen, query, "query", "Print rows of a table");
    add_store(*app, o->store);
    add_rows(*app, o->rows);
    app->add_option("--output", o->output, "The form of rows; a table on a terminal, else jsonl")
        ->transform(one_of<output_format>(
            {{"table", output_format::table}, {"jsonl", output_format::jsonl}, {"csv", output_format::csv}}));
    app->add_flag("--explain", o->explain, "Print what the store would have to read, and read nothing");
}

void add_format(CLI::App& to, std::optional<row_format>& format) {
    to.add_option("--format", format, "The form of the file; that of its name if this is not given")
        ->transform(one_of<row_format>({{"csv", row_format::csv}, {"jsonl", row_format::jsonl}}));
}

void add_mode(CLI::App& to, write_mode& mode) {
    to.add_flag_callback(
        "--replace", [&mode] { mode = write_mode::replace; },
        "Replace rows that are there; without it they are left, and are problems if they are not equal");
}

void add_export(CLI::App& program, chosen_command& chosen) {
    auto const [app, o] = add(program, chosen, export_rows, "export", "Write rows of a table into a file");
    add_store(*app, o->store);
    add_rows(*app, o->rows);
    app->add_option("--output", o->file, "The file; - is the standard output")
        ->capture_default_str()
        ->check(not_empty());
    add_format(*app, o->format);
    app->add_flag("--resume", o->resume, "Go on where an export into this file was interrupted");
    app->add_flag("--overwrite", o->overwrite, "Replace a file that is there");
}

void add_import(CLI::App& program, chosen_command& chosen) {
    auto const [app, o] = add(program, chosen, import, "import", "Write the rows of a file into a table");
    add_store(*app, o->store);
    app->add_option("TABLE", o->table, "The table")->required();
    app->add_option("FILE", o->file, "The file; - is the standard input")->required();
    add_format(*app, o->format);
    add_mode(*app, o->mode);
    app->add_option("--partition-key", o->keys.partition, "The column that is the partition key")->check(not_empty());
    app->add_option("--row-key", o->keys.row, "The column that is the row key")->check(not_empty());
    app->add_option("--ledger", o->ledger, "Note in this file which rows are stored, and go on from it")
        ->check(not_empty());
    app->add_flag("--create-table", o->create_table, "Create the table if there is none");
}

void add_copy(CLI::App& program, chosen_command& chosen) {
    auto const [app, o] =
        add(program, chosen, copy, "copy", "Copy tables to another store, and compare them afterwards");
    app->add_option("--from", o->from.connection, "The connection string of the store to copy from")
        ->check(not_empty());
    app->add_option("--from-file", o->from.file, "A file whose first line is that connection string")
        ->check(not_empty());
    app->add_option("--to", o->to.connection, "The connection string of the store to copy to")->check(not_empty());
    app->add_option("--to-file", o->to.file, "A file whose first line is that connection string")->check(not_empty());
    app->add_option("TABLE", o->tables, "The tables")->required();
    add_mode(*app, o->mode);
    app->add_flag("!--no-verify", o->verify, "Do not compare the tables afterwards");
    app->footer(std::string{"The environment variable "} + store_variable +
                " names the one store that has no option, if one has none.");
}

void add_stats(CLI::App& program, chosen_command& chosen) {
    auto const [app, o] = add(program, chosen, stats, "stats", "Print partitions, rows and bytes of a table");
    add_store(*app, o->store);
    app->add_option("TABLE", o->table, "The table")->required();
    auto* const sample = app->add_option("--sample", o->sample, "The rows of the sample")->capture_default_str();
    sample->transform(whole_number(1));
    app->add_flag("--exact", o->exact, "Read the whole table in place of a sample")->excludes(sample);
}

void add_table_reading(CLI::App& to, table_reading& o) {
    to.add_option("TABLE", o.tables, "The tables; all of the store if none is given");
    auto* const rows = to.add_option("--rows", o.rows, "Read at most so many rows of each table");
    rows->capture_default_str()->transform(whole_number(1, most_read_rows));
    to.add_flag("--exact", o.exact, "Read all rows")->excludes(rows);
    to.add_option("--type-property", o.type_property,
                  "The property that tells kinds of entities apart; it is recognised if this is not given")
        ->check(not_empty());
    to.add_option("--schema", o.schema, "A schema of tablemap-gen, with which the rows of its tables are compared")
        ->check(not_empty());
}

void add_report(CLI::App& program, chosen_command& chosen) {
    auto const [app, o] = add(program, chosen, report, "report", "Write a report on tables as one page of HTML");
    add_store(*app, o->store);
    add_table_reading(*app, o->reading);
    app->add_option("--output", o->file, "The file; - is the standard output")
        ->capture_default_str()
        ->check(not_empty());
    app->add_flag("--overwrite", o->overwrite, "Replace a file that is there");
    app->add_option("--title", o->title, "The title of the page")->capture_default_str()->check(not_empty());
}

void add_lines(CLI::App& to, line_format& lines) {
    to.add_option("--output", lines, "The form of the findings; text if this is not given")
        ->transform(one_of<line_format>({{"text", line_format::text}, {"jsonl", line_format::jsonl}}));
}

void add_lint(CLI::App& program, chosen_command& chosen) {
    auto const [app, o] = add(program, chosen, lint, "lint", "Print what should be changed about tables");
    add_store(*app, o->store);
    add_table_reading(*app, o->reading);
    add_lines(*app, o->lines);
    app->add_flag("--hints-fail", o->hints_fail, "Exit with 1 for hints, too, not for warnings only");
}

void add_check(CLI::App& program, chosen_command& chosen) {
    auto const [app, o] =
        add(program, chosen, check_rows, "check", "Compare the rows of a table with a schema of tablemap-gen");
    add_store(*app, o->store);
    app->add_option("TABLE", o->table, "The table")->required();
    app->add_option("--schema", o->schema, "The file of the schema")->required()->check(not_empty());
    app->add_option("--entity", o->entities,
                    "An entity that the table holds, beside those that name the table; repeat it for others")
        ->check(not_empty())
        ->allow_extra_args(false);
    app->add_option("--rows", o->rows, "Check at most so many rows; all if this is not given")
        ->transform(whole_number(1));
    add_lines(*app, o->lines);
}

void add_infer(CLI::App& program, chosen_command& chosen) {
    auto const [app, o] =
        add(program, chosen, infer, "infer", "Write a schema for tablemap-gen from what a table holds");
    add_store(*app, o->store);
    app->add_option("TABLE", o->table, "The table")->required();
    app->add_option("--output", o->file, "The file; - is the standard output")
        ->capture_default_str()
        ->check(not_empty());
    app->add_flag("--overwrite", o->overwrite, "Replace a file that is there");
    auto* const rows = app->add_option("--rows", o->rows, "Read at most so many rows");
    rows->capture_default_str()->transform(whole_number(1, most_infer_rows));
    app->add_flag("--exact", o->exact, "Read all rows")->excludes(rows);
    app->add_option("--type-property", o->type_property,
                    "The property that tells kinds of entities apart; it is recognised if this is not given")
        ->check(not_empty());
    app->add_option("--namespace", o->space, "The C++ namespace of what is generated, such as contoso::staff")
        ->check(not_empty());
    app->add_option("--name", o->name, "The name of the struct; of several the beginning of their names")
        ->check(not_empty());
    app->add_flag("--enums", o->enums, "Make enums of texts that are few; other texts are refused when they are read");
}

void add_backup(CLI::App& program, chosen_command& chosen) {
    auto const [app, o] =
        add(program, chosen, backup, "backup", "Copy an embedded store into a file, while it is in use");
    add_store(*app, o->store);
    app->add_option("FILE", o->file, "The backup")->required();
    app->add_flag("--overwrite", o->overwrite, "Replace a file that is there");
}

void add_restore(CLI::App& program, chosen_command& chosen) {
    auto const [app, o] = add(program, chosen, restore, "restore", "Make an embedded store of a backup");
    add_store(*app, o->store);
    app->add_option("FILE", o->file, "The backup")->required();
    app->add_flag("--overwrite", o->overwrite, "Replace the store if it is there; nothing may have it open");
}

void add_compact(CLI::App& program, chosen_command& chosen) {
    auto const [app, o] = add(program, chosen, compact, "compact", "Give back the space of what was erased in a file");
    add_store(*app, o->store);
}

void add_upgrade(CLI::App& program, chosen_command& chosen) {
    auto const [app, o] = add(program, chosen, upgrade, "upgrade", "Give an embedded file the latest format");
    add_store(*app, o->store);
}

void add_relay(CLI::App& program, chosen_command& chosen) {
    auto const [app, o] = add(program, chosen, outbox_work, "relay",
                              "Print the work that the outbox of a table has left, or put parked effects back");
    add_store(*app, o->store);
    app->add_option("TABLE", o->table, "The table")->required();
    auto* const put_back = app->add_flag("--put-back", o->put_back, "Make parked effects pending again");
    app->add_option("--queue", o->queue, "The queue of the outbox, if it has one")
        ->check(not_empty())
        ->check(queue_name())
        ->needs(put_back);
}

void add_poison(CLI::App& program, chosen_command& chosen) {
    auto const [app, o] = add(program, chosen, poison, "poison", "Print the messages of a poison queue");
    add_store(*app, o->store);
    app->add_option("QUEUE", o->queue, "The queue of the relays, without -poison")
        ->required()
        ->check(not_empty())
        ->check(queue_name());
    app->add_option("--top", o->top, "At most so many messages")->transform(whole_number(1, 32))->capture_default_str();
}

void add_sweep(CLI::App& program, chosen_command& chosen) {
    auto const [app, o] = add(program, chosen, sweep, "sweep", "Delete the blobs of large members that no row names");
    add_store(*app, o->store);
    app->add_option("TABLE", o->table, "The table")->required();
    app->add_option("--container", o->container, "The container of the blobs")
        ->required()
        ->check(not_empty())
        ->check(container_name());
    app->add_option("--grace", o->grace_hours, "The hours that a writer has from its first request to its commit")
        ->transform(whole_number(1, 24 * 365))
        ->capture_default_str();
    app->add_option("--per-second", o->per_second, "At most so many blobs in a second; 0: no limit")
        ->check(rate())
        ->capture_default_str();
    app->add_option("--from", o->cursor, "Go on where a sweep ended early")->check(not_empty());
}

#if TABLEMAP_COMMAND_SERVES
void add_serve(CLI::App& program, chosen_command& chosen) {
    auto const [app, o] =
        add(program, chosen, serve, "serve", "Serve a store over the table service's protocol until Ctrl-C");
    add_store(*app, o->store);
    app->add_option("--account", o->account, "The account that clients name; devstoreaccount1 is the emulator's")
        ->required()
        ->check(not_empty());
    app->add_option("--key-file", o->key_file,
                    "A file with the account's key in base64; else the environment's TABLEMAP_SERVE_KEY")
        ->check(not_empty());
    app->add_option("--address", o->address, "The address to listen on")->capture_default_str()->check(not_empty());
    app->add_option("--port", o->port, "The port to listen on; 0: a free one")
        ->transform(whole_number(0, 65535))
        ->capture_default_str();
    auto* const certificate =
        app->add_option("--tls-certificate", o->certificate_file, "A file with the server's certificate in PEM")
            ->check(not_empty());
    auto* const key = app->add_option("--tls-key", o->private_key_file, "A file with the certificate's key in PEM")
                          ->check(not_empty());
    auto* const page =
        app->add_flag("--page", o->page, "Serve a report at / and pages of partitions and rows, on this machine only");
    app->add_option("--schema", o->schema, "A schema of tablemap-gen, with which the report compares the rows")
        ->check(not_empty())
        ->needs(page);
    certificate->needs(key);
    key->needs(certificate);
}
#endif

void add_all(CLI::App& program, chosen_command& chosen) {
    add_tables(program, chosen);
    add_get(program, chosen);
    add_query(program, chosen);
    add_export(program, chosen);
    add_import(program, chosen);
    add_copy(program, chosen);
    add_stats(program, chosen);
    add_report(program, chosen);
    add_lint(program, chosen);
    add_check(program, chosen);
    add_infer(program, chosen);
    add_backup(program, chosen);
    add_restore(program, chosen);
    add_compact(program, chosen);
    add_upgrade(program, chosen);
    add_relay(program, chosen);
    add_poison(program, chosen);
    add_sweep(program, chosen);
#if TABLEMAP_COMMAND_SERVES
    add_serve(program, chosen);
#endif
}

/// The text of an error of the command line. CLI11's own words for a wrong number of values are no sentence.
std::string text_of(CLI::ParseError const& e) {
    std::string said = e.what();
    auto const name = said.substr(0, said.find(':'));
    if (said.ends_with(" missing")) return name + ": the value is missing";
    if (said.starts_with(name + ": At Most 1 ")) return name + ": the option is given more than once";
    return said;
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
    } catch (CLI::RequiredError const& e) {
        auto const others = program.get_subcommands().empty() ? program.remaining() : std::vector<std::string>{};
        std::string const what = others.empty() ? e.what() : "there is no subcommand " + others.front();
        return c.fail(usage, what + "; --help tells more");
    } catch (CLI::ParseError const& e) {
        return c.fail(usage, text_of(e) + "; --help tells more");
    } catch (...) {
        c.end_progress();
        return report_failure(c);
    }
}

}  // namespace tablemap::inline v0_1::command
