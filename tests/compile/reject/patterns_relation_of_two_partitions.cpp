// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P15]: parent and child have different partition keys, so no one partition holds a family
// expect: review
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
#ifdef TABLEMAP_REJECT
    static constexpr auto partition_key = tablemap::key("r_", tablemap::part<&review::office>);
#else
    static constexpr auto partition_key = tablemap::key(tablemap::part<&review::office>);
#endif
    static constexpr auto row_key =
        tablemap::key("e_", tablemap::part<&review::id>.width(6), "_", tablemap::part<&review::year>.width(4));
};

auto read(tablemap::relation<clerk, review> const& reviews) { return reviews.query(tablemap::partition("Bonn")); }

int main() {}
