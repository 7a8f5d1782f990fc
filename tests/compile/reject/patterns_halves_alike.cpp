// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P15]: a row of the one half could be read as one of the other
#include <tablemap/patterns/one_to_one.hpp>

#include <cstdint>
#include <string>

struct profile {
    std::string office{};
    std::string id{};
    std::string name{};
};

struct payroll {
    std::string office{};
    std::string id{};
    std::int64_t cents{};
};

template <> struct tablemap::mapping<profile> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&profile::office>);
    static constexpr auto row_key = tablemap::key("id_", tablemap::part<&profile::id>);
};

template <> struct tablemap::mapping<payroll> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&payroll::office>);
#ifdef TABLEMAP_REJECT
    static constexpr auto row_key = tablemap::key("id_pay_", tablemap::part<&payroll::id>);
#else
    static constexpr auto row_key = tablemap::key("payroll_", tablemap::part<&payroll::id>);
#endif
};

auto read(tablemap::one_to_one<profile, payroll> const& people) { return people.find("Bonn", "7"); }

int main() {}
