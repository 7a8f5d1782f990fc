// SPDX-License-Identifier: Apache-2.0

// Personnel records with encrypted salaries, bank accounts and notes. README.md shows the program in use.

#include "key_folder.hpp"

#include <tablemap/tablemap.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace tmap = tablemap;

namespace {

struct record {
    std::string department{};
    std::int32_t id{};
    std::string name{};
    tmap::encrypted<std::int64_t> salary{};  // in euros for a year
    tmap::encrypted<std::string> iban{};
    std::optional<tmap::encrypted<std::string>> note{};
};

/// A salary for a program without keys, which can only copy the bytes.
struct sealed_salary {
    std::string department{};
    std::int32_t id{};
    tmap::bytes salary{};
};

}  // namespace

// A row from which the salary or bank account was removed is refused, and not read as 0.
template <> struct tmap::mapping<record> {
    static constexpr auto partition_key = tmap::key(tmap::part<&record::department>);
    static constexpr auto row_key = tmap::key(tmap::part<&record::id>.width(6));
    static constexpr auto members =
        tmap::members(tmap::member<&record::salary>.required(), tmap::member<&record::iban>.required().blind_index());
};

template <> struct tmap::mapping<sealed_salary> {
    static constexpr auto partition_key = tmap::key(tmap::part<&sealed_salary::department>);
    static constexpr auto row_key = tmap::key(tmap::part<&sealed_salary::id>.width(6));
    static constexpr auto members = tmap::members(tmap::member<&sealed_salary::salary>.required());
};

namespace {

constexpr auto table_name = "Personnel";

struct arguments {
    std::string store = "embedded:personnel.db";
    std::string keys = "keys";
    std::string key_name{};
    std::string department{};
    std::int32_t id{};
    std::int32_t from_id{};
    std::string name{};
    std::int64_t amount{};
    std::string iban{};
    std::optional<std::string> note{};
};

tmap::table<record> open_records(arguments const& a) {
    tmap::open_options options;
    options.keys = key_folder{a.keys}.read();
    return {tmap::open(a.store, options), table_name};
}

/// The rows as they appear without keys.
template <class T> tmap::table<T> open_without_keys(arguments const& a) { return {tmap::open(a.store), table_name}; }

std::runtime_error no_such_record() { return std::runtime_error{"there is no record of that department and number"}; }

/// The fault of a row: the members that cannot be read, and the reason for the first.
std::string reason_of(tmap::error const& e) {
    if (e.faults().empty()) return e.what();
    std::string text;
    for (auto const& fault : e.faults()) text += (text.empty() ? "" : ", ") + fault.property;
    auto const& first = e.faults().front();
    return text + ": " + first.code.message() + (first.reason.empty() ? "" : ": " + first.reason);
}

/// In capitals and without spaces, because a blind index finds equal texts. Throws if the text is not an IBAN (ISO
/// 13616).
std::string canonical_iban(std::string text) {
    std::erase(text, ' ');
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
    auto const is_letter = [](char c) { return c >= 'A' && c <= 'Z'; };
    auto const is_digit = [](char c) { return c >= '0' && c <= '9'; };
    bool valid = text.size() >= 15 && text.size() <= 34;
    int rest = 0;
    for (std::size_t i = 0; valid && i < text.size(); ++i) {
        auto const c = text[(i + 4) % text.size()];  // the country and the check digits count last
        valid = is_letter(c) || is_digit(c);
        rest = (is_letter(c) ? rest * 100 + (c - 'A' + 10) : rest * 10 + (c - '0')) % 97;
    }
    if (!valid || rest != 1) throw std::runtime_error{"that is no IBAN: a digit is wrong, or missing"};
    return text;
}

void new_key(arguments const& a) {
    std::cout << key_folder{a.keys}.make(a.key_name).string() << " is the current key\n";
}

void add(arguments const& a) {
    record r{
        .department = a.department, .id = a.id, .name = a.name, .salary = a.amount, .iban = canonical_iban(a.iban)};
    if (a.note) r.note = *a.note;
    auto const records = open_records(a);
    records.create_if_not_exists();
    records.insert(r);
    std::cout << a.department << ' ' << a.id << " added\n";
}

void show(arguments const& a) {
    auto const found = open_records(a).find(a.department, a.id);
    if (!found) throw no_such_record();
    auto const& r = found->value;
    std::cout << r.name << "\n  salary  " << *r.salary << "\n  iban    " << *r.iban << '\n';
    if (r.note) std::cout << "  note    " << **r.note << '\n';
}

void list(arguments const& a) {
    auto const records = open_records(a);
    std::vector<tmap::bad_row> unreadable;
    auto found = records.query(tmap::partition(a.department)).on_error(tmap::skip_bad_rows([&](tmap::bad_row const& r) {
        unreadable.push_back(r);
    }));
    for (auto const& e : found) std::cout << e.value.id << "  " << e.value.name << "  " << *e.value.salary << '\n';
    for (auto const& r : unreadable) std::cout << r.row_key << "  " << reason_of(r.error) << '\n';
    if (!unreadable.empty()) throw std::runtime_error{"some records cannot be read"};
}

/// Reads the record and writes the one value; retries on conflict.
void raise(arguments const& a) {
    auto const now = open_records(a).modify({a.department, a.id}, [&](record& r) { r.salary = *r.salary + a.amount; });
    std::cout << now.value.name << " earns " << *now.value.salary << '\n';
}

/// Writes the one value without reading, even over an unreadable one.
void set_salary(arguments const& a) {
    open_records(a).merge_any({.department = a.department, .id = a.id, .salary = a.amount},
                              tmap::only<&record::salary>);
    std::cout << a.department << ' ' << a.id << " earns " << a.amount << '\n';
}

void find_iban(arguments const& a) {
    auto const records = open_records(a);
    std::size_t found = 0;
    for (auto const& e : records.scan(tmap::blind<&record::iban> == canonical_iban(a.iban))) {
        std::cout << e.value.department << ' ' << e.value.id << "  " << e.value.name << '\n';
        ++found;
    }
    if (found == 0) std::cout << "no record has that account\n";
}

/// The stored form of a property. Of bytes only the first; those of an encrypted value contain the name of its key.
std::string stored_text(tmap::property_value const& value) {
    if (auto const* const text = std::get_if<std::string>(&value)) return '"' + *text + '"';
    auto const* const data = std::get_if<tmap::bytes>(&value);
    if (!data) return std::string{tmap::edm_name(tmap::type_of(value))};
    std::string shown;
    for (std::size_t i = 0; i < std::min<std::size_t>(data->size(), 16); ++i) {
        auto const c = std::to_integer<unsigned char>((*data)[i]);
        shown += c >= 0x21 && c <= 0x7E ? static_cast<char>(c) : '.';
    }
    return std::to_string(data->size()) + " bytes: " + shown;
}

void raw(arguments const& a) {
    auto const rows = open_without_keys<tmap::dynamic_entity>(a);
    for (auto const& e : rows.query(tmap::partition(a.department))) {
        std::cout << e.value.partition_key << " / " << e.value.row_key << '\n';
        for (auto const& p : e.value.properties()) std::cout << "  " << p.name << "  " << stored_text(p.value) << '\n';
    }
}

/// An attack by someone who can write to the store and has no keys.
void tamper(arguments const& a) {
    auto const rows = open_without_keys<sealed_salary>(a);
    auto const better_paid = rows.find(a.department, a.from_id);
    if (!better_paid) throw no_such_record();
    rows.merge_any({a.department, a.id, better_paid->value.salary}, tmap::only<&sealed_salary::salary>);
    std::cout << "the salary of " << a.from_id << " stands in " << a.id << '\n';
}

void rotate(arguments const& a) {
    key_folder const folder{a.keys};
    auto const keys = folder.read();
    tmap::table<record> const records{tmap::open(a.store, {.keys = keys}), table_name};
    tmap::reencryption_options options;
    options.progress = [](tmap::reencryption_report const& r) {
        std::cout << r.rewritten << " rows rewritten, " << r.refused.size() << " refused" << std::endl;
    };
    auto const report = records.reencrypt(options);
    for (auto const& r : report.refused)
        std::cout << r.partition_key << ' ' << r.row_key << "  " << reason_of(r.error) << '\n';
    if (!report.refused.empty()) throw std::runtime_error{"some values cannot be read: keep all files of keys"};
    auto const all = tmap::value_or_throw(keys->all());  // the current one first
    for (auto old = all.begin() + 1; old != all.end(); ++old)
        std::cout << folder.file_of(old->id()).string() << " is not needed any more\n";
}

/// One line for the user: a message of the program for common errors, otherwise that of the library with a remedy.
std::string explain(tmap::error const& e) {
    auto const code = e.code();
    if (e.outcome() != tmap::outcome::in_doubt) {
        if (code == tmap::service_errc::entity_already_exists) return "that number is taken in the department";
        if (code == tmap::service_errc::resource_not_found) return no_such_record().what();
        if (code == tmap::service_errc::table_not_found) return "there are no records yet: add the first";
    }
    if (code == tmap::library_errc::unknown_encryption_key) return reason_of(e) + "; is --keys the right folder?";
    if (code == tmap::library_errc::misplaced_ciphertext)
        return reason_of(e) + "; if its file is the right one, the value was copied here";
    return e.what();
}

void add_commands(CLI::App& app, arguments& a) {
    auto const command = [&](char const* name, char const* does, void (*run)(arguments const&)) {
        auto* const c = app.add_subcommand(name, does);
        c->callback([&a, run] { run(a); });
        return c;
    };
    auto const of_department = [&](CLI::App* c) {
        c->add_option("DEPARTMENT", a.department)->required();
        return c;
    };
    auto const of_record = [&](CLI::App* c) {
        of_department(c)->add_option("ID", a.id, "Number in the department")->required()->check(CLI::Range(0, 999'999));
        return c;
    };
    auto const amount = [&](CLI::App* c, char const* name, int least) {
        c->add_option(name, a.amount, "In euros for a year")->required()->check(CLI::Range(least, 10'000'000));
    };
    auto const iban = [&](CLI::App* c) { c->add_option("IBAN", a.iban, "With or without spaces")->required(); };

    auto* const making = command("new-key", "Make a key, the current one from now on", new_key);
    making->add_option("NAME", a.key_name, "Comes after those of before: 2026, 2027")->required();
    auto* const adding = of_record(command("add", "Add a record", add));
    adding->add_option("NAME", a.name)->required();
    amount(adding, "SALARY", 0);
    iban(adding);
    adding->add_option("--note", a.note);
    of_record(command("show", "Show a record", show));
    of_department(command("list", "List the records of a department", list));
    amount(of_record(command("raise", "Raise a salary", raise)), "AMOUNT", 1);
    amount(of_record(command("set-salary", "Write a salary, whatever stands there", set_salary)), "SALARY", 0);
    iban(command("find-iban", "Find who is paid to a bank account", find_iban));
    of_department(command("raw", "Show a department as the store holds it, without keys", raw));
    auto* const tampering =
        of_record(command("tamper", "Copy an encrypted salary into a record, without keys", tamper));
    tampering->add_option("FROM", a.from_id, "Number of the record whose salary is copied")->required();
    command("rotate", "Bring all values under the current key", rotate);
}

}  // namespace

int main(int argc, char** argv) try {
    arguments a;
    CLI::App app{"Keeps personnel records, encrypted.", "personnel"};
    app.require_subcommand(1);
    app.fallthrough();
    app.add_option("--store", a.store, "Connection string: a file, an emulator, an account")->capture_default_str();
    app.add_option("--keys", a.keys, "Folder of the keys")->capture_default_str();
    add_commands(app, a);
    CLI11_PARSE(app, argc, argv);
} catch (tmap::error const& e) {
    std::cerr << "personnel: " << explain(e) << '\n';
    return 1;
} catch (std::exception const& e) {
    std::cerr << "personnel: " << e.what() << '\n';
    return 1;
}
