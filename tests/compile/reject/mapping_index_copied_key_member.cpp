// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P1]: the rows of an index hold the members of the row key as properties, which this one cannot be
// expect: employee::badge
#include <tablemap/repository/table.hpp>

#include <cstdint>
#include <string>

struct employee {
    std::string department{};
    std::int32_t id{};
    std::string email{};
    std::string name{};
    std::int32_t age{};
#ifdef TABLEMAP_REJECT
    std::uint64_t badge{};
#endif
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
#ifdef TABLEMAP_REJECT
    static constexpr auto row_key = tablemap::key("badge_", tablemap::part<&employee::badge>);
    static constexpr auto indexes = tablemap::indexes(
        tablemap::unique_index<"by_email">(tablemap::key("email_", tablemap::part<&employee::email>)));
#else
    static constexpr auto row_key = tablemap::key("empid_", tablemap::part<&employee::id>.width(6));
    static constexpr auto indexes = tablemap::indexes(
        tablemap::unique_index<"by_email">(tablemap::key("email_", tablemap::part<&employee::email>)));
#endif
};

std::string const& name_of(tablemap::table<employee> const& t) { return t.name(); }

int main() {}
