// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P1]: a discriminator of this variant is that of another type with _index behind it
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>
#include <variant>

struct employee {
    std::string department{};
    std::int32_t id{};
    std::string email{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto discriminator = tablemap::discriminator("Type", "employee");
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key("empid_", tablemap::part<&employee::id>.width(6));
    static constexpr auto indexes = tablemap::indexes(
        tablemap::unique_index<"by_email">(tablemap::key("email_", tablemap::part<&employee::email>)));
};

struct department {
    std::string name{};
    std::string head{};
};

template <> struct tablemap::mapping<department> {
#ifdef TABLEMAP_REJECT
    static constexpr auto discriminator = tablemap::discriminator("Type", "employee_index");
#else
    static constexpr auto discriminator = tablemap::discriminator("Type", "employee_list");
#endif
    static constexpr auto partition_key = tablemap::key(tablemap::part<&department::name>);
    static constexpr auto row_key = tablemap::key("head_", tablemap::part<&department::head>);
};

std::string const& name_of(tablemap::table<std::variant<employee, department>> const& t) { return t.name(); }

int main() {}
