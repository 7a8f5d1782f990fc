// SPDX-License-Identifier: Apache-2.0
#include "front_end.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace tablemap::codegen {
namespace {

property read_property(json_member const& from, fault_list& faults) {
    property p;
    p.id = {from.key, from.at};
    // "age": "int32" is short for "age": {"type": "int32"}.
    if (auto const* const type = from.value.as<std::string>()) {
        p.type = {*type, from.value.at};
        return p;
    }
    object_reader const object{from.value, words().property, faults};
    object.require("type", "\"type\", such as \"string\"");
    p.type = object.name("type");
    p.description = object.text("description");
    p.stored_as = object.name("name");
    p.nullable = object.flag("nullable");
    p.required = object.flag("required");
    p.encrypted = object.flag("encrypted");
    p.blind_index = object.flag("blind_index");
    p.ignored = object.flag("ignored");
    p.series = object.number("series");
    if (auto const* const initial = object.find("default")) p.initial = read_literal(*initial, faults);
    return p;
}

void read_range(json_node const& node, key_part& p, fault_list& faults) {
    auto const* const ends = node.as<json_node::array>();
    if (ends == nullptr || ends->size() != 2) {
        faults.add(node.at, "found " + node.describe() +
                                " where 'range', an array of the lowest and the highest value, is expected");
        return;
    }
    auto const low = read_number((*ends)[0], "the lowest value, a whole number,", faults);
    auto const high = read_number((*ends)[1], "the highest value, a whole number,", faults);
    if (!low || !high) return;
    p.low = *low;
    p.high = *high;
}

void read_form(object_reader const& object, key_part& p, fault_list& faults) {
    std::vector<std::string_view> forms;
    auto const take = [&](std::string_view word, part_form form, bool there) {
        if (!there) return;
        forms.push_back(word);
        p.form = form;
    };
    take("width", part_form::width, object.find("width") != nullptr);
    take("range", part_form::range, object.find("range") != nullptr);
    take("ordered", part_form::ordered, object.flag("ordered"));
    take("escaped", part_form::escaped, object.flag("escaped"));
    take("hashed", part_form::hashed, object.flag("hashed"));
    take("spread", part_form::spread, object.find("spread") != nullptr);
    if (forms.size() > 1)
        faults.add(object.at(),
                   "a part of a key has one form, and this one is " + listed(forms) + "; keep one of them");
    // A value that is no number is replaced by a valid one, so that one fault is not reported as two.
    if (object.find("width") != nullptr) p.low = object.number("width").value_or(20);
    if (object.find("spread") != nullptr) p.low = object.number("spread").value_or(2);
    if (auto const* const range = object.find("range")) read_range(*range, p, faults);
}

key_part read_part(json_node const& node, fault_list& faults) {
    key_part p;
    p.at = node.at;
    if (auto const* const text = node.as<std::string>()) {
        p.literal = *text;
        return p;
    }
    if (node.as<json_node::object>() == nullptr) {
        faults.add(node.at,
                   "found " + node.describe() + " where a part of a key, a text or {\"member\": ...}, is expected");
        return p;
    }
    object_reader const object{node, words().part, faults};
    object.require("member", "\"member\", the property whose value stands here");
    p.member = object.name("member");
    read_form(object, p, faults);
    p.descending = object.flag("descending");
    p.also_stored = object.flag("also_stored");
    p.generated = object.flag("generated");
    p.may_be_empty = object.flag("may_be_empty");
    return p;
}

key read_key(json_node const* node, std::string_view what, fault_list& faults) {
    key k;
    if (node == nullptr) return k;
    if (node->as<json_node::array>() != nullptr) k.at = node->at;
    for (auto const& part : read_array(*node, in_quotes(what) + ", an array of texts and parts,", faults))
        k.parts.push_back(read_part(part, faults));
    return k;
}

index read_index(json_member const& from, fault_list& faults) {
    object_reader const object{from.value, words().index, faults};
    index i;
    i.id = {from.key, from.at};
    i.description = object.text("description");
    i.unique = object.flag("unique");
    i.key = read_key(object.require("key", "\"key\", an array of texts and parts"), "key", faults);
    if (object.find("include") != nullptr) i.include = object.names("include");
    i.where = object.name("where");
    return i;
}

std::optional<std::int64_t> version_of(std::string const& text) {
    std::int64_t version = 0;
    auto const [end, e] = std::from_chars(text.data(), text.data() + text.size(), version);
    if (e != std::errc{} || end != text.data() + text.size() || std::to_string(version) != text) return std::nullopt;
    return version;
}

/// Nothing if the current version is missing: then upgrades cannot be checked.
std::optional<version_chain> read_versions(json_node const& node, fault_list& faults) {
    object_reader const object{node, words().versions, faults};
    version_chain v;
    v.at = node.at;
    object.require("current", "\"current\", the number of the current version");
    auto const current = object.number("current");
    v.current = current.value_or(1);
    for (auto const& m : object.entries("upgrades", "an object from versions to functions")) {
        auto const from = version_of(m.key);
        auto const function =
            read_text(m.value, "a function with its namespace, such as \"contoso::upgrade\",", faults);
        if (!from)
            faults.add(m.at, "found " + in_quotes(m.key) +
                                 " where the number of an older version is expected, such as \"1\"");
        else if (function)
            v.upgrades.push_back({*from, {*function, m.value.at}});
    }
    if (!current) return std::nullopt;
    return v;
}

}  // namespace

entity read_entity(json_member const& from, fault_list& faults) {
    object_reader const object{from.value, words().entity, faults};
    entity e;
    e.id = {from.key, from.at};
    e.description = object.text("description");
    e.table = object.name("table");
    auto const* const properties = object.require("properties", "\"properties\", an object of properties");
    if (auto const* const all = properties == nullptr ? nullptr : properties->as<json_node::object>();
        all && all->empty())
        faults.add(properties->at, "an entity has at least one property; list what it holds");
    for (auto const& m : object.entries("properties", "an object of properties"))
        e.properties.push_back(read_property(m, faults));
    auto const key_of = [&](std::string_view key) {
        return read_key(object.require(key, "an array of texts and parts, such as [{\"member\": \"id\"}]"), key,
                        faults);
    };
    e.partition_key = key_of("partition_key");
    e.row_key = key_of("row_key");
    if (auto const* const node = object.find("discriminator")) {
        object_reader const d{*node, words().discriminator, faults};
        d.require("value", "\"value\", the text that tells rows of this entity");
        e.discriminator = discriminator{d.name("property"), d.name("value")};
    }
    if (auto const* const node = object.find("versions")) e.versions = read_versions(*node, faults);
    e.refuse_unknown_columns = object.word("unknown_columns", words().unknown_columns) == "refused";
    for (auto const& m : object.entries("indexes", "an object of indexes")) e.indexes.push_back(read_index(m, faults));
    for (auto const& m : object.entries("access", "an object of access patterns"))
        e.access.push_back(read_access(m, faults));
    // Without properties every name of one would be a fault, and none of them the one to repair.
    if (e.properties.empty()) return {.id = e.id};
    return e;
}

}  // namespace tablemap::codegen
