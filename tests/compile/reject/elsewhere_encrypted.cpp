// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P3]: an encrypted value is bound to its table
#include <tablemap/mapping/indexes.hpp>
#include <tablemap/table/table.hpp>

#include <string>

struct patient {
    std::string ward{};
    std::int32_t id{};
    std::string name{};
    tablemap::encrypted<std::string> illness{};
};

template <> struct tablemap::mapping<patient> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&patient::ward>);
    static constexpr auto row_key = tablemap::key("patient_", tablemap::part<&patient::id>.width(6));
#ifdef TABLEMAP_REJECT
    static constexpr auto indexes = tablemap::indexes(tablemap::index_in<"by_name", "PatientsByName">(
        tablemap::key(tablemap::part<&patient::name>), tablemap::key("name")));
#else
    static constexpr auto indexes =
        tablemap::indexes(tablemap::index_in<"by_name", "PatientsByName">(tablemap::key(tablemap::part<&patient::name>),
                                                                          tablemap::key("name"))
                              .include<>());
#endif
};

std::string const& name_of(tablemap::table<patient> const& t) { return t.name(); }

int main() {}
