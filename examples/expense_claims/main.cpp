// SPDX-License-Identifier: Apache-2.0
//
// Expense claims, the newest first. claims.json describes a claim and the ways to read claims; README.md shows the
// program in use.

#include <claims.hpp>

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

namespace tmap = tablemap;
using contoso::claim;
using contoso::claim_repository;
using contoso::state;

namespace {

struct arguments {
    std::string store = "embedded:claims.db";
    std::string employee{};
    std::int32_t receipt{};
    std::int64_t cents{};
    std::string reason{};
    std::optional<std::string> at{};
    std::size_t count = 10;
    std::size_t page = 10;
    std::optional<std::string> cursor{};
    std::string first_day{};
    std::string last_day{};
    std::string approver{};
    std::string file{};
};

// ---- text ----------------------------------------------------------------------------------------------------------

tmap::ticks parse_time(std::string const& text) {
    auto const t = tmap::ticks::parse(text);
    if (!t) throw std::runtime_error(text + " is no time; write it as 2024-02-05T10:15:00Z");
    return *t;
}

tmap::ticks parse_day(std::string const& text) {
    auto const t = tmap::ticks::parse(text);
    if (!t) throw std::runtime_error(text + " is no day; write it as 2024-02-05");
    return *t;
}

std::string money(std::int64_t cents) {
    auto const rest = cents % 100;
    return std::to_string(cents / 100) + (rest < 10 ? ".0" : ".") + std::to_string(rest);
}

void print(claim const& c) {
    std::cout << c.submitted.text() << std::setw(8) << c.receipt << std::setw(10) << money(c.cents) << "  " << std::left
              << std::setw(10) << tmap::enum_name(c.state) << std::right << c.reason;
    if (c.decided_by) std::cout << " (" << *c.decided_by << ")";
    std::cout << "\n";
}

// ---- commands that write -------------------------------------------------------------------------------------------

claim checked(claim c) {
    constexpr std::int64_t largest = 100'000'000;  // cents
    if (c.employee.empty() || c.reason.empty() || c.cents <= 0 || c.cents > largest)
        throw std::runtime_error("a claim names an employee and a reason, and is of 0.01 to " + money(largest));
    return c;
}

void submit(claim_repository const& claims, arguments const& a) {
    auto const now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    auto stored = claims.table().try_insert(checked({.employee = a.employee,
                                                     .submitted = a.at ? parse_time(*a.at) : tmap::ticks{now},
                                                     .receipt = a.receipt,
                                                     .cents = a.cents,
                                                     .reason = a.reason}));
    if (!stored && stored.error().code() == tmap::error_kind::already_exists)
        throw std::runtime_error("receipt " + std::to_string(a.receipt) + " of " + a.employee + " was claimed before");
    print(tmap::value_or_throw(std::move(stored)).value);
}

/// Only an entered claim can be decided. `modify` writes only if the claim has not changed since the function saw it.
/// After a conflict it reads again and calls the function again, which then refuses.
void decide(claim_repository const& claims, arguments const& a, state decision) {
    std::string const name = "receipt " + std::to_string(a.receipt) + " of " + a.employee;
    auto const found = claims.find_by_receipt(a.employee, a.receipt);
    if (!found) throw std::runtime_error(name + " was never claimed");
    auto const decided = claims.table().modify({a.employee, found->value.submitted, a.receipt}, [&](claim& c) {
        if (c.state != state::entered)
            throw std::runtime_error(name + " was " + std::string{tmap::enum_name(c.state)} + " by " +
                                     c.decided_by.value_or("another person") + "; a decision stands");
        c.state = decision;
        c.decided_by = a.approver;
    });
    print(decided.value);
}

void approve(claim_repository const& claims, arguments const& a) { decide(claims, a, state::approved); }
void refuse(claim_repository const& claims, arguments const& a) { decide(claims, a, state::refused); }

constexpr char const* columns = "employee,submitted,receipt,cents,reason";

claim parse_claim(std::string const& line) {
    std::istringstream in{line};
    claim c;
    std::string submitted;
    char after_receipt{}, after_cents{};
    std::getline(in, c.employee, ',');
    std::getline(in, submitted, ',');
    in >> c.receipt >> after_receipt >> c.cents >> after_cents;
    std::getline(in, c.reason);
    if (!in || after_receipt != ',' || after_cents != ',')
        throw std::runtime_error(std::string{"it is not "} + columns);
    c.submitted = parse_time(submitted);
    return checked(std::move(c));
}

/// The claims of a file, one at a time.
class claim_file {
public:
    explicit claim_file(std::string name) : name_(std::move(name)), in_(name_) {
        if (!next_line()) throw std::runtime_error("cannot read " + name_ + ", or it is empty");
        if (line_ != columns) throw std::runtime_error("the first line of " + name_ + " has to be " + columns);
    }
    std::optional<claim> next() try {
        return next_line() ? std::optional{parse_claim(line_)} : std::nullopt;
    } catch (std::exception const& e) {
        throw std::runtime_error(name_ + ", line " + std::to_string(number_) + ": " + e.what());
    }

private:
    bool next_line() {
        if (!std::getline(in_, line_)) return false;
        if (line_.ends_with('\r')) line_.pop_back();
        ++number_;
        return true;
    }

    std::string name_;
    std::ifstream in_;
    std::string line_{};
    std::size_t number_ = 0;
};

/// Stores new claims. An existing claim keeps its state, so a file may be imported again.
void import_file(claim_repository const& claims, arguments const& a) {
    claim_file file{a.file};
    std::size_t there_before = 0;
    tmap::bulk_options options;
    options.on_problem = [&](tmap::bulk_problem const& p) {
        if (p.error.code() == tmap::service_errc::entity_already_exists) {
            ++there_before;
            return;
        }
        bool const taken = p.error.code() == tmap::library_errc::unique_value_taken;
        // Positions count from 0, lines from 1, and the first one names the columns.
        std::cerr << a.file << ", line " << p.position + 2 << ": "
                  << (taken ? "the receipt was claimed before, at another time" : p.error.what()) << "\n";
    };
    auto const report = claims.table().insert_many([&] { return file.next(); }, options);

    std::cout << report.totals.stored << " claims imported, " << there_before << " were there before\n";
    if (report.ended_by) throw *report.ended_by;
    if (report.totals.stored + there_before < report.totals.rows)
        throw std::runtime_error("lines of " + a.file + " are not imported; correct them and import the file again");
}

// ---- commands that read --------------------------------------------------------------------------------------------

void latest(claim_repository const& claims, arguments const& a) {
    for (auto const& c : claims.latest(a.employee, a.count)) print(c.value);
}

/// Prints a page, and the cursor of the next page.
void list(claim_repository const& claims, arguments const& a) try {
    auto page = claims.of_employee(a.employee).top(a.page).page_size(a.page);
    if (a.cursor) page = std::move(page).from(*a.cursor);
    for (auto const& c : page) print(c.value);
    if (auto const next = page.cursor()) std::cout << "next: " << *next << "\n";
} catch (tmap::error const& e) {
    if (e.code() != tmap::library_errc::invalid_cursor) throw;
    throw std::runtime_error("the cursor is damaged, or of another employee or store; list without it to begin again");
}

struct days {
    tmap::ticks from;
    tmap::ticks to;
};

days parse_days(arguments const& a) {
    days const d{parse_day(a.first_day), parse_day(a.last_day) + std::chrono::days{1}};
    if (d.to <= d.from) throw std::runtime_error(a.last_day + " is before " + a.first_day);
    return d;
}

void between(claim_repository const& claims, arguments const& a) {
    auto const [from, to] = parse_days(a);
    for (auto const& c : claims.submitted_within(a.employee, from, to)) print(c.value);
}

/// Reads two columns of each claim; the others stay in the store.
void totals(claim_repository const& claims, arguments const& a) {
    struct total {
        std::size_t count = 0;
        std::int64_t cents = 0;
    };
    std::map<state, total> all;
    auto const [from, to] = parse_days(a);
    for (auto const& [what, cents] : claims.amounts_within(a.employee, from, to)) {
        ++all[what].count;
        all[what].cents += cents;
    }
    for (auto const& [what, sum] : all)
        std::cout << std::left << std::setw(10) << tmap::enum_name(what) << std::right << std::setw(4) << sum.count
                  << std::setw(12) << money(sum.cents) << "\n";
}

// ---- the command line ----------------------------------------------------------------------------------------------

using command = void (*)(claim_repository const&, arguments const&);

/// Parsing the command line fills `a` and runs the command.
CLI::App& add(CLI::App& app, arguments& a, command run, std::string const& name, std::string const& what) {
    auto& sub = *app.add_subcommand(name, what);
    sub.callback([&a, run] {
        claim_repository const claims{tmap::open(a.store)};
        claims.table().create_if_not_exists();
        run(claims, a);
    });
    return sub;
}

CLI::App& add_of_employee(CLI::App& app, arguments& a, command run, std::string const& name, std::string const& what) {
    auto& sub = add(app, a, run, name, what);
    sub.add_option("EMPLOYEE", a.employee)->required();
    return sub;
}

void add_decision(CLI::App& app, arguments& a, command run, std::string const& name, std::string const& what) {
    auto& sub = add_of_employee(app, a, run, name, what);
    sub.add_option("RECEIPT", a.receipt)->required();
    sub.add_option("--by", a.approver, "Who decides")->required();
}

void add_days(CLI::App& app, arguments& a, command run, std::string const& name, std::string const& what) {
    auto& sub = add_of_employee(app, a, run, name, what);
    sub.add_option("FIRST", a.first_day, "A day such as 2024-02-05, in UTC")->required();
    sub.add_option("LAST", a.last_day, "Another, which is counted too")->required();
}

void add_commands(CLI::App& app, arguments& a) {
    auto& entered = add_of_employee(app, a, submit, "submit", "Enters a claim");
    entered.add_option("RECEIPT", a.receipt, "The number on the receipt")->required();
    entered.add_option("CENTS", a.cents)->required();
    entered.add_option("REASON", a.reason)->required();
    entered.add_option("--at", a.at, "When, such as 2024-02-05T10:15:00Z; now without it");

    auto& newest = add_of_employee(app, a, latest, "latest", "Shows the newest claims");
    newest.add_option("--count", a.count, "So many of them")->capture_default_str()->check(CLI::Range(1, 1000));

    auto& pages = add_of_employee(app, a, list, "list", "Shows a page of all claims");
    pages.add_option("--page", a.page, "Claims of a page")->capture_default_str()->check(CLI::Range(1, 1000));
    pages.add_option("--cursor", a.cursor, "What the page before printed behind \"next:\"");

    add_decision(app, a, approve, "approve", "Approves an entered claim");
    add_decision(app, a, refuse, "refuse", "Refuses an entered claim");
    add_days(app, a, between, "between", "Shows the claims of some days");
    add_days(app, a, totals, "totals", "Sums the claims of some days by their state");

    auto& file = add(app, a, import_file, "import", "Enters the claims of a file");
    file.add_option("FILE", a.file, std::string{"A first line "} + columns + ", then such lines")->required();
}

}  // namespace

int main(int argc, char** argv) {
    arguments a;
    CLI::App app{"Expense claims, the newest first"};
    app.require_subcommand(1);
    app.fallthrough();
    app.add_option("--store", a.store, "embedded:FILE, or the connection string of a storage account")
        ->capture_default_str();
    add_commands(app, a);
    try {
        app.parse(argc, argv);
    } catch (CLI::ParseError const& e) {
        return app.exit(e);
    } catch (std::exception const& e) {
        std::cerr << "claims: " << e.what() << "\n";
        return EXIT_FAILURE;
    }
}
