// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[E1]: JSON would hold an encrypted member in the open
// expect-gcc: account::iban
// expect-clang: .value.iban
#include <tablemap/table/table.hpp>

#include <optional>
#include <string>

struct account {
    std::string owner{};
#ifdef TABLEMAP_REJECT
    tablemap::encrypted<std::string> iban{};
#else
    tablemap::encrypted<std::string> iban{};
#endif
};

template <> struct tablemap::mapping<account> {
    static constexpr auto partition_key = tablemap::key("accounts");
    static constexpr auto row_key = tablemap::key(tablemap::part<&account::owner>);
#ifdef TABLEMAP_REJECT
    static constexpr auto members = tablemap::members(tablemap::member<&account::iban>.as_json());
#else
    static constexpr auto members = tablemap::members(tablemap::member<&account::iban>.required());
#endif
};

std::string const& name_of(tablemap::table<account> const& t) { return t.name(); }

int main() {}
