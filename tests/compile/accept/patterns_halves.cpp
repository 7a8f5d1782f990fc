// SPDX-License-Identifier: Apache-2.0
// Row keys of halves that differ in a literal behind parts of a fixed width, in one that only one of them has, or not
// at all but for the discriminators of their types.
#include <tablemap/patterns/one_to_one.hpp>

#include <cstdint>
#include <string>

struct profile {
    std::string office{};
    std::int32_t id{};
};
struct payroll {
    std::string office{};
    std::int32_t id{};
};
struct contract {
    std::string office{};
    std::int32_t id{};
};

template <> struct tablemap::mapping<profile> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&profile::office>);
    static constexpr auto row_key = tablemap::key("empid_", tablemap::part<&profile::id>.width(6));
};
template <> struct tablemap::mapping<payroll> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&payroll::office>);
    static constexpr auto row_key = tablemap::key("empid_", tablemap::part<&payroll::id>.width(6), "_payroll");
};
template <> struct tablemap::mapping<contract> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&contract::office>);
    static constexpr auto row_key = tablemap::key("empid_", tablemap::part<&contract::id>.width(6), "_contract");
};

struct person {
    std::string office{};
    std::string id{};
};
struct permit {
    std::string office{};
    std::string id{};
};

template <> struct tablemap::mapping<person> {
    static constexpr auto discriminator = tablemap::discriminator("Kind", "person");
    static constexpr auto partition_key = tablemap::key(tablemap::part<&person::office>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&person::id>);
};
template <> struct tablemap::mapping<permit> {
    static constexpr auto discriminator = tablemap::discriminator("Kind", "permit");
    static constexpr auto partition_key = tablemap::key(tablemap::part<&permit::office>);
    static constexpr auto row_key = tablemap::key("permit_", tablemap::part<&permit::id>);
};

auto read(tablemap::one_to_one<profile, payroll> const& t) { return t.find("Bonn", 7); }
auto read(tablemap::one_to_one<payroll, profile> const& t) { return t.find("Bonn", 7); }
auto read(tablemap::one_to_one<payroll, contract> const& t) { return t.find("Bonn", 7); }
auto read(tablemap::one_to_one<person, permit> const& t) { return t.find("Bonn", "7"); }

int main() {}
