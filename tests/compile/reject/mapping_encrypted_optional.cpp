// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[E1]: encrypted<T> holds one value, which is there
// expect: say std::optional<encrypted<T>>
// expect-gcc: account::iban
// expect-clang: .value.iban
#include <tablemap/table/table.hpp>

#include <optional>
#include <string>

struct account {
    std::string owner{};
#ifdef TABLEMAP_REJECT
    tablemap::encrypted<std::optional<std::string>> iban{};
#else
    std::optional<tablemap::encrypted<std::string>> iban{};
#endif
};

template <> struct tablemap::mapping<account> {
    static constexpr auto partition_key = tablemap::key("accounts");
    static constexpr auto row_key = tablemap::key(tablemap::part<&account::owner>);
};

std::string const& name_of(tablemap::table<account> const& t) { return t.name(); }

int main() {}
