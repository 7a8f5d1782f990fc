// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_target.hpp"

#include "tablemap/detail/wire/json_value.hpp"

/// Input: the JSON of a member that is stored as such. Each part of its tree, read again by itself, is the same.
namespace tablemap::fuzz {
namespace {

using namespace tablemap::detail;

bool is_same(json_value const& a, json_value const& b) {
    if (a.kind != b.kind || a.text != b.text || a.names != b.names || a.items.size() != b.items.size()) return false;
    for (std::size_t i = 0; i < a.items.size(); ++i)
        if (!is_same(a.items[i], b.items[i])) return false;
    return a.kind != json_kind::integer || a.integer == b.integer;
}

void check(json_value const& v, std::string_view input) {
    require(v.source.data() >= input.data() && v.source.data() + v.source.size() <= input.data() + input.size(),
            "a part's source lies in the text");
    auto const again = parse_json(v.source);
    require(again && is_same(v, *again), "a part is read alone as within the whole");
}

}  // namespace

TABLEMAP_FUZZ_TARGET(json_member) {
    auto const tree = parse_json(input);
    if (!tree) return;
    require(json_depth(input) <= deepest_json, "the depth is bounded");
    check(*tree, input);
    for (auto const& item : tree->items) check(item, input);
}

}  // namespace tablemap::fuzz
