// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P6]: this table_with_copies does not name this type, so nobody knows what copies of it there are
#include <tablemap/patterns/table_with_copies.hpp>

#include <string>

struct person {
    std::string firm{};
    std::int32_t id{};
    std::string name{};
    std::int32_t age{};
};

struct team {
    std::string firm{};
    std::string name{};
    std::optional<std::int32_t> lead{};
    std::string lead_name{};
};

template <> struct tablemap::mapping<person> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&person::firm>);
    static constexpr auto row_key = tablemap::key("person_", tablemap::part<&person::id>.width(6));
};

template <> struct tablemap::mapping<team> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&team::firm>);
    static constexpr auto row_key = tablemap::key("team_", tablemap::part<&team::name>);
    static constexpr auto copies = tablemap::copies(tablemap::copies_of<person>(
        tablemap::linked<&team::lead, &person::id>, tablemap::copied<&team::lead_name, &person::name>));
};

struct stranger {};

void use(tablemap::table_with_copies<person, team> const& t) {
#ifdef TABLEMAP_REJECT
    t.of<stranger>();
#else
    t.of<team>();
#endif
}

int main() {}
