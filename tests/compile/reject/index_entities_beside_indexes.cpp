// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P5]: this type has indexes, and table_with_index_entities does not keep the rows
#include <tablemap/patterns/table_with_index_entities.hpp>
#include <tablemap/mapping/indexes.hpp>

#include <optional>
#include <string>

struct account {
    std::string tenant{};
    std::int64_t number{};
    std::optional<std::string> email{};
};

template <> struct tablemap::mapping<account> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&account::tenant>);
    static constexpr auto row_key = tablemap::key("account_", tablemap::part<&account::number>.width(8));
#ifdef TABLEMAP_REJECT
    static constexpr auto indexes =
        tablemap::indexes(tablemap::unique_index<"email">(tablemap::key("email_", tablemap::part<&account::email>)));
#endif
};

#ifdef TABLEMAP_REJECT
using accounts = tablemap::table_with_index_entities<account, tablemap::index_entity<"email", &account::email>>;
#else
using accounts = tablemap::table_with_index_entities<account, tablemap::index_entity<"email", &account::email>>;
#endif

std::string name_of(accounts const& a) { return a.name(); }

int main() {}
