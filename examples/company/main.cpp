// SPDX-License-Identifier: Apache-2.0
//
// The departments of a company and the people who work in them, at the command line: see README.md.

#include "staffing.hpp"

#include <CLI/CLI.hpp>
#include <boost/algorithm/string/case_conv.hpp>

#include <cstdint>
#include <exception>
#include <iostream>
#include <limits>
#include <locale>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace tmap = tablemap;

namespace {

using contoso::department;
using contoso::employee;
using contoso::refused;

/// Any row of the table; the discriminator distinguishes the types.
using department_or_employee = std::variant<department, employee>;

/// The arguments of the commands.
struct arguments {
    std::string store{"embedded:company.db"};
    department office{};
    employee person{};
    std::string to{};
    std::string phone{};
    std::optional<std::int32_t> whose{};
    std::int32_t first = 0;
    std::int32_t last = std::numeric_limits<std::int32_t>::max();
    std::string beginning{};
    bool explains = false;
};

// ---- output ---------------------------------------------------------------------------------------------------------

void print(department const& d) {
    std::cout << d.name << ": building " << d.building << ", people " << d.people;
    if (d.phone) std::cout << ", phone " << *d.phone;
    std::cout << "\n";
}

void print(employee const& e) {
    std::cout << "  " << e.id << " " << e.first_name << " " << e.last_name << ", " << e.email << ", " << e.salary
              << " EUR";
    if (e.phone) std::cout << ", phone " << *e.phone;
    std::cout << "\n";
}

// ---- changes --------------------------------------------------------------------------------------------------------

void found(tmap::store_ptr const& store, arguments const& a) {
    contoso::department_repository const departments{store};
    departments.table().create_if_not_exists();
    auto done = departments.table().try_insert(a.office);
    if (!done && done.error().code() == tmap::service_errc::entity_already_exists)
        throw refused{"there is a department " + a.office.name + " already"};
    print(tmap::value_or_throw(std::move(done)).value);
}

void hire(tmap::store_ptr const& store, arguments const& a) { print(contoso::staffing{store}.hire(a.person)); }

void leave(tmap::store_ptr const& store, arguments const& a) {
    print(contoso::staffing{store}.leave(a.person.department, a.person.id));
}

void move(tmap::store_ptr const& store, arguments const& a) {
    print(contoso::staffing{store}.move(a.person.department, a.person.id, a.to));
}

/// Changes one person; writes only the differences, and the index rows.
void change(tmap::store_ptr const& store, arguments const& a, auto const& how) {
    contoso::employee_repository const people{store};
    auto const done = people.table().try_modify({a.person.department, a.person.id}, how);
    if (!done) contoso::throw_refused(done.error(), a.person.department, a.person.id);
    print(done->value);
}

void raise(tmap::store_ptr const& store, arguments const& a) {
    change(store, a, [&](employee& e) { e.salary += a.person.salary; });
}

void rename(tmap::store_ptr const& store, arguments const& a) {
    change(store, a, [&](employee& e) {
        e.last_name = a.person.last_name;
        if (!a.person.email.empty()) e.email = a.person.email;
    });
}

/// Both departments and people have telephones, so this changes a row of either type.
void phone(tmap::store_ptr const& store, arguments const& a) {
    tmap::table<department_or_employee> const company{store, "Company"};
    using key = tmap::key_of<department_or_employee>;
    auto const whose =
        a.whose ? key{tmap::key_of<employee>{a.office.name, *a.whose}} : key{tmap::key_of<department>{a.office.name}};
    auto done = company.try_modify(
        whose, [&](department_or_employee& row) { std::visit([&](auto& r) { r.phone = a.phone; }, row); });
    if (!done && done.error().code() == tmap::service_errc::resource_not_found)
        throw refused{"there is no such department, or no person with this number in it"};
    std::visit([](auto const& row) { print(row); }, tmap::value_or_throw(std::move(done)).value);
}

// ---- questions ------------------------------------------------------------------------------------------------------

/// The department's row and those of its people, in one query.
void show(tmap::store_ptr const& store, arguments const& a) {
    tmap::table<department_or_employee> const company{store, "Company"};
    bool any = false;
    for (auto const& row : company.query(tmap::partition(a.office.name))) {
        std::visit([](auto const& r) { print(r); }, row.value);
        any = true;
    }
    if (!any) throw refused{"there is no department " + a.office.name};
}

void staff(tmap::store_ptr const& store, arguments const& a) {
    for (auto const& e : contoso::employee_repository{store}.by_number(a.office.name, a.first, a.last)) print(e.value);
}

void find(tmap::store_ptr const& store, arguments const& a) {
    auto const e = contoso::employee_repository{store}.find_by_email(a.office.name, a.person.email);
    if (!e) throw refused{"no person in " + a.office.name + " has this e-mail address"};
    print(e->value);
}

void by_name(tmap::store_ptr const& store, arguments const& a) {
    auto names = contoso::employee_repository{store}.by_name(a.office.name, a.beginning);
    if (a.explains) std::cout << names.explain().text();
    for (auto const& [last, first, id, email] : names)
        std::cout << "  " << last << ", " << first << ": " << id << ", " << email << "\n";
}

// ---- upkeep ---------------------------------------------------------------------------------------------------------

/// True if the count in the department's row is right. Every hire and leave changes that row: between two reads of the
/// same etag nobody was hired or left.
bool counts_right(contoso::department_repository const& departments, contoso::employee_repository const& people,
                  tmap::entity<department> d) {
    for (;;) {
        auto const count = people.head_count(d.value.name);
        auto const now = departments.find(d.value.name);
        if (!now || now->etag == d.etag) return std::cmp_equal(count, now ? d.value.people : 0);
        d = *now;
    }
}

void check(tmap::store_ptr const& store, arguments const&) {
    contoso::department_repository const departments{store};
    contoso::employee_repository const people{store};
    bool right = true;
    for (auto const& d : departments.all()) {
        auto const indexes = people.table().verify_indexes(tmap::partition(d.value.name));
        bool const counted = counts_right(departments, people, d);
        std::cout << d.value.name << ": people " << indexes.entities << (counted ? "" : ", counted wrong")
                  << ", rows in indexes " << indexes.index_rows << ", stale " << indexes.found() << "\n";
        right = right && counted && indexes.in_step();
    }
    if (!right)
        throw refused{"the counts or indexes are stale: another program wrote to the table; run `company repair`"};
}

void repair(tmap::store_ptr const& store, arguments const&) {
    contoso::department_repository const departments{store};
    contoso::employee_repository const people{store};
    for (auto const& d : departments.all()) {
        auto const indexes = people.table().rebuild_indexes(tmap::partition(d.value.name));
        // Counts again after a conflict; writes only if the count differs.
        auto const counted = departments.table().modify({d.value.name}, [&](department& now) {
            now.people = static_cast<std::int32_t>(people.head_count(now.name));
        });
        std::cout << d.value.name << ": people " << counted.value.people << ", rows of indexes repaired "
                  << indexes.repaired << " of " << indexes.found() << "\n";
    }
}

// ---- the command line -----------------------------------------------------------------------------------------------

class command_line {
public:
    command_line() {
        app_.require_subcommand(1)->fallthrough();
        app_.add_option("--store", given_.store, "Connection string of the store")->capture_default_str();
        add_staffing();
        add_changes();
        add_questions();
        add("check", "Compare the counts and the indexes with the people", check);
        add("repair", "Correct the counts and the indexes", repair);
    }

    int run(int argc, char** argv) {
        CLI11_PARSE(app_, argc, argv);
        return 0;
    }

private:
    using action = void(tmap::store_ptr const&, arguments const&);

    void add_staffing() {
        auto* const founds = add_for_department("found", "Found a department", found);
        founds->add_option("BUILDING", given_.office.building)->required();

        auto* const hires = add_for_person("hire", "Hire a person, who is counted", hire);
        hires->add_option("FIRST-NAME", given_.person.first_name)->required()->check(filled_);
        hires->add_option("LAST-NAME", given_.person.last_name)->required()->check(filled_);
        add_email(hires, "EMAIL")->required();
        hires->add_option("--salary", given_.person.salary, "Of a month, in euros")->required()->check(amounts_);

        add_for_person("leave", "Erase a person, who is no longer counted", leave);
        add_for_person("move", "Move a person to another department", move)->add_option("TO", given_.to)->required();
    }

    void add_changes() {
        add_for_person("raise", "Raise a person's salary", raise)
            ->add_option("EUROS", given_.person.salary, "By so much a month")
            ->required()
            ->check(amounts_);

        auto* const renames = add_for_person("rename", "Change a person's last name", rename);
        renames->add_option("LAST-NAME", given_.person.last_name)->required()->check(filled_);
        add_email(renames, "--email");

        auto* const phones = add_for_department("phone", "Set the telephone of a department, or of a person", phone);
        phones->add_option("NUMBER", given_.phone)->required();
        phones->add_option("--of", given_.whose, "Of the person with this number");
    }

    void add_questions() {
        add_for_department("show", "Show a department and its people", show);

        auto* const lists = add_for_department("staff", "List people by their numbers", staff);
        lists->add_option("--from", given_.first, "The first number");
        lists->add_option("--to", given_.last, "The last number");

        add_email(add_for_department("find", "Find a person by the e-mail address", find), "--email")->required();

        auto* const names = add_for_department("by-name", "List people by their names", by_name);
        names->add_option("--starting-with", given_.beginning, "How the last names begin");
        names->add_flag("--explain", given_.explains, "Print what is asked of the store, too");
    }

    CLI::App* add(char const* name, char const* purpose, action* does) {
        auto* const command = app_.add_subcommand(name, purpose);
        command->callback([this, does] { does(tmap::open(given_.store), given_); });
        return command;
    }

    CLI::App* add_for_department(char const* name, char const* purpose, action* does) {
        auto* const command = add(name, purpose, does);
        command->add_option("DEPARTMENT", given_.office.name)->required()->check(filled_);
        return command;
    }

    CLI::App* add_for_person(char const* name, char const* purpose, action* does) {
        auto* const command = add(name, purpose, does);
        command->add_option("DEPARTMENT", given_.person.department)->required();
        command->add_option("ID", given_.person.id, "The number on the badge")->required();
        return command;
    }

    CLI::Option* add_email(CLI::App* command, char const* name) {
        auto const lower = [](std::string const& text) {
            return boost::algorithm::to_lower_copy(text, std::locale::classic());
        };
        return command->add_option(name, given_.person.email, "The e-mail address")->check(filled_)->transform(lower);
    }

    CLI::App app_{"The departments of a company and the people who work in them."};
    arguments given_{};
    CLI::Validator filled_{
        [](std::string const& text) { return std::string{text.empty() ? "it must not be empty" : ""}; }, ""};
    CLI::Range amounts_{1, 1'000'000};
};

}  // namespace

int main(int argc, char** argv) try {
    command_line commands;
    return commands.run(argc, argv);
} catch (tmap::error const& e) {
    bool const is_first = e.code() == tmap::service_errc::table_not_found;
    std::cerr << "company: " << (is_first ? "there is no table yet; `company found` creates it" : e.what()) << "\n";
    return 1;
} catch (std::exception const& e) {
    std::cerr << "company: " << e.what() << "\n";
    return 1;
}
