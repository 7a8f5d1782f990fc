// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"
#include "front_end.hpp"

#include <utility>

namespace tablemap::codegen {
namespace {

void read_values(json_node const& node, enumeration& e, fault_list& faults) {
    auto const* const list = node.as<json_node::array>();
    auto const* const all = node.as<json_node::object>();
    if ((list != nullptr && list->empty()) || (all != nullptr && all->empty()))
        faults.add(node.at, in_quotes(e.id.text) + " has no values; list its enumerators");
    if (list != nullptr) {
        for (auto const& v : *list)
            if (auto text = read_text(v, "the name of an enumerator", faults))
                e.values.push_back({{*text, v.at}, std::nullopt, std::nullopt});
        return;
    }
    if (all == nullptr) {
        faults.add(node.at,
                   "found " + node.describe() + " where 'values', an array of names or an object, is expected");
        return;
    }
    for (auto const& m : *all) {
        enumerator v{{m.key, m.at}, std::nullopt, std::nullopt};
        if (e.by_name)
            v.stored = read_text(m.value, "the text that is stored", faults);
        else
            v.number = read_number(m.value, "the number that is stored, a whole one,", faults);
        e.values.push_back(std::move(v));
    }
}

enumeration read_enum(json_member const& from, fault_list& faults) {
    object_reader const object{from.value, words().enumeration, faults};
    enumeration e{{from.key, from.at}, object.text("description"), true, {}};
    if (object.require("stored", "\"stored\": \"by_name\" or \"by_number\"") != nullptr)
        e.by_name = object.word("stored", words().stored) != "by_number";
    if (auto const* const values = object.require("values", "\"values\", the names of its enumerators"))
        read_values(*values, e, faults);
    return e;
}

}  // namespace

std::optional<value> read_literal(json_node const& node, fault_list& faults) {
    if (auto const* const b = node.as<bool>()) return value{*b, node.at};
    if (auto const* const n = node.as<std::int64_t>()) return value{*n, node.at};
    if (node.is_beyond_int64()) {
        faults.add(node.at, "found " + node.describe() + " where whole numbers go " + whole_numbers() +
                                "; change it, or write the number of a double with a point");
        return std::nullopt;
    }
    if (auto const* const d = node.as<double>()) return value{*d, node.at};
    if (auto const* const s = node.as<std::string>()) return value{*s, node.at};
    faults.add(node.at, "found " + node.describe() + " where a text, a number, true or false is expected");
    return std::nullopt;
}

schema read_structure(json_node const& root, fault_list& faults) {
    object_reader const object{root, words().schema, faults};
    schema s;
    s.space = object.name("namespace");
    object.text("$schema");
    s.includes = object.names("include");
    for (auto const& m : object.entries("enums", "an object of enums")) s.enums.push_back(read_enum(m, faults));
    object.require("entities", "\"entities\", an object of entities");
    for (auto const& m : object.entries("entities", "an object of entities"))
        s.entities.push_back(read_entity(m, faults));
    return s;
}

schema read_schema(std::string_view json, fault_list& faults) {
    auto const root = read_json(json, faults);
    if (!root) return {};
    auto s = read_structure(*root, faults);
    check(s, faults);
    return s;
}

}  // namespace tablemap::codegen
