// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"

#include <algorithm>

namespace tablemap::codegen {
namespace {

void add_bounds(argument_lists& to, access const& a, std::string const& member) {
    switch (a.rows) {
    case row_choice::all: return;
    case row_choice::range:
        to.bounds = {{member + "_from", member, a.rows_at}, {member + "_to", member, a.rows_at}};
        return;
    case row_choice::between:
        to.bounds = {{member + "_first", member, a.rows_at}, {member + "_last", member, a.rows_at}};
        return;
    case row_choice::prefix: to.bounds = {{member + "_prefix", member, a.rows_at}}; return;
    }
}

}  // namespace

std::vector<argument> argument_lists::all() const {
    auto list = partition;
    // A member of both keys is given once.
    for (auto const& a : leading)
        if (std::none_of(partition.begin(), partition.end(), [&](auto const& p) { return p.member == a.member; }))
            list.push_back(a);
    for (auto const* more : {&bounds, &conditions}) list.insert(list.end(), more->begin(), more->end());
    if (count) list.push_back({"count", {}, {}});
    return list;
}

argument_lists list_arguments(entity const& e, access const& a) {
    argument_lists lists;
    auto const* const by = a.index.empty() ? nullptr : find_index(e, a.index.text);
    auto const add = [](std::vector<argument>& to, std::string const& member, place at) {
        to.push_back({member, member, at});
    };
    if (a.kind == access_kind::find_by) {
        for (auto const& m : key_members(e.partition_key, by->key)) add(lists.partition, m, a.id.at);
        return lists;
    }
    if (a.kind == access_kind::query) {
        for (auto const& m : given_members(e.partition_key)) add(lists.partition, m, a.id.at);
        auto const rows = row_members(e, by);
        auto const whole = static_cast<std::size_t>(a.leading);
        for (std::size_t i = 0; i < whole; ++i) add(lists.leading, rows[i], a.rows_at);
        if (a.rows != row_choice::all) add_bounds(lists, a, rows[whole]);
    }
    for (auto const& c : a.where)
        if (!c.parameter.empty()) lists.conditions.push_back({c.parameter.text, c.member.text, c.parameter.at});
    lists.count = a.answer == response_form::latest;
    return lists;
}

}  // namespace tablemap::codegen
