// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[E1]: a computed property is for other readers and for filters
#include <tablemap/table/table.hpp>

#include <optional>
#include <string>

struct account {
    std::string owner{};
    std::string iban{};
};

template <> struct tablemap::mapping<account> {
    static constexpr auto partition_key = tablemap::key("accounts");
    static constexpr auto row_key = tablemap::key(tablemap::part<&account::owner>);
    static constexpr auto members = tablemap::members(tablemap::computed("Country", [](account const& a) {
#ifdef TABLEMAP_REJECT
        return tablemap::encrypted<std::string>{a.iban};
#else
        return a.iban.substr(0, 2);
#endif
    }));
};

std::string const& name_of(tablemap::table<account> const& t) { return t.name(); }

int main() {}
