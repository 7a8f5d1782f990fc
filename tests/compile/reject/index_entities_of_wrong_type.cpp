// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[K7]: a key value does not convert to its member's type without loss
#include <tablemap/patterns/table_with_index_entities.hpp>

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
};

using accounts = tablemap::table_with_index_entities<account, tablemap::index_entity<"email", &account::email>>;

bool is_there(accounts const& a) {
#ifdef TABLEMAP_REJECT
    return !a.find_all_by<"email">(tablemap::partition("contoso"), 7).empty();
#else
    return !a.find_all_by<"email">(tablemap::partition("contoso"), "don").empty();
#endif
}

int main() {}
