// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P6]: copies of this type cannot be cleared, since a row that holds them always links to a source
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
    std::int32_t code{};
};

template <> struct tablemap::mapping<person> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&person::firm>);
    static constexpr auto row_key = tablemap::key("person_", tablemap::part<&person::id>.width(6));
};

template <> struct tablemap::mapping<team> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&team::firm>);
    static constexpr auto row_key = tablemap::key("team_", tablemap::part<&team::name>);
    static constexpr auto copies = tablemap::copies(tablemap::copies_of<person>(
        tablemap::linked<&team::code, &person::id>, tablemap::copied<&team::lead_name, &person::name>));
};

void use(tablemap::table_with_copies<person, team> const& t, tablemap::entity<person> const& p) {
#ifdef TABLEMAP_REJECT
    t.erase_and_clear_copies(p);
#else
    static_cast<void>(t.erase_unless_copied(p));
#endif
}

int main() {}
