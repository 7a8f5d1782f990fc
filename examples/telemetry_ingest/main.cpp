// SPDX-License-Identifier: Apache-2.0
//
// Readings of many devices in one table, spread over sixteen partitions: written in bulk, queried in order of time, and
// erased when they are old. See README.md.

#include "csv.hpp"
#include "interruption.hpp"
#include "progress_bar.hpp"
#include "reading.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <stdexcept>
#include <string>

namespace tmap = tablemap;

namespace {

/// Readings with `from` <= time < `to`; of one device if it is named.
struct selection {
    tmap::ticks from = tmap::ticks::min();
    tmap::ticks to = tmap::ticks::max();
    std::string device{};
};

/// Measures a rate.
class stopwatch {
public:
    long long per_second(std::size_t count) const {
        std::chrono::duration<double> const taken = std::chrono::steady_clock::now() - begin_;
        return static_cast<long long>(static_cast<double>(count) / taken.count());
    }

private:
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

constexpr char const* readings_table = "Readings";

tmap::table<reading> open_table(std::string const& store) { return {tmap::open(store), readings_table}; }

// ---- generate -------------------------------------------------------------------------------------------------------

/// Two hundred devices, each with a temperature for every minute.
void generate(std::string const& file, int rows) {
    constexpr int devices = 200;
    tmap::ticks const begin{std::chrono::sys_days{std::chrono::year{2024} / 2 / 28}};
    std::ofstream out{file};
    for (int i = 0; i < rows; ++i) {
        int const device = i % devices, minute = i / devices;
        auto const number = std::to_string(device);
        out << reading{.device = "d" + std::string(3 - number.size(), '0') + number,
                       .at = begin + std::chrono::minutes{minute},
                       .celsius = 15 + (device * 7 + minute) % 100 / 10.0}
            << '\n';
    }
    if (!out.flush()) throw std::runtime_error(file + " cannot be written: name another file, or make room for it");
}

// ---- ingest ---------------------------------------------------------------------------------------------------------

/// The file that an incomplete ingest leaves beside its input: the table's mark, and the state of each line.
class ledger_file {
public:
    ledger_file(std::string const& readings, tmap::guid const& mark)
        : name_(readings + ".ledger"), mark_(mark.text()) {}

    std::optional<tmap::bulk_ledger> load() const {
        std::ifstream in{name_};
        if (!in) return std::nullopt;
        std::string mark, ledger;
        std::getline(in, mark);
        std::getline(in, ledger);
        if (mark != mark_)
            throw std::runtime_error(name_ + " is of another store: name that one, or remove the ledger to begin anew");
        return tmap::value_or_throw(tmap::bulk_ledger::parse(ledger));
    }

    void save(tmap::bulk_ledger const& ledger) const {
        std::ofstream out{name_};
        out << mark_ << '\n' << ledger.text() << '\n';
        if (!out.flush())
            throw std::runtime_error(name_ + " cannot be written: remove it and ingest the whole file again");
    }

    void remove() const { std::filesystem::remove(name_); }

private:
    std::string name_;
    std::string mark_;
};

/// The mark of the table, which is created if it is missing.
tmap::guid mark_of(tmap::store_ptr const& store) {
    tmap::table<table_mark> const marks{store, readings_table};
    return marks.modify_or_insert({.id = tmap::random_guid(tmap::clock::system())}, [](table_mark&) {}).value.id;
}

/// Throws if a line is not a reading, so that nothing of such a file is stored.
std::size_t count_readings(std::string const& file) {
    reading_file lines{file};
    while (lines.next()) {
    }
    return lines.lines();
}

/// Each line is one row, so that positions in the report are lines. Existing readings are overwritten.
tmap::bulk_report write_all(tmap::table<reading> const& readings, std::string const& file, std::size_t lines,
                            std::optional<tmap::bulk_ledger> earlier) {
    progress_bar bar{"ingesting", lines};
    interruption interrupted;
    tmap::bulk_options options;
    options.resume = std::move(earlier);
    options.progress = [&](tmap::bulk_progress const& p) {
        bar.show(p.stored, p.stored_before, p.retries > 0 ? std::to_string(p.retries) + " retries" : "");
    };
    reading_file source{file};
    return readings.upsert_many([&] { return source.next(); }, std::move(options), {.stop = interrupted.token()});
}

void ingest(tmap::store_ptr const& store, std::string const& file) {
    auto const lines = count_readings(file);
    tmap::table<reading> const readings{store, readings_table};
    readings.create_if_not_exists();
    ledger_file const ledger{file, mark_of(store)};
    auto earlier = ledger.load();
    stopwatch const watch;
    auto const report = write_all(readings, file, lines, std::move(earlier));

    auto const& t = report.totals;
    std::cout << "stored " << t.stored << " of " << lines << " readings, " << t.stored_before << " of them before, in "
              << t.requests << " requests, " << watch.per_second(t.stored - t.stored_before) << " a second\n";
    for (auto const& p : report.problems) std::cout << "line " << p.position + 1 << ": " << p.error.what() << "\n";
    if (report.complete()) return ledger.remove();
    ledger.save(report.ledger);
    if (!report.ended_by)
        throw std::runtime_error("not every line is stored: correct the refused lines, and run it again");
    throw *report.ended_by;
}

// ---- query, stats, expire -------------------------------------------------------------------------------------------

/// One range of rows in each of the sixteen partitions.
tmap::query_range<reading> select(tmap::table<reading> const& readings, selection const& s) {
    auto range = readings.query(tmap::partition(), tmap::row_range(s.from, s.to)).at_once(16);
    if (s.device.empty()) return range;
    return std::move(range).where(tmap::field<&reading::device> == s.device);
}

void explain(tmap::table<reading> const& readings, selection const& s) {
    std::cout << select(readings, s).explain().text();
}

/// Their readings merged in order of time.
void query(tmap::table<reading> const& readings, selection const& s) {
    stopwatch const watch;
    std::size_t count = 0;
    for (auto const& r : select(readings, s)) {
        std::cout << r.value << '\n';
        ++count;
    }
    if (!std::cout.flush()) throw std::runtime_error("the readings cannot be printed: make room where they go");
    std::cerr << count << " readings, " << watch.per_second(count) << " a second\n";
}

/// No order is needed here, so no partition waits for another.
void stats(tmap::table<reading> const& readings, selection const& s) {
    stopwatch const watch;
    std::size_t count = 0;
    std::set<std::string> devices;
    double lowest = 0, highest = 0, sum = 0;
    for (auto const& [device, celsius] :
         select(readings, s).in_any_order().select<&reading::device, &reading::celsius>()) {
        lowest = count == 0 ? celsius : std::min(lowest, celsius);
        highest = count == 0 ? celsius : std::max(highest, celsius);
        sum += celsius;
        devices.insert(device);
        ++count;
    }
    std::cout << "readings: " << count << ", devices: " << devices.size();
    if (count > 0)
        std::cout << ", degrees: " << lowest << " to " << highest << ", " << sum / static_cast<double>(count)
                  << " on average";
    std::cout << " (" << watch.per_second(count) << " a second)\n";
}

void expire(tmap::table<reading> const& readings, tmap::ticks before) {
    interruption interrupted;
    auto const report = readings.erase_where(select(readings, {.to = before}), {}, {.stop = interrupted.token()});
    std::cout << "erased " << report.erased() << " readings\n";
    report.require_complete();
}

// ---- the command line -----------------------------------------------------------------------------------------------

struct arguments {
    std::string store = "embedded:telemetry.db";
    std::string file{};
    int rows = 200'000;
    selection selected{};
    tmap::ticks before{};
    bool explain = false;
};

CLI::Option& add_time(CLI::App& command, std::string const& name, tmap::ticks& to, std::string const& what) {
    auto const parse = [&to, name](std::string const& text) {
        auto const t = tmap::ticks::parse(text);
        if (!t) throw CLI::ValidationError{name, "give a time as 2024-02-28 or 2024-02-28T10:15:00Z"};
        to = *t;
    };
    return *command.add_option_function<std::string>(name, parse, what)->type_name("TIME");
}

void add_selection(CLI::App& command, selection& s) {
    add_time(command, "--from", s.from, "the first time");
    add_time(command, "--to", s.to, "the time before which it ends");
    command.add_option("--device", s.device, "of one device only");
}

/// The commands borrow the arguments.
void add_file_commands(CLI::App& app, arguments& a) {
    auto& generating = *app.add_subcommand("generate", "Writes a file of readings");
    generating.add_option("file", a.file)->required();
    generating.add_option("--rows", a.rows)->check(CLI::Range(0, 100'000'000))->capture_default_str();
    generating.callback([&a] { generate(a.file, a.rows); });

    auto& ingesting = *app.add_subcommand("ingest", "Stores the readings of a file; goes on where it was interrupted");
    ingesting.add_option("file", a.file)->required()->check(CLI::ExistingFile);
    ingesting.callback([&a] { ingest(tmap::open(a.store), a.file); });
}

void add_store_commands(CLI::App& app, arguments& a) {
    auto& querying = *app.add_subcommand("query", "Prints readings in order of time");
    add_selection(querying, a.selected);
    querying.add_flag("--explain", a.explain, "say instead what is read");
    querying.callback(
        [&a] { a.explain ? explain(open_table(a.store), a.selected) : query(open_table(a.store), a.selected); });

    auto& counting = *app.add_subcommand("stats", "Says how many readings there are, and of which temperature");
    add_selection(counting, a.selected);
    counting.callback([&a] { stats(open_table(a.store), a.selected); });

    auto& expiring = *app.add_subcommand("expire", "Erases old readings");
    add_time(expiring, "--before", a.before, "the time before which they are old").required();
    expiring.callback([&a] { expire(open_table(a.store), a.before); });
}

int run(int argc, char** argv) {
    CLI::App app{"Readings of devices: stored in bulk, queried in order of time"};
    app.require_subcommand(1);
    app.fallthrough();
    arguments a;
    app.add_option("--store", a.store, "connection string")->capture_default_str();
    add_file_commands(app, a);
    add_store_commands(app, a);
    CLI11_PARSE(app, argc, argv);
    return 0;
}

/// The message of an error for the user.
std::string text_of(tmap::error const& e) {
    if (e.code() == tmap::service_errc::table_not_found)
        return "there are no readings in this store: ingest some first";
    if (e.code() == tmap::error_kind::cancelled) return "interrupted: run it again to go on";
    return e.what();
}

}  // namespace

int main(int argc, char** argv) try {
    std::ios::sync_with_stdio(false);
    return run(argc, argv);
} catch (tmap::error const& e) {
    std::cerr << "telemetry: " << text_of(e) << "\n";
    return 1;
} catch (std::exception const& e) {
    std::cerr << "telemetry: " << e.what() << "\n";
    return 1;
}
