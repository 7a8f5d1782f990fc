// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P1]: a row of an index of one type of this variant could have the key of a row of another type
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>
#include <variant>

struct employee {
    std::string department{};
    std::int32_t id{};
    std::string email{};
    std::string name{};
    std::int32_t age{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key("empid_", tablemap::part<&employee::id>.width(6));
    static constexpr auto indexes = tablemap::indexes(
        tablemap::unique_index<"by_email">(tablemap::key("email_", tablemap::part<&employee::email>)),
        tablemap::index<"by_name">(tablemap::key("name_", tablemap::part<&employee::name>.escaped())).include<>());
};

struct department {
    std::string name{};
    std::string head{};
};

template <> struct tablemap::mapping<department> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&department::name>);
#ifdef TABLEMAP_REJECT
    static constexpr auto row_key = tablemap::key("email_head_", tablemap::part<&department::head>);
#else
    static constexpr auto row_key = tablemap::key("head_", tablemap::part<&department::head>);
#endif
};

std::string const& name_of(tablemap::table<std::variant<employee, department>> const& t) { return t.name(); }

int main() {}
