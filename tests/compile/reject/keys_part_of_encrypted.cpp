// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[E1]: keys are stored in the open
// expect: account::iban
#include <tablemap/table/table.hpp>

#include <optional>
#include <string>

struct account {
    std::string owner{};
    tablemap::encrypted<std::string> iban{};
};

template <> struct tablemap::mapping<account> {
    static constexpr auto partition_key = tablemap::key("accounts");
#ifdef TABLEMAP_REJECT
    static constexpr auto row_key = tablemap::key(tablemap::part<&account::iban>);
#else
    static constexpr auto row_key = tablemap::key(tablemap::part<&account::owner>);
#endif
};

std::string const& name_of(tablemap::table<account> const& t) { return t.name(); }

int main() {}
