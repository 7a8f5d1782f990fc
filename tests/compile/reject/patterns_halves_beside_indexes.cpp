// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P15]: a row of an index of the one half could have the key of a row of the other half
#include <tablemap/patterns/one_to_one.hpp>

#include <cstdint>
#include <string>

struct profile {
    std::string office{};
    std::int32_t id{};
    std::string name{};
};

struct payroll {
    std::string office{};
    std::int32_t id{};
    std::int64_t cents{};
};

template <> struct tablemap::mapping<profile> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&profile::office>);
    static constexpr auto row_key = tablemap::key("profile_", tablemap::part<&profile::id>.width(6));
    static constexpr auto indexes = tablemap::indexes(
        tablemap::index<"by_name">(tablemap::key("by_name_", tablemap::part<&profile::name>.escaped())));
};

template <> struct tablemap::mapping<payroll> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&payroll::office>);
#ifdef TABLEMAP_REJECT
    static constexpr auto row_key = tablemap::key("by_name_pay_", tablemap::part<&payroll::id>.width(6));
#else
    static constexpr auto row_key = tablemap::key("payroll_", tablemap::part<&payroll::id>.width(6));
#endif
};

auto read(tablemap::one_to_one<profile, payroll> const& people) { return people.find("Bonn", 7); }

int main() {}
