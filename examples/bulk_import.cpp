// SPDX-License-Identifier: Apache-2.0
//
// Imports a CSV file of readings, "station,minute,celsius", and erases those that are out of date. Interrupted with Ctrl+C it
// leaves a ledger, and goes on from it when it is run again.
//
//     bulk_import [--csv FILE] [--store CONNECTION-STRING]

#include "progress_bar.hpp"

#include <tablemap/tablemap.hpp>

#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <thread>

namespace tmap = tablemap;

struct reading {
    std::string station{};
    std::int64_t minute{};
    double celsius{};
};

template <> struct tmap::mapping<reading> {
    static constexpr auto partition_key = tmap::key(tmap::part<&reading::station>);
    static constexpr auto row_key = tmap::key(tmap::part<&reading::minute>.width(10));
};

namespace {

constexpr char const* ledger_file = "bulk_import.ledger";

/// Turns Ctrl+C into a stop. A handler of signals may set a flag and hardly more, so a thread looks at it.
class interruption {
public:
    interruption() {
        std::signal(SIGINT, [](int) { flag() = true; });
        watch_ = std::jthread{[this](std::stop_token const& end) {
            while (!end.stop_requested() && !flag()) std::this_thread::sleep_for(std::chrono::milliseconds{50});
            if (flag()) stop_.request_stop();
        }};
    }
    std::stop_token token() const { return stop_.get_token(); }

private:
    static std::atomic<bool>& flag() {
        static std::atomic<bool> f{false};
        return f;
    }

    std::stop_source stop_;
    std::jthread watch_;
};

/// Writes a file to import: twelve stations, one line each for every minute.
void write_sample(std::string const& file, int lines) {
    std::ofstream out{file};
    for (int i = 0; i < lines; ++i)
        out << "station-" << i % 12 << ',' << i / 12 << ',' << 15 + (i * 7 % 100) / 10.0 << '\n';
}

std::size_t count_lines(std::string const& file) {
    std::ifstream in{file};
    std::size_t lines = 0;
    for (std::string line; std::getline(in, line);) ++lines;
    return lines;
}

reading parse(std::string const& line) {
    auto const first = line.find(','), second = line.find(',', first + 1);
    if (second == std::string::npos) throw std::runtime_error("a line has fewer than three fields");
    reading r{.station = line.substr(0, first)};
    auto const number = [&](std::size_t from, std::size_t to, auto& value) {
        auto const [end, e] = std::from_chars(line.data() + from, line.data() + to, value);
        if (e != std::errc{} || end != line.data() + to) throw std::runtime_error("a field is no number");
    };
    number(first + 1, second, r.minute);
    number(second + 1, line.size(), r.celsius);
    return r;
}

/// The ledger that an interrupted run left, if there is one.
std::optional<tmap::bulk_ledger> earlier_ledger() {
    std::ifstream in{ledger_file};
    std::string text;
    if (!std::getline(in, text)) return std::nullopt;
    return tmap::value_or_throw(tmap::bulk_ledger::parse(text));
}

/// True if all is stored.
bool import(tmap::table<reading> const& readings, std::string const& file, std::stop_token stop) {
    progress_bar bar{"importing", count_lines(file)};
    tmap::bulk_options options;
    options.resume = earlier_ledger();
    options.progress = [&](tmap::bulk_progress const& p) {
        bar.show(p.stored, p.retries > 0 ? std::to_string(p.retries) + " retries" : "");
    };

    std::ifstream in{file};
    auto next = [&, line = std::string{}]() mutable -> std::optional<reading> {
        if (!std::getline(in, line)) return std::nullopt;
        return parse(line);
    };
    auto const report = readings.upsert_many(next, options, {.stop = stop});

    std::cout << "imported " << report.totals.stored << " of " << report.totals.rows << " rows read, "
              << report.totals.stored_before << " of them before, in " << report.totals.requests << " requests\n";
    for (auto const& p : report.problems) std::cout << "  line " << p.position + 1 << ": " << p.error.what() << "\n";
    if (report.ended_by) std::cout << "  " << report.ended_by->what() << "\n";
    if (report.complete())
        std::filesystem::remove(ledger_file);
    else
        std::ofstream{ledger_file} << report.ledger.text() << "\n";
    return report.complete();
}

/// Every reading older than a minute of the day.
void erase_before(tmap::table<reading> const& readings, std::int64_t minute, std::stop_token stop) {
    for (int i = 0; i < 12; ++i) {
        auto const old = readings.query(tmap::partition("station-" + std::to_string(i)), tmap::row_range(0, minute));
        auto const report = readings.erase_where(old, {}, {.stop = stop});
        report.require_complete();
        std::cout << "erased   " << report.erased() << " readings of station-" << i << "\n";
    }
}

void run(std::string file, std::string const& connection_string) {
    if (file.empty()) write_sample(file = "readings.csv", 12'000);
    interruption interrupted;
    tmap::table<reading> const readings{tmap::open(connection_string), "Readings"};
    readings.create_if_not_exists();
    if (!import(readings, file, interrupted.token())) throw std::runtime_error("run it again to import the rest");
    erase_before(readings, 100, interrupted.token());
}

}  // namespace

int main(int argc, char** argv) try {
    std::string file, store = "embedded:readings.db";
    for (int i = 1; i < argc; i += 2) {
        std::string const option = argv[i];
        if (i + 1 == argc || (option != "--csv" && option != "--store")) {
            std::cerr << "usage: bulk_import [--csv FILE] [--store CONNECTION-STRING]\n";
            return 2;
        }
        (option == "--csv" ? file : store) = argv[i + 1];
    }
    run(file, store);
} catch (std::exception const& e) {
    std::cerr << "bulk_import: " << e.what() << "\n";
    return EXIT_FAILURE;
}
