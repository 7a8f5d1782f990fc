// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P6]: this copies a member that is a copy itself; copy it from the row that it comes from
// expect-gcc: person::boss_name
// expect-clang: &person::boss_name
#include <tablemap/patterns/table_with_copies.hpp>

#include <string>

struct person {
    std::string firm{};
    std::int32_t id{};
    std::string name{};
    std::int32_t age{};
    std::optional<std::int32_t> boss{};
    std::string boss_name{};
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
    static constexpr auto copies = tablemap::copies(tablemap::copies_of<person>(
        tablemap::linked<&person::boss, &person::id>, tablemap::copied<&person::boss_name, &person::name>));
};

template <> struct tablemap::mapping<team> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&team::firm>);
    static constexpr auto row_key = tablemap::key("team_", tablemap::part<&team::name>);
#ifdef TABLEMAP_REJECT
    static constexpr auto copies = tablemap::copies(tablemap::copies_of<person>(
        tablemap::linked<&team::lead, &person::id>, tablemap::copied<&team::lead_name, &person::boss_name>));
#else
    static constexpr auto copies = tablemap::copies(tablemap::copies_of<person>(
        tablemap::linked<&team::lead, &person::id>, tablemap::copied<&team::lead_name, &person::name>));
#endif
};

std::string const& name_of(tablemap::table_with_copies<person, team> const& t) { return t.name(); }

int main() {}
