// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P15]: a relation is of a parent and at least one type of children
#include <tablemap/patterns/relation.hpp>

#include <cstdint>
#include <string>

struct clerk {
    std::string office{};
    std::int32_t id{};
    std::string name{};
};

struct review {
    std::string office{};
    std::int32_t id{};
    std::int32_t year{};
    std::string name{};
};

template <> struct tablemap::mapping<clerk> {
    static constexpr auto discriminator = tablemap::discriminator("Kind", "clerk");
    static constexpr auto partition_key = tablemap::key(tablemap::part<&clerk::office>);
    static constexpr auto row_key = tablemap::key("e_", tablemap::part<&clerk::id>.width(6));
};

template <> struct tablemap::mapping<review> {
    static constexpr auto discriminator = tablemap::discriminator("Kind", "review");
    static constexpr auto partition_key = tablemap::key(tablemap::part<&review::office>);
    static constexpr auto row_key =
        tablemap::key("e_", tablemap::part<&review::id>.width(6), "_", tablemap::part<&review::year>.width(4));
};

#ifdef TABLEMAP_REJECT
using reviews = tablemap::relation<clerk>;
#else
using reviews = tablemap::relation<clerk, review>;
#endif

auto read(reviews const& r) { return r.query(tablemap::partition("Bonn")); }

int main() {}
