// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[E1]: JSON would hold an encrypted member in the open
// expect: with flattened()
#include <tablemap/table/table.hpp>

#include <optional>
#include <string>

struct card {
    tablemap::encrypted<std::string> number{};
};

struct account {
    std::string owner{};
    card paid_by{};
};

template <> struct tablemap::mapping<account> {
    static constexpr auto partition_key = tablemap::key("accounts");
    static constexpr auto row_key = tablemap::key(tablemap::part<&account::owner>);
#ifdef TABLEMAP_REJECT
    static constexpr auto members = tablemap::members(tablemap::member<&account::paid_by>.as_json());
#else
    static constexpr auto members = tablemap::members(tablemap::member<&account::paid_by>.flattened());
#endif
};

std::string const& name_of(tablemap::table<account> const& t) { return t.name(); }

int main() {}
