// SPDX-License-Identifier: Apache-2.0
//
// Sign-ins of employees in a table for each day, of which old ones are dropped; and sessions, which expire. See
// README.md.

#include "records.hpp"

#include <tablemap/patterns/expiry_sweeper.hpp>
#include <tablemap/patterns/index_relay.hpp>
#include <tablemap/patterns/unexpired_table.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>

namespace tmap = tablemap;
using namespace std::chrono_literals;
using std::chrono::days;

namespace {

constexpr auto length_of_session = 30min;

struct arguments {
    std::string store = "embedded:signins.db";
    std::optional<tmap::ticks> now{};
    std::string employee{};
    std::string device{};
    std::optional<tmap::ticks> at{}, from{}, to{};
    bool failed = false;

    tmap::ticks present() const { return now ? *now : tmap::ticks::now(); }
};

/// The tables of a store.
struct records {
    explicit records(arguments const& a)
        : store(tmap::open(a.store)),
          sign_ins(store, "signins", {.keep = days{30}, .now = [a] { return a.present(); }}),
          live(sessions, [a] { return a.present(); }),
          sweeper(sessions, {.now = [a] { return a.present(); }}) {
        sessions.create_if_not_exists();
        relay.create_if_not_exists();
    }

    tmap::store_ptr store;
    daily_sign_ins sign_ins;
    tmap::table<session> sessions{store, "Sessions"};
    tmap::index_relay<session> relay{sessions};
    tmap::unexpired_table<session> live;
    tmap::expiry_sweeper<session> sweeper;
};

// ---- sign-ins -------------------------------------------------------------------------------------------------------

/// Begins a session, also where one has expired and is not erased yet; or prolongs one that goes on.
void begin_session(records const& r, arguments const& a, tmap::ticks at) {
    auto const until = at + length_of_session;
    if (until <= a.present()) return;  // the sign-in came late
    session const begun{a.employee, a.device, until};
    auto const prolong = [until](session& s) { s.until = std::max(s.until, until); };
    r.sessions.modify_or_insert(begun, prolong);
    r.relay.run_once(tmap::partition(a.employee));  // so that a sweep finds the session when it has expired
}

void sign_in_now(records const& r, arguments const& a) {
    auto const at = a.at.value_or(a.present());
    if (!r.sign_ins.insert_unless_late({a.employee, at, a.device, !a.failed})) {
        std::cout << "too late: sign-ins of that day are not kept any more\n";
        return;
    }
    if (!a.failed) begin_session(r, a, at);
    std::cout << "stored in " << r.sign_ins.at(at).name() << "\n";
}

void print(sign_in const& s) {
    std::cout << s.at << " " << s.employee << " " << s.device << (s.success ? "" : ", failed") << "\n";
}

/// The days from the first one up to, not including, the last one.
template <class Range> void print_all(Range range, arguments const& a) {
    if (a.failed) range = range.where(!tmap::field<&sign_in::success>);
    for (auto const& e : range) print(e.value);
}

void list(records const& r, arguments const& a) {
    auto const span = tmap::since(a.from.value_or(tmap::ticks::min())).before(a.to.value_or(tmap::ticks::max()));
    if (a.employee.empty())
        print_all(r.sign_ins.scan(span), a);
    else
        print_all(r.sign_ins.query(span, tmap::partition(a.employee)), a);
}

void days_kept(records const& r, arguments const&) {
    for (auto const& day : r.sign_ins.tables()) std::cout << day.name() << " " << day.scan().count() << "\n";
}

void retain(records const& r, arguments const&) {
    auto const report = r.sign_ins.retain();
    for (auto const& t : report.tables)
        if (t.why) std::cout << t.table << ": " << t.why->what() << "\n";
    std::cout << "dropped " << report.dropped().size() << "\n";
}

// ---- sessions -------------------------------------------------------------------------------------------------------

/// Inserts nothing: a session that another process ends at this moment stays ended. False: there is none.
bool prolong_session(records const& r, arguments const& a) {
    auto const until = a.present() + length_of_session;
    auto const prolong = [until](session& s) { s.until = std::max(s.until, until); };
    auto const prolonged = r.sessions.try_modify({a.employee, a.device}, prolong);
    if (!prolonged && prolonged.error().code() == tmap::error_kind::not_found) return false;
    if (!prolonged) throw prolonged.error();
    r.relay.run_once(tmap::partition(a.employee));
    return true;
}

/// Prolongs a session when half of its time is over: each write costs the work of a relay.
void use_session(records const& r, arguments const& a) {
    auto const found = r.live.find(a.employee, a.device);
    bool const is_old = found && found->value.until - a.present() < length_of_session / 2;
    if (!found || (is_old && !prolong_session(r, a)))
        throw std::runtime_error{a.employee + " has no session on " + a.device + "; sign in"};
    std::cout << "welcome back\n";
}

void sign_out(records const& r, arguments const& a) {
    bool const was_there = r.sessions.erase_any({a.employee, a.device});
    r.relay.run_once(tmap::partition(a.employee));
    std::cout << (was_there ? "signed out\n" : "there was no session\n");
}

void who(records const& r, arguments const&) {
    auto sessions = r.live.scan();
    for (auto const& e : sessions)
        std::cout << e.value.employee << " " << e.value.device << " until " << e.value.until << "\n";
}

/// Erases expired sessions, under the etags that were read: one that is used meanwhile stays.
void sweep(records const& r, arguments const&) {
    auto const done = r.sweeper.sweep({.deadline = tmap::within(1min)});
    std::cout << "erased " << done.erased << ", rows of the index removed " << done.relayed.erased << "\n";
    if (done.ended_by) std::cout << "ended early: " << done.ended_by->what() << "\n";
    if (done.last_failure) std::cout << "the last failure: " << done.last_failure->what() << "\n";
}

/// A program that ended between the write of a session and `run_once` has left a session that no sweep finds. This
/// finds it, and reads the whole table.
void relay_all(records const& r, arguments const&) { std::cout << "relayed " << r.relay.sweep().entities << "\n"; }

// ---- the command line -----------------------------------------------------------------------------------------------

using action = void(records const&, arguments const&);

CLI::App& add(CLI::App& app, arguments& a, char const* name, char const* purpose, action* does) {
    auto& command = *app.add_subcommand(name, purpose);
    command.callback([&a, does] { does(records{a}, a); });
    return command;
}

/// Takes 2014-07-31, which is its beginning in UTC, or 2014-07-31T09:00:00Z.
void add_time(CLI::App& command, std::string const& name, std::optional<tmap::ticks>& to, std::string const& what) {
    auto const parse = [&to, name](std::string const& text) {
        auto const t = tmap::ticks::parse(text);
        if (!t) throw CLI::ValidationError{name, "give a time as 2014-07-31 or 2014-07-31T09:00:00Z"};
        to = *t;
    };
    command.add_option_function<std::string>(name, parse, what)->type_name("TIME");
}

CLI::App& add_session(CLI::App& command, arguments& a) {
    command.add_option("EMPLOYEE", a.employee)->required();
    command.add_option("DEVICE", a.device)->required();
    return command;
}

void add_list(CLI::App& app, arguments& a) {
    auto& command = add(app, a, "list", "Prints the sign-ins of a span of days", list);
    add_time(command, "--from", a.from, "the first time");
    add_time(command, "--to", a.to, "the time before which it ends");
    command.add_option("--employee", a.employee, "of one employee only");
    command.add_flag("--failed", a.failed, "only those that failed");
}

void add_commands(CLI::App& app, arguments& a) {
    auto& in = add_session(add(app, a, "in", "Stores a sign-in, and begins a session", sign_in_now), a);
    in.add_flag("--failed", a.failed, "the password was wrong: no session begins");
    add_time(in, "--at", a.at, "its time, if it comes late");
    add_session(add(app, a, "use", "Uses a session, which prolongs it", use_session), a);
    add_session(add(app, a, "out", "Ends a session", sign_out), a);
    add(app, a, "who", "Lists the sessions that have not expired", who);
    add_list(app, a);
    add(app, a, "days", "Counts the sign-ins of each day", days_kept);
    add(app, a, "retain", "Drops the days that ended 30 days ago or before", retain);
    add(app, a, "sweep", "Erases the sessions that have expired", sweep);
    add(app, a, "relay", "Makes sessions known to sweeps that a killed program has left", relay_all);
}

}  // namespace

int main(int argc, char** argv) try {
    CLI::App app{"Sign-ins of employees, and their sessions"};
    app.require_subcommand(1)->fallthrough();
    arguments a;
    app.add_option("--store", a.store, "connection string")->capture_default_str();
    add_time(app, "--now", a.now, "the present; the clock of the system if it is not given");
    add_commands(app, a);
    CLI11_PARSE(app, argc, argv);
    return 0;
} catch (std::exception const& e) {
    std::cerr << "signins: " << e.what() << "\n";
    return 1;
}
