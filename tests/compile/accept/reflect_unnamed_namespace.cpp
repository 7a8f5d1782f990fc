// SPDX-License-Identifier: Apache-2.0
#include <tablemap/tablemap.hpp>

// Types without linkage: nothing may refer to a function that another file would have to define.
namespace {

struct place {
    std::string city{};
    std::optional<std::int32_t> floor{};
};

struct person {
    std::string name{};
    place home{};
    std::optional<place> work{};
    std::vector<place> stops{};
    std::map<std::string, place> others{};
};

}  // namespace

template <> struct tablemap::mapping<person> {
    static constexpr auto partition_key = tablemap::key("people");
    static constexpr auto row_key = tablemap::key(tablemap::part<&person::name>);
    static constexpr auto members =
        tablemap::members(tablemap::member<&person::home>.flattened(), tablemap::member<&person::work>.flattened(),
                          tablemap::member<&person::stops>.as_json(), tablemap::member<&person::others>.as_json());
};

int main() {
    tablemap::table<person> const people{tablemap::open("embedded::memory:"), "People"};
    people.insert({.name = "Don", .work = place{.city = "Bonn"}});
}
