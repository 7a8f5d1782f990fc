// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P11]: a wide struct has at most 256 members, and in each row 1,023 with those nested in them
#include <tablemap/patterns/wide_table.hpp>

#include <string>

// Ten times ten members, twice.
struct ten {
    int a{}, b{}, c{}, d{}, e{}, f{}, g{}, h{}, i{}, j{};
};
struct hundred {
    ten a{}, b{}, c{}, d{}, e{}, f{}, g{}, h{}, i{}, j{};
};
struct thousand {
    std::string id{};
    hundred a{}, b{}, c{}, d{}, e{}, f{}, g{}, h{}, i{}, j{}, k{};
};

template <> struct tablemap::mapping<hundred> {
    static constexpr auto members = tablemap::members(member<&hundred::a>.flattened(), member<&hundred::b>.flattened(),
                                                      member<&hundred::c>.flattened(), member<&hundred::d>.flattened(),
                                                      member<&hundred::e>.flattened(), member<&hundred::f>.flattened(),
                                                      member<&hundred::g>.flattened(), member<&hundred::h>.flattened(),
                                                      member<&hundred::i>.flattened(), member<&hundred::j>.flattened());
};

template <> struct tablemap::mapping<thousand> {
    static constexpr auto partition_key = tablemap::key("p");
    static constexpr auto row_key = tablemap::key(part<&thousand::id>, ".");
    static constexpr auto wide = tablemap::next_row_at<&thousand::b>;
#ifdef TABLEMAP_REJECT
    static constexpr auto members = tablemap::members(
        member<&thousand::a>.flattened(), member<&thousand::b>.flattened(), member<&thousand::c>.flattened(),
        member<&thousand::d>.flattened(), member<&thousand::e>.flattened(), member<&thousand::f>.flattened(),
        member<&thousand::g>.flattened(), member<&thousand::h>.flattened(), member<&thousand::i>.flattened(),
        member<&thousand::j>.flattened(), member<&thousand::k>.flattened());
#else
    static constexpr auto members = tablemap::members(
        member<&thousand::a>.flattened(), member<&thousand::b>.flattened(), member<&thousand::c>.ignored(),
        member<&thousand::d>.ignored(), member<&thousand::e>.ignored(), member<&thousand::f>.ignored(),
        member<&thousand::g>.ignored(), member<&thousand::h>.ignored(), member<&thousand::i>.ignored(),
        member<&thousand::j>.ignored(), member<&thousand::k>.ignored());
#endif
};

std::string const& name_of(tablemap::wide_table<thousand> const& t) { return t.name(); }

int main() {}
