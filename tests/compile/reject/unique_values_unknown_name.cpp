// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P3]: this table has no unique value of this name
#include <tablemap/patterns/table_with_unique_values.hpp>

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

using accounts = tablemap::table_with_unique_values<account, tablemap::unique_value<"email", &account::email>>;

bool is_there(accounts const& a) {
#ifdef TABLEMAP_REJECT
    return a.find_by<"login">("don").has_value();
#else
    return a.find_by<"email">("don").has_value();
#endif
}

int main() {}
