// SPDX-License-Identifier: Apache-2.0
#include "write_schema.hpp"

#include "json_tree.hpp"
#include "types.hpp"

#include <tablemap/detail/wire/writer.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace tablemap::codegen {
namespace {

constexpr std::size_t json_width = 110;
constexpr std::size_t indent_width = 2;
constexpr std::size_t always_broken = 2;  ///< the levels of objects that are never written on one line

// ---- the tree -------------------------------------------------------------------------------------------------------

template <class V> json_node node(V v) {
    json_node n;
    n.value = std::move(v);
    return n;
}

/// An object that leaves out what has its default.
class object_writer {
public:
    void add(std::string key, json_node value) { members_.push_back({{}, std::move(key), std::move(value)}); }
    void text(std::string key, std::string const& value) {
        if (!value.empty()) add(std::move(key), node(value));
    }
    void flag(std::string key, bool value) {
        if (value) add(std::move(key), node(true));
    }
    void names(std::string key, std::vector<name> const& values) {
        if (!values.empty()) add(std::move(key), list_of(values));
    }
    static json_node list_of(std::vector<name> const& values) {
        json_node::array list;
        for (auto const& v : values) list.push_back(node(v.text));
        return node(std::move(list));
    }
    json_node take() { return node(std::move(members_)); }

private:
    json_node::object members_;
};

template <class Items, class Write>
void add_named(object_writer& to, char const* key, Items const& items, Write write) {
    if (items.empty()) return;
    object_writer all;
    for (auto const& i : items) all.add(i.id.text, write(i));
    to.add(key, all.take());
}

json_node literal_node(literal const& l) {
    return std::visit([](auto const& v) { return node(v); }, l);
}

json_node values_node(enumeration const& e) {
    auto const& all = e.values;
    bool const plain = std::none_of(all.begin(), all.end(), [](auto const& v) { return v.stored || v.number; });
    auto const numbers = enum_numbers(e);
    json_node::array names;
    object_writer pairs;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (plain)
            names.push_back(node(all[i].id.text));
        else
            pairs.add(all[i].id.text, e.by_name ? node(all[i].text()) : node(numbers[i]));
    }
    return plain ? node(std::move(names)) : pairs.take();
}

json_node enum_node(enumeration const& e) {
    object_writer o;
    o.text("description", e.description);
    o.text("stored", e.by_name ? "by_name" : "by_number");
    o.add("values", values_node(e));
    return o.take();
}

json_node property_node(property const& p) {
    object_writer o;
    o.text("type", p.type.text);
    o.text("description", p.description);
    o.text("name", p.stored_as.text);
    for (auto const& [key, set] : {std::pair{"nullable", p.nullable},
                                   {"required", p.required},
                                   {"encrypted", p.encrypted},
                                   {"blind_index", p.blind_index},
                                   {"ignored", p.ignored}})
        o.flag(key, set);
    if (p.series) o.add("series", node(*p.series));
    if (p.initial) o.add("default", literal_node(p.initial->what));
    auto whole = o.take();
    return whole.as<json_node::object>()->size() == 1 ? node(p.type.text) : whole;
}

void add_form(object_writer& to, key_part const& p) {
    switch (p.form) {
    case part_form::plain: return;
    case part_form::width: return to.add("width", node(p.low));
    case part_form::range: return to.add("range", node(json_node::array{node(p.low), node(p.high)}));
    case part_form::ordered: return to.flag("ordered", true);
    case part_form::escaped: return to.flag("escaped", true);
    case part_form::hashed: return to.flag("hashed", true);
    case part_form::spread: return to.add("spread", node(p.low));
    }
}

json_node part_node(key_part const& p) {
    if (p.is_literal()) return node(p.literal);
    object_writer o;
    o.text("member", p.member.text);
    add_form(o, p);
    o.flag("descending", p.descending);
    o.flag("also_stored", p.also_stored);
    o.flag("generated", p.generated);
    o.flag("may_be_empty", p.may_be_empty);
    return o.take();
}

json_node key_node(key const& k) {
    json_node::array parts;
    for (auto const& p : k.parts) parts.push_back(part_node(p));
    return node(std::move(parts));
}

json_node discriminator_node(discriminator const& d) {
    object_writer o;
    o.text("property", d.property.text);
    o.add("value", node(d.value.text));
    return o.take();
}

json_node versions_node(version_chain const& v) {
    object_writer o, upgrades;
    o.add("current", node(v.current));
    for (auto const& u : v.upgrades) upgrades.add(std::to_string(u.from), node(u.function.text));
    if (!v.upgrades.empty()) o.add("upgrades", upgrades.take());
    return o.take();
}

json_node index_node(index const& i) {
    object_writer o;
    o.text("description", i.description);
    o.flag("unique", i.unique);
    o.add("key", key_node(i.key));
    if (i.include) o.add("include", object_writer::list_of(*i.include));
    o.text("where", i.where.text);
    return o.take();
}

// ---- access patterns ------------------------------------------------------------------------------------------------

json_node condition_node(condition const& c) {
    object_writer o;
    o.text("member", c.member.text);
    o.text("op", c.comparison.text);
    o.text("parameter", c.parameter.text);
    if (c.value) o.add("value", literal_node(c.value->what));
    return o.take();
}

/// The word of a choice whose first word is the default.
template <class Enum, std::size_t Size>
std::string chosen(Enum choice, std::array<std::string_view, Size> const& choices) {
    return choice == Enum{} ? std::string{} : std::string{choices[static_cast<std::size_t>(choice)]};
}

json_node query_node(access const& a) {
    constexpr std::array<std::string_view, 4> rows{"all", "range", "between", "prefix"};
    constexpr std::array<std::string_view, 5> answers{"rows", "first", "count", "exists", "latest"};
    object_writer o;
    o.text("index", a.index.text);
    if (a.leading > 0) o.add("leading", node(a.leading));
    o.text("rows", chosen(a.rows, rows));
    json_node::array where;
    for (auto const& c : a.where) where.push_back(condition_node(c));
    if (!where.empty()) o.add("where", node(std::move(where)));
    o.names("select", a.select);
    o.text("returns", chosen(a.answer, answers));
    return o.take();
}

json_node access_node(access const& a) {
    object_writer o;
    o.text("description", a.description);
    if (a.kind == access_kind::find_by)
        o.add("find_by", node(a.index.text));
    else
        o.add(a.kind == access_kind::scan ? "scan" : "query", query_node(a));
    return o.take();
}

json_node entity_node(entity const& e) {
    object_writer o;
    o.text("description", e.description);
    o.text("table", e.table.text);
    add_named(o, "properties", e.properties, property_node);
    if (e.discriminator) o.add("discriminator", discriminator_node(*e.discriminator));
    if (e.versions) o.add("versions", versions_node(*e.versions));
    o.text("unknown_columns", e.refuse_unknown_columns ? "refused" : "");
    o.add("partition_key", key_node(e.partition_key));
    o.add("row_key", key_node(e.row_key));
    add_named(o, "indexes", e.indexes, index_node);
    add_named(o, "access", e.access, access_node);
    return o.take();
}

json_node schema_node(schema const& s) {
    object_writer o;
    o.text("namespace", s.space.text);
    o.names("include", s.includes);
    add_named(o, "enums", s.enums, enum_node);
    add_named(o, "entities", s.entities, entity_node);
    return o.take();
}

// ---- the text -------------------------------------------------------------------------------------------------------

class json_printer {
public:
    void print(json_node const& n, std::size_t level) {
        auto const from = text_.size();
        append(n, level, false);
        auto const line = text_.rfind('\n') + 1;
        bool const nested = n.as<json_node::array>() || n.as<json_node::object>();
        if (!nested || (text_.size() - line <= json_width && (level >= always_broken || is_array(n)))) return;
        text_.resize(from);
        append(n, level, true);
    }

    std::string take() { return std::move(text_) + "\n"; }

private:
    static bool is_array(json_node const& n) { return n.as<json_node::array>() != nullptr; }

    void append(json_node const& n, std::size_t level, bool broken) {
        if (auto const* const all = n.as<json_node::array>())
            enclose("[]", *all, level, broken,
                    [&](json_node const& each) { append_or_print(each, level + 1, broken); });
        else if (auto const* const members = n.as<json_node::object>())
            enclose("{}", *members, level, broken, [&](json_member const& m) {
                tablemap::detail::append_json_string(text_, m.key);
                text_ += ": ";
                append_or_print(m.value, level + 1, broken);
            });
        else
            append_scalar(n);
    }

    void append_or_print(json_node const& n, std::size_t level, bool broken) {
        if (broken)
            print(n, level);
        else
            append(n, level, false);
    }

    template <class Items, class Each>
    void enclose(std::string_view brackets, Items const& items, std::size_t level, bool broken, Each each) {
        text_ += brackets[0];
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (i > 0) text_ += broken ? "," : ", ";
            if (broken) begin_line(level + 1);
            each(items[i]);
        }
        if (broken) begin_line(level);
        text_ += brackets[1];
    }

    void begin_line(std::size_t level) { text_ += "\n" + std::string(level * indent_width, ' '); }

    void append_scalar(json_node const& n) {
        if (auto const* const b = n.as<bool>())
            text_ += *b ? "true" : "false";
        else if (auto const* const i = n.as<std::int64_t>())
            text_ += std::to_string(*i);
        else if (auto const* const d = n.as<double>())
            tablemap::detail::append_value(text_, *d);
        else if (auto const* const s = n.as<std::string>())
            tablemap::detail::append_json_string(text_, *s);
    }

    std::string text_;
};

}  // namespace

std::string write_schema(schema const& s) {
    json_printer printer;
    printer.print(schema_node(s), 0);
    return printer.take();
}

}  // namespace tablemap::codegen
