// SPDX-License-Identifier: Apache-2.0
#include "back_end.hpp"
#include "types.hpp"

#include <algorithm>
#include <limits>

namespace tablemap::codegen {
namespace {

/// The narrower of the two types that numbers of enums are stored in.
std::string underlying_type(enumeration const& e) {
    auto const numbers = enum_numbers(e);
    bool const small = std::all_of(numbers.begin(), numbers.end(), [](std::int64_t n) {
        return n >= std::numeric_limits<std::int32_t>::min() && n <= std::numeric_limits<std::int32_t>::max();
    });
    return small ? "std::int32_t" : "std::int64_t";
}

/// A property's type as its struct names it: if a member has the name of the enum, the enum is qualified.
type_info type_in_struct(schema const& s, entity const& e, property const& p) {
    auto type = find_type(s, p.type.text);
    if (type.declared != nullptr && find_property(e, type.cpp) != nullptr) type.cpp = qualified(s, type.cpp);
    return type;
}

std::string initializer(type_info const& type, property const& p) {
    std::string why;
    return "{" + (p.initial ? cpp_literal(type, p.initial->what, why) : "") + "}";
}

/// True for an entity without types of the program's own, which may not be comparable.
bool is_comparable(schema const& s, entity const& e) {
    return std::none_of(e.properties.begin(), e.properties.end(),
                        [&](auto const& p) { return find_type(s, p.type.text).kind == type_kind::cpp; });
}

void write_member(code_writer& out, std::string const& declared, std::string const& initial) {
    bool const fits = 4 + declared.size() + initial.size() + 1 <= line_width;
    out.line(declared + (fits ? initial : "{\n        " + initial.substr(1)) + ";");
}

std::string minimum_or(std::int64_t n) {
    return n == std::numeric_limits<std::int64_t>::min() ? "std::numeric_limits<std::int64_t>::min()"
                                                         : std::to_string(n);
}

}  // namespace

void write_enum(code_writer& out, enumeration const& e) {
    if (!e.description.empty()) out.comment(e.description);
    auto const numbers = enum_numbers(e);
    call list{"enum class " + e.id.text + (e.by_name ? "" : " : " + underlying_type(e)) + " { ", {}, " };"};
    for (std::size_t i = 0; i < e.values.size(); ++i)
        list.arguments.push_back(e.values[i].id.text + (e.by_name ? "" : " = " + minimum_or(numbers[i])));
    auto one_line = list.open;
    for (std::size_t i = 0; i < list.arguments.size(); ++i) one_line += (i == 0 ? "" : ", ") + list.arguments[i];
    one_line += list.close;
    if (one_line.size() <= line_width) return out.line(one_line);
    out.open(list.open.substr(0, list.open.size() - 1));
    for (std::size_t i = 0; i < list.arguments.size(); ++i)
        out.line(list.arguments[i] + (i + 1 == list.arguments.size() ? "" : ","));
    out.close("};");
}

void write_struct(code_writer& out, schema const& s, entity const& e) {
    if (!e.description.empty()) out.comment(e.description);
    out.open("struct " + e.id.text + " {");
    for (auto const& p : e.properties) {
        if (!p.description.empty()) out.comment(p.description);
        auto const type = type_in_struct(s, e, p);
        write_member(out, member_type(type.cpp, p) + " " + p.id.text, initializer(type, p));
    }
    if (is_comparable(s, e)) {
        auto const argument = e.id.text + " const&";
        out.line();
        out.statement({"friend bool operator==(", {argument, argument}, ") = default;"});
    }
    out.close("};");
}

void write_enumeration(code_writer& out, schema const& s, enumeration const& e) {
    auto const type = qualified(s, e.id.text);
    auto const head = "inline constexpr auto tablemap::enumeration<" + type + ">";
    call values{e.by_name ? "tablemap::by_name<" : "tablemap::by_number<", {}, ">;"};
    std::vector<std::string> renamed;
    for (auto const& v : e.values)
        if (e.by_name && v.text() != v.id.text)
            renamed.push_back("names_ = names_.named<" + v.id.text + ">(" + cpp_text(v.text()) + ");");
    for (auto const& v : e.values) values.arguments.push_back(renamed.empty() ? type + "::" + v.id.text : v.id.text);
    if (renamed.empty()) return out.specialisation(head, values);
    out.line("template <>");
    bool const fits = head.size() + std::string_view{" = [] {"}.size() <= line_width;
    if (fits)
        out.open(head + " = [] {");
    else {
        out.open(head + " =");
        out.open("[] {");
    }
    out.line("using enum " + type + ";");
    out.constant("auto names_", values);
    for (auto const& statement : renamed) out.line(statement);
    out.line("return names_;");
    out.close("}();");
    if (!fits) out.indent_less();
}

}  // namespace tablemap::codegen
