// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[K6]: rows are spread over buckets before this place of the row key
// expect-gcc: T = event
// expect-clang: encode_selected<event
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>

struct event {
    std::string site{};
    std::string device{};
    std::int32_t number{};
};

template <> struct tablemap::mapping<event> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&event::site>);
    static constexpr auto row_key =
        tablemap::key(tablemap::spread<4>(tablemap::part<&event::site>), tablemap::part<&event::device>.escaped(),
                      tablemap::part<&event::number>.width(3));
};

void use() {
    tablemap::detail::query_keys keys;
#ifdef TABLEMAP_REJECT
    (void)tablemap::detail::encode_rows<event>(keys, tablemap::leading("d1"));
#else
    (void)tablemap::detail::encode_rows<event>(keys, tablemap::leading());
#endif
}

int main() {}
