// SPDX-License-Identifier: Apache-2.0
//
// Employees who leave are erased and archived: the leave and the intent to archive are one transaction, and worker
// processes fill the archive. See README.md.

#include "interruption.hpp"
#include "staff.hpp"

#include <tablemap/patterns/relay.hpp>
#include <tablemap/queue/queue.hpp>

#include <CLI/CLI.hpp>

#include <unistd.h>

#include <chrono>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace tmap = tablemap;
using namespace std::chrono_literals;

namespace {

struct arguments {
    std::string store = "embedded:archive.db";
    employee person{};
    int count = 1;
    bool once = false;
    std::chrono::milliseconds slow{0};
    std::optional<int> seconds{};
    std::string pid_file{};
};

/// The tables and queues of a store.
struct company {
    explicit company(std::string const& connection) : store(tmap::open(connection)) {}

    tmap::store_ptr store;
    tmap::table<employee> employees{store, "Employees"};
    tmap::table<former_employee> archive{store, "FormerEmployees"};
    tmap::queue work{store, "archive"};
    tmap::queue poison{store, "archive-poison"};
    archive_outbox outbox{employees, {.queue = work.name()}};
};

// ---- employees ------------------------------------------------------------------------------------------------------

void set_up(company const& c, arguments const&) {
    c.employees.create_if_not_exists();
    c.work.create_if_not_exists();
}

void open_archive(company const& c, arguments const&) { c.archive.create_if_not_exists(); }

/// Several people have the name with a number behind it.
void hire(company const& c, arguments const& a) {
    std::vector<employee> people(static_cast<std::size_t>(a.count), a.person);
    for (int i = 0; i < a.count; ++i) {
        auto& p = people[static_cast<std::size_t>(i)];
        p.id += i;
        if (a.count > 1) p.name += " " + std::to_string(p.id);
    }
    c.employees.insert_many(people).require_complete();
    std::cout << "hired " << a.count << "\n";
}

/// One transaction: the row is erased, and the effect stored.
void leave_one(company const& c, std::string const& department, std::int32_t id) {
    auto const person = c.employees.find(department, id);
    if (!person) throw std::runtime_error{department + " has no employee with the number " + std::to_string(id)};
    auto leaving = c.employees.transaction();
    leaving.erase(*person);
    auto const& p = person->value;
    auto const done = c.outbox.commit(leaving, archive_employee{p.department, p.id, p.name, tmap::ticks::now()});
    if (done.not_queued) std::cerr << "archived by the next sweep, since: " << done.not_queued->what() << "\n";
}

void leave(company const& c, arguments const& a) {
    for (int i = 0; i < a.count; ++i) leave_one(c, a.person.department, a.person.id + i);
    std::cout << a.count << " left\n";
}

// ---- the worker -----------------------------------------------------------------------------------------------------

/// Makes the row of the archive. It may be called again for the same effect, and then writes the same row.
void archive_one(company const& c, arguments const& a, archive_employee const& e) {
    std::this_thread::sleep_for(a.slow);
    c.archive.upsert_replace({e.department, e.id, e.name, e.left});
    std::cout << "archived " << e.department << " " << e.id << " " << e.name << std::endl;
}

/// Short leases, so that the work of a killed relay goes on soon: after 3 seconds.
auto make_relay(company const& c, arguments const& a) {
    // The caller of --once has waited already.
    tmap::relay_options const options{
        .lease = 2s, .clock_margin = 1s, .attempts = 3, .retry_wait = a.once ? 0s : 1s, .sweep_every = 10s};
    return tmap::relay{c.outbox, options,
                       tmap::on<archive_employee>([&c, &a](archive_employee const& e) { archive_one(c, a, e); })};
}

tmap::call_options until_interrupted(interruption const& by, arguments const& a) {
    tmap::call_options until{.stop = by.token()};
    if (a.seconds) until.deadline = tmap::within(std::chrono::seconds{*a.seconds});
    return until;
}

void relay(company const& c, arguments const& a) {
    interruption interrupted;
    if (!a.pid_file.empty()) std::ofstream{a.pid_file} << getpid() << "\n";
    auto const relay = make_relay(c, a);
    auto const done = a.once ? relay.sweep() : relay.run(until_interrupted(interrupted, a));
    std::cout << "applied " << done.applied << ", failed " << done.failed << ", parked " << done.parked << "\n";
    if (done.last_failure) std::cout << "the last failure: " << done.last_failure->what() << "\n";
}

// ---- questions and repairs ------------------------------------------------------------------------------------------

std::size_t count_archived(company const& c) { return c.archive.exists() ? c.archive.scan().count() : 0; }

void status(company const& c, arguments const&) {
    auto const s = c.outbox.status();
    std::chrono::duration<double> const lag = s.lag;
    std::cout << "employees " << c.employees.scan().count() << ", archived " << count_archived(c) << ", pending "
              << s.pending << ", parked " << s.parked << ", lag " << std::setprecision(2) << lag.count() << " s\n";
}

/// Prints the first messages of the poison queue.
void failures(company const& c, arguments const&) {
    if (!c.poison.exists()) return;
    for (auto const& m : c.poison.peek(32)) std::cout << m.text << "\n";
}

void put_back(company const& c, arguments const& a) {
    auto const done = make_relay(c, a).put_back();
    std::cout << "put back " << done.effects << ", messages left " << done.messages_left << "\n";
    if (done.last_failure) std::cout << "the last failure: " << done.last_failure->what() << "\n";
}

void former(company const& c, arguments const& a) {
    for (auto const& e : c.archive.query(tmap::partition(a.person.department)))
        std::cout << e.value.id << " " << e.value.name << ", left " << e.value.left.text() << "\n";
}

// ---- the command line -----------------------------------------------------------------------------------------------

using action = void(company const&, arguments const&);

CLI::App& add(CLI::App& app, arguments& a, char const* name, char const* purpose, action* does) {
    auto& command = *app.add_subcommand(name, purpose);
    command.callback([&a, does] { does(company{a.store}, a); });
    return command;
}

void add_department(CLI::App& command, arguments& a) {
    command.add_option("DEPARTMENT", a.person.department)->required();
}

void add_people(CLI::App& command, arguments& a) {
    add_department(command, a);
    command.add_option("ID", a.person.id, "the number of the first of them")->required();
    command.add_option("--count", a.count, "as many people, with consecutive numbers")->check(CLI::Range(1, 100'000));
}

void add_relay(CLI::App& app, arguments& a) {
    auto& command = add(app, a, "relay", "Archives those who left, until Ctrl+C", relay);
    command.add_flag("--once", a.once, "only those who left before now");
    command.add_option_function<int>(
        "--slow", [&a](int ms) { a.slow = std::chrono::milliseconds{ms}; }, "wait so many milliseconds for each");
    command.add_option("--for", a.seconds, "for so many seconds at most")->check(CLI::Range(1, 1'000'000));
    command.add_option("--pid", a.pid_file, "a file for the number of the process");
}

void add_commands(CLI::App& app, arguments& a) {
    add(app, a, "set-up", "Creates the table of employees and the queue", set_up);
    add(app, a, "open-archive", "Creates the table of the archive", open_archive);
    auto& hires = add(app, a, "hire", "Hires people", hire);
    add_people(hires, a);
    hires.add_option("NAME", a.person.name)->required();
    add_people(add(app, a, "leave", "Erases people, to be archived", leave), a);
    add_relay(app, a);
    add(app, a, "status", "Counts people, and the effects that are left", status);
    add(app, a, "failures", "Prints the messages of the poison queue", failures);
    add(app, a, "put-back", "Makes the effects that the poison queue names pending again", put_back);
    add_department(add(app, a, "former", "Lists the archive of a department", former), a);
}

}  // namespace

int main(int argc, char** argv) try {
    CLI::App app{"Employees, and an archive of those who left"};
    app.require_subcommand(1)->fallthrough();
    arguments a;
    app.add_option("--store", a.store, "connection string")->capture_default_str();
    add_commands(app, a);
    CLI11_PARSE(app, argc, argv);
    return 0;
} catch (std::exception const& e) {
    std::cerr << "archive: " << e.what() << "\n";
    return 1;
}
