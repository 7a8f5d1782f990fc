// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[E4]: a blind index finds equal values and tells nothing else
#include <tablemap/table/table.hpp>

#include <array>
#include <map>
#include <string>

struct account {
    std::string owner{};
    tablemap::encrypted<std::string> iban{};
    tablemap::encrypted<bool> closed{};
    std::string bank{};
    std::array<tablemap::encrypted<int>, 2> limits{};
    std::map<std::string, tablemap::encrypted<std::string>> notes{};
};

template <> struct tablemap::mapping<account> {
    static constexpr auto partition_key = tablemap::key("accounts");
    static constexpr auto row_key = tablemap::key(tablemap::part<&account::owner>);
    static constexpr auto members =
        tablemap::members(tablemap::member<&account::iban>.blind_index(), tablemap::member<&account::limits>.numbered(),
                          tablemap::member<&account::notes>.prefixed());
};

auto chosen(tablemap::table<account> const& accounts) {
#ifdef TABLEMAP_REJECT
    return accounts.scan(tablemap::blind<&account::iban> < "AT61");
#else
    return accounts.scan(tablemap::blind<&account::iban> == "AT61");
#endif
}

int main() {}
