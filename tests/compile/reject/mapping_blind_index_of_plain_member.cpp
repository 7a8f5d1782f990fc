// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[E4]: blind_index() is for a member of type encrypted<T>
// expect-gcc: account::iban
// expect-clang: .value.iban
#include <tablemap/table/table.hpp>

#include <optional>
#include <string>

struct account {
    std::string owner{};
#ifdef TABLEMAP_REJECT
    std::string iban{};
#else
    tablemap::encrypted<std::string> iban{};
#endif
};

template <> struct tablemap::mapping<account> {
    static constexpr auto partition_key = tablemap::key("accounts");
    static constexpr auto row_key = tablemap::key(tablemap::part<&account::owner>);
    static constexpr auto members = tablemap::members(tablemap::member<&account::iban>.blind_index());
};

std::string const& name_of(tablemap::table<account> const& t) { return t.name(); }

int main() {}
