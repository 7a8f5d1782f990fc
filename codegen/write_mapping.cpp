// SPDX-License-Identifier: Apache-2.0
#include "back_end.hpp"
#include "types.hpp"

#include <algorithm>

namespace tablemap::codegen {
namespace {

std::string part_text(key_part const& p) {
    if (p.is_literal()) return cpp_text(p.literal);
    auto text = "tablemap::part<&type::" + p.member.text + ">";
    switch (p.form) {
    case part_form::width: text += ".width(" + std::to_string(p.low) + ")"; break;
    case part_form::range: text += ".range(" + std::to_string(p.low) + ", " + std::to_string(p.high) + ")"; break;
    case part_form::ordered: text += ".ordered()"; break;
    case part_form::escaped: text += ".escaped()"; break;
    case part_form::plain:
    case part_form::hashed:
    case part_form::spread: break;
    }
    if (p.descending) text += ".descending()";
    if (p.also_stored) text += ".also_stored()";
    if (p.generated) text += ".generated()";
    if (p.may_be_empty) text += ".may_be_empty()";
    if (p.form == part_form::hashed) text += ".hashed()";
    if (p.form == part_form::spread) text = "tablemap::spread<" + std::to_string(p.low) + ">(" + text + ")";
    return text;
}

call key_call(key const& k) {
    call c{"tablemap::key(", {}, ");"};
    for (auto const& p : k.parts) c.arguments.push_back(part_text(p));
    return c;
}

std::string const constant = "static constexpr auto ";

void write_members(code_writer& out, entity const& e) {
    call rules{"tablemap::members(", {}, ");"};
    for (auto const& p : e.properties) {
        std::string rule;
        if (!p.stored_as.empty() && p.stored_as.text != p.id.text) rule += ".named(" + cpp_text(p.stored_as.text) + ")";
        if (p.required) rule += ".required()";
        if (p.blind_index) rule += ".blind_index()";
        if (p.ignored) rule += ".ignored()";
        if (!rule.empty()) rules.arguments.push_back("tablemap::member<&type::" + p.id.text + ">" + rule);
    }
    if (!rules.arguments.empty()) out.constant(constant + "members", rules);
}

/// Keys and indexes are constants of their own, so that none of them is nested in another.
void write_index(code_writer& out, index const& i) {
    if (!i.description.empty()) out.comment(i.description);
    auto const key = i.id.text + "_index_key";
    out.constant(constant + key, key_call(i.key));
    std::vector<call> calls;
    if (i.include) {
        auto& include = calls.emplace_back(call{".include<", {}, ">()"});
        for (auto const& n : *i.include) include.arguments.push_back("&type::" + n.text);
    }
    if (!i.where.empty()) {
        bool const function = i.where.text.find("::") != std::string::npos;
        calls.push_back({".where(", {(function ? "&::" : "&type::") + i.where.text}, ")"});
    }
    auto const kind = i.unique ? "tablemap::unique_index<\"" : "tablemap::index<\"";
    out.chain(constant + i.id.text + "_index", kind + i.id.text + "\">(" + key + ")", calls);
}

void write_kind(code_writer& out, entity const& e) {
    if (e.discriminator) {
        auto const& d = *e.discriminator;
        call c{"tablemap::discriminator(", {}, ");"};
        if (!d.property.empty()) c.arguments.push_back(cpp_text(d.property.text));
        c.arguments.push_back(cpp_text(d.value.text));
        out.constant(constant + "discriminator", c);
    }
    if (!e.versions) return;
    call c{"tablemap::versions<" + std::to_string(e.versions->current) + ">(", {}, ");"};
    auto steps = e.versions->upgrades;
    std::sort(steps.begin(), steps.end(), [](auto const& a, auto const& b) { return a.from < b.from; });
    for (auto const& u : steps)
        c.arguments.push_back("tablemap::upgrade_from<" + std::to_string(u.from) + ">(&::" + u.function.text + ")");
    out.constant(constant + "versions", c);
}

}  // namespace

void write_mapping(code_writer& out, schema const& s, entity const& e) {
    auto const type = qualified(s, e.id.text);
    out.open("template <> struct tablemap::mapping<" + type + "> {");
    out.line("using type = " + type + ";");
    out.line();
    write_kind(out, e);
    out.constant(constant + "partition_key", key_call(e.partition_key));
    out.constant(constant + "row_key", key_call(e.row_key));
    write_members(out, e);
    if (e.refuse_unknown_columns) out.line(constant + "unknown_columns = tablemap::unknown_columns::refused;");
    if (!e.indexes.empty()) {
        out.line();
        call all{"tablemap::indexes(", {}, ");"};
        for (auto const& i : e.indexes) {
            write_index(out, i);
            all.arguments.push_back(i.id.text + "_index");
        }
        out.constant(constant + "indexes", all);
    }
    out.close("};");
}

}  // namespace tablemap::codegen
