// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P6]: two members link to this one member of the source's row key
// expect-gcc: person::id
// expect-clang: &person::id
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
    std::optional<std::int32_t> deputy{};
    std::string lead_name{};
};

template <> struct tablemap::mapping<person> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&person::firm>);
    static constexpr auto row_key = tablemap::key("person_", tablemap::part<&person::id>.width(6));
};

template <> struct tablemap::mapping<team> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&team::firm>);
    static constexpr auto row_key = tablemap::key("team_", tablemap::part<&team::name>);
#ifdef TABLEMAP_REJECT
    static constexpr auto copies = tablemap::copies(tablemap::copies_of<person>(
        tablemap::linked<&team::lead, &person::id>, tablemap::linked<&team::deputy, &person::id>,
        tablemap::copied<&team::lead_name, &person::name>));
#else
    static constexpr auto copies = tablemap::copies(tablemap::copies_of<person>(
        tablemap::linked<&team::lead, &person::id>, tablemap::copied<&team::lead_name, &person::name>));
#endif
};

std::string const& name_of(tablemap::table_with_copies<person, team> const& t) { return t.name(); }

int main() {}
