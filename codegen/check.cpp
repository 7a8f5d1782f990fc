// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"

#include "types.hpp"
#include "vocabulary.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace tablemap::codegen {
namespace {

constexpr std::array<std::string_view, 97> keywords{
    "alignas",     "alignof",   "and",        "and_eq",    "asm",      "auto",         "bitand",
    "bitor",       "bool",      "break",      "case",      "catch",    "char",         "char8_t",
    "char16_t",    "char32_t",  "class",      "compl",     "concept",  "const",        "consteval",
    "constexpr",   "constinit", "const_cast", "continue",  "co_await", "co_return",    "co_yield",
    "decltype",    "default",   "delete",     "do",        "double",   "dynamic_cast", "else",
    "enum",        "explicit",  "export",     "extern",    "false",    "float",        "for",
    "friend",      "goto",      "if",         "inline",    "int",      "long",         "mutable",
    "namespace",   "new",       "noexcept",   "not",       "not_eq",   "nullptr",      "operator",
    "or",          "or_eq",     "private",    "protected", "public",   "register",     "reinterpret_cast",
    "requires",    "return",    "short",      "signed",    "sizeof",   "static",       "static_assert",
    "static_cast", "struct",    "switch",     "template",  "this",     "thread_local", "throw",
    "true",        "try",       "typedef",    "typeid",    "typename", "union",        "unsigned",
    "using",       "virtual",   "void",       "volatile",  "wchar_t",  "while",        "xor",
    "xor_eq",      "std",       "tablemap",   "main",      "NULL",     "errno"};

/// Why a word cannot be a name in C++; empty if it can.
std::string_view find_name_fault(std::string_view word) {
    auto const is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    auto const is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (word.empty()) return "it is empty; a name has letters, digits and underscores";
    if (!std::all_of(word.begin(), word.end(), [&](char c) { return is_letter(c) || is_digit(c); }))
        return "a name in C++ has letters of ASCII, digits and underscores alone; leave out the rest";
    if (is_digit(word.front())) return "a name in C++ begins with a letter; put one in front";
    if (word.front() == '_' || word.find("__") != std::string_view::npos)
        return "C++ keeps such names for itself; leave out an underscore";
    if (std::find(keywords.begin(), keywords.end(), word) != keywords.end())
        return "this name is taken in C++ or by tablemap; choose another";
    return {};
}

void check_types_of_schema(schema const& s, fault_list& faults) {
    std::set<std::string> taken;
    auto const take = [&](name const& n, std::string const& by) {
        if (!taken.insert(by).second)
            faults.add(n.at, in_quotes(by) + " is the name of another type of this schema; choose another");
    };
    for (auto const& e : s.enums) take(e.id, e.id.text);
    for (auto const& e : s.entities) {
        take(e.id, e.id.text);
        take(e.id, e.id.text + "_repository");
    }
}

void check_includes(schema const& s, fault_list& faults) {
    for (auto const& i : s.includes) {
        auto const bad = i.text.find_first_of("\"<>\n\r\\");
        if (i.text.empty() || bad != std::string::npos)
            faults.add(i.at, "found " + in_quotes(i.text) +
                                 " where the path of a header is expected, such as \"upgrades.hpp\"");
    }
}

}  // namespace

void check_identifier(name const& n, std::string_view what, fault_list& faults) {
    if (auto const why = find_name_fault(n.text); !why.empty())
        faults.add(n.at, in_quotes(n.text) + " cannot be the name of " + std::string{what} + ": " + std::string{why});
}

void check_qualified(name const& n, std::string_view what, fault_list& faults) {
    std::size_t at = 0;
    for (bool last = false; !last;) {
        auto const end = n.text.find("::", at);
        last = end == std::string::npos;
        auto const word = n.text.substr(at, last ? end : end - at);
        auto const why = find_name_fault(word);
        bool const own = word == "std" || word == "tablemap";
        if (!why.empty() && !(own && at == 0 && what == "a type")) {
            faults.add(n.at,
                       in_quotes(n.text) + " cannot be the name of " + std::string{what} + ": " + std::string{why});
            return;
        }
        at = end + 2;
    }
}

property const* require_property(entity const& e, name const& n, fault_list& faults) {
    if (n.empty()) return nullptr;
    auto const* const p = find_property(e, n.text);
    if (p != nullptr) return p;
    word_list known;
    for (auto const& each : e.properties) known.push_back(each.id.text);
    faults.add(n.at, in_quotes(e.id.text) + " has no property " + in_quotes(n.text) + suggestion(n.text, known));
    return nullptr;
}

void check_enums(schema const& s, fault_list& faults) {
    for (auto const& e : s.enums) {
        check_identifier(e.id, "an enum", faults);
        auto const& types = words().types;
        if (std::find(types.begin(), types.end(), e.id.text) != types.end())
            faults.add(e.id.at, in_quotes(e.id.text) + " is a type of the schema language; give the enum another name");
        if (e.values.empty()) faults.add(e.id.at, in_quotes(e.id.text) + " has no values; list its enumerators");
        auto const numbers = enum_numbers(e);
        for (std::size_t i = 0; i < e.values.size(); ++i) {
            auto const& v = e.values[i];
            check_identifier(v.id, "an enumerator", faults);
            auto const stored = [](enumerator const& x) { return x.stored.empty() ? x.id.text : x.stored; };
            for (std::size_t k = 0; k < i; ++k) {
                if (e.values[k].id.text == v.id.text)
                    faults.add(v.id.at, in_quotes(v.id.text) + " is listed twice; remove one of them");
                else if (e.by_name ? stored(e.values[k]) == stored(v) : numbers[k] == numbers[i])
                    faults.add(v.id.at, in_quotes(v.id.text) + " is stored as " + in_quotes(e.values[k].id.text) +
                                            " is, so one could not be told from the other; change one of them");
            }
        }
    }
}

void check(schema const& s, fault_list& faults) {
    if (!s.space.empty()) check_qualified(s.space, "a namespace", faults);
    check_includes(s, faults);
    check_types_of_schema(s, faults);
    check_enums(s, faults);
    for (auto const& e : s.entities) {
        check_identifier(e.id, "an entity", faults);
        check_properties(s, e, faults);
        check_keys(s, e, faults);
        check_kind(e, faults);
        check_indexes(s, e, faults);
        check_access(s, e, faults);
    }
}

}  // namespace tablemap::codegen
