// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P1]: this type has no indexes to verify or rebuild
// expect: declare indexes(...) in its mapping
#include <tablemap/tablemap.hpp>

#include <string>

namespace tmap = tablemap;

struct note {
    std::string id{};
    std::string text{};
};

template <> struct tmap::mapping<note> {
    static constexpr auto partition_key = tmap::key("notes");
    static constexpr auto row_key = tmap::key("note_", tmap::part<&note::id>);
#ifndef TABLEMAP_REJECT
    static constexpr auto indexes =
        tmap::indexes(tmap::index<"by_text">(tmap::key("text_", tmap::part<&note::text>.escaped())));
#endif
};

void verify(tmap::table<note> const& notes) { static_cast<void>(notes.verify_indexes()); }
