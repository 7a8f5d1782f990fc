// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"
#include "types.hpp"

#include <tablemap/detail/mapping/index_check.hpp>

#include <string_view>

namespace tablemap::codegen {
namespace {

void check_condition(schema const& s, entity const& e, index const& i, fault_list& faults) {
    if (i.where.empty()) return;
    if (i.where.text.find("::") != std::string::npos) return check_qualified(i.where, "a function", faults);
    auto const* const p = require_property(e, i.where, faults);
    if (p == nullptr) return;
    if (p->ignored)
        return faults.add(i.where.at, in_quotes(i.where.text) +
                                          " is ignored, so the store does not tell which entities have a "
                                          "row; store it, or choose by another property");
    bool const flag = find_type(s, p->type.text).kind == type_kind::flag && !p->nullable && !p->encrypted && !p->series;
    if (!flag)
        faults.add(i.where.at,
                   "'where' names a boolean property that is not nullable, or a function with its namespace, and " +
                       in_quotes(i.where.text) + " is neither; name one of them");
}

void check_included(entity const& e, index const& i, fault_list& faults) {
    if (!i.include) return;
    std::vector<std::string> named;
    for (auto const& n : *i.include) {
        auto const* const p = require_property(e, n, faults);
        if (p != nullptr && p->ignored)
            faults.add(n.at, in_quotes(n.text) + " is ignored, so there is nothing of it to copy; leave it out");
        for (auto const& before : named)
            if (before == n.text) faults.add(n.at, in_quotes(n.text) + " is included twice; remove one of them");
        named.push_back(n.text);
    }
}

void check_beginnings(entity const& e, index const& i, std::size_t at, fault_list& faults) {
    // A key that is missing is a fault by itself.
    if (i.key.at == place{}) return;
    auto const own = leading_text(i.key);
    auto const refuse = [&](std::string const& other) {
        faults.add(
            i.key.at,
            "the row key and the key of each index begin with a text of their own, none the beginning of another's; " +
                in_quotes(own) + " and that of " + other + " are alike, change one of them");
    };
    auto const is_like = [&](key const& other) { return other.at != place{} && begin_alike(own, leading_text(other)); };
    if (is_like(e.row_key)) return refuse("the row key");
    for (std::size_t k = 0; k < at; ++k)
        if (is_like(e.indexes[k].key)) return refuse(in_quotes(e.indexes[k].id.text));
}

/// The rows of indexes hold the members of the row key as properties.
void check_row_key_values(entity const& e, fault_list& faults) {
    for (auto const& p : e.row_key.parts) {
        auto const* const property = find_property(e, p.member.text);
        if (property == nullptr || property->type.text != "uint64" || p.also_stored) continue;
        bool const narrow = p.form == part_form::range || (p.form == part_form::width && p.low <= 18);
        if (!narrow && p.form != part_form::hashed && p.form != part_form::spread)
            faults.add(p.at, "the part " + in_quotes(p.member.text) +
                                 ": the rows of indexes hold it as a property, which takes no values above 2^63 - 1; "
                                 "give it a \"range\", a \"width\" of 18 at most, or the type int64");
    }
}

}  // namespace

void check_indexes(schema const& s, entity const& e, fault_list& faults) {
    constexpr auto most = tablemap::detail::most_indexes;
    for (std::size_t at = 0; at < e.indexes.size(); ++at) {
        auto const& i = e.indexes[at];
        check_identifier(i.id, "an index", faults);
        check_key(s, e, i.key, &i, faults);
        if (given_members(i.key).empty() && i.where.empty() && i.key.at != place{})
            faults.add(i.key.at, "the key of an index holds a property, unless 'where' chooses which entities have a "
                                 "row in it; add {\"member\": ...}");
        check_condition(s, e, i, faults);
        check_included(e, i, faults);
        check_beginnings(e, i, at, faults);
    }
    if (!e.indexes.empty()) check_row_key_values(e, faults);
    if (e.indexes.size() > most)
        faults.add(e.indexes[most].id.at, "an entity has at most " + std::to_string(most) + " indexes; declare fewer");
}

}  // namespace tablemap::codegen
