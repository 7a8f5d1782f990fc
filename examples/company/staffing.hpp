// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <company.hpp>  // made by tablemap-gen from company.json

#include <cstdint>
#include <stdexcept>
#include <string>

namespace contoso {

/// The command does not fit the stored data, and nothing was changed; what() is a message for the user.
class refused : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Throws the error of a write of a person as a message for the user.
[[noreturn]] inline void throw_refused(tablemap::error const& e, std::string const& department, std::int32_t id) {
    if (e.code() == tablemap::library_errc::unique_value_taken)
        throw refused{"another person in " + department + " has this e-mail address; nothing was changed"};
    if (e.code() == tablemap::service_errc::entity_already_exists)
        throw refused{department + " has a number " + std::to_string(id) + " already; nothing was changed"};
    if (e.code() == tablemap::service_errc::resource_not_found)
        throw refused{department + " has no person with the number " + std::to_string(id)};
    throw e;
}

/// Hires, leaves and moves. Each is one transaction with the department's row, which keeps the count right with
/// concurrent writers. Errors are thrown; `tablemap::error::outcome` shows whether a write is in doubt.
/// Thread safety: all members may be called from any number of threads.
class staffing {
public:
    explicit staffing(tablemap::store_ptr const& store) : departments_(store), people_(store) {}

    /// Stores a new person, and returns the department with it. Errors: `refused` if there is no such department, or if
    /// another person has the number or the address.
    department hire(employee const& person) const {
        return tablemap::retry_on_conflict([&] { return arrive(person); });
    }

    /// Erases a person, and returns the department without it. Errors: `refused` if there is no such person.
    department leave(std::string const& from, std::int32_t id) const {
        return tablemap::retry_on_conflict([&] { return depart(find(from, id)); });
    }

    /// Moves a person to another department, and returns the one that was left. No transaction spans two partitions, so
    /// this takes two: the person is hired there and then leaves here. If the program ends in between, both departments
    /// have the person, each count is right, the row of the old department counts, and the same call completes the
    /// move. Errors: as `hire` and `leave`.
    department move(std::string const& from, std::int32_t id, std::string const& to) const {
        if (from == to) throw refused{"number " + std::to_string(id) + " is in " + to + " as it is"};
        return tablemap::retry_on_conflict([&] {
            auto const person = find(from, id);
            bring(person.value, to);
            return depart(person);  // this version: if it was changed meanwhile the new one is brought
        });
    }

private:
    // The department is read inside, because each attempt needs the newest version.
    department arrive(employee const& person) const {
        auto where = find(person.department);
        ++where.value.people;
        auto both = people_.table().transaction();
        both.insert(person);
        both.merge(where, tablemap::only<&department::people>);
        if (auto const done = both.try_commit(); !done) throw_refused(done.error(), person.department, person.id);
        return where.value;
    }

    department depart(tablemap::entity<employee> const& person) const {
        auto where = find(person.value.department);
        --where.value.people;
        auto both = people_.table().transaction();
        both.erase(person);
        both.merge(where, tablemap::only<&department::people>);
        if (auto const done = both.try_commit(); !done)
            throw_refused(done.error(), person.value.department, person.value.id);
        return where.value;
    }

    void bring(employee person, std::string const& to) const {
        person.department = to;
        auto there = people_.find(to, person.id);
        if (there && there->value.email == person.email) {  // an earlier try of the same move
            there->value = person;
            people_.table().replace(*there);
        } else {
            arrive(person);
        }
    }

    tablemap::entity<department> find(std::string const& name) const {
        if (auto found = departments_.find(name)) return *std::move(found);
        throw refused{"there is no department " + name + "; `company found` founds one"};
    }

    tablemap::entity<employee> find(std::string const& department, std::int32_t id) const {
        if (auto found = people_.find(department, id)) return *std::move(found);
        throw refused{department + " has no person with the number " + std::to_string(id)};
    }

    department_repository departments_;
    employee_repository people_;
};

}  // namespace contoso
