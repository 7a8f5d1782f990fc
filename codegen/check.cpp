// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"

#include "types.hpp"
#include "vocabulary.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace tablemap::codegen {
namespace {

void check_types_of_schema(schema const& s, fault_list& faults) {
    std::set<std::string> taken;
    auto const take = [&](name const& n, std::string const& by) {
        if (s.space.empty()) check_global({by, n.at}, faults);
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

/// Table names must differ in more than case.
bool is_same_table(std::string_view a, std::string_view b) {
    auto const lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return !a.empty() &&
           std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

/// True if readers of one kind of entities skip the other's rows, because of a property.
bool passes_over(entity const& reader, entity const& other) {
    auto const& own = reader.discriminator;
    if (!own || own->property.empty()) return false;
    auto const& its = other.discriminator;
    return !its || its->property.text != own->property.text || its->value.text != own->value.text;
}

/// False if a key is missing, which is a fault by itself.
bool has_keys(entity const& e) { return e.partition_key.at != place{} && e.row_key.at != place{}; }

void check_kinds_of_table(schema const& s, entity const& e, fault_list& faults) {
    constexpr int enough = 10;  // of hundreds of kinds in one table each pair would be a fault
    int found = 0;
    for (auto const& other : s.entities) {
        if (&other == &e || found == enough) return;
        bool const meet = is_same_table(e.table.text, other.table.text) && has_keys(e) && has_keys(other) &&
                          begin_alike(leading_text(e.partition_key), leading_text(other.partition_key)) &&
                          begin_alike(leading_text(e.row_key), leading_text(other.row_key));
        if (!meet || (passes_over(e, other) && passes_over(other, e))) continue;
        ++found;
        faults.add(e.id.at, in_quotes(e.id.text) + " and " + in_quotes(other.id.text) +
                                " are rows of one table that nothing tells apart; let the row keys begin with texts "
                                "of their own, or add to both \"discriminator\": {\"property\": \"EntityType\", "
                                "\"value\": ...}");
    }
}

}  // namespace

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
        // The limit of clang for fold expressions.
        constexpr std::size_t most = 256;
        if (e.values.size() > most) {
            faults.add(e.id.at, in_quotes(e.id.text) + " has " + std::to_string(e.values.size()) +
                                    " values, and an enum has at most 256, which compilers take; use a string or a "
                                    "number in its place");
            continue;
        }
        auto const numbers = enum_numbers(e);
        for (std::size_t i = 0; i < e.values.size(); ++i) {
            auto const& v = e.values[i];
            check_identifier(v.id, "an enumerator", faults);
            if (v.id.text == "names_")
                faults.add(v.id.at, "'names_' is a name that is used within what is generated; choose another");
            if (e.by_name && v.stored && (v.stored->empty() || v.stored->find('\0') != std::string::npos))
                faults.add(v.id.at, in_quotes(v.id.text) +
                                        " is stored as text, which is not empty and without the character U+0000; "
                                        "change it");
            for (std::size_t k = 0; k < i; ++k) {
                if (e.values[k].id.text == v.id.text)
                    faults.add(v.id.at, in_quotes(v.id.text) + " is listed twice; remove one of them");
                else if (e.by_name ? e.values[k].text() == v.text() : numbers[k] == numbers[i])
                    faults.add(v.id.at, in_quotes(v.id.text) + " is stored as " + in_quotes(e.values[k].id.text) +
                                            " is, so one could not be told from the other; change one of them");
            }
        }
    }
}

void check(schema const& s, fault_list& faults) {
    if (!s.space.empty()) {
        check_qualified(s.space, "a namespace", faults);
        check_global(s.space, faults);
    }
    check_includes(s, faults);
    check_types_of_schema(s, faults);
    check_enums(s, faults);
    for (auto const& e : s.entities) {
        check_identifier(e.id, "an entity", faults);
        check_properties(s, e, faults);
        check_keys(s, e, faults);
        check_kind(e, faults);
        check_kinds_of_table(s, e, faults);
        check_indexes(s, e, faults);
        check_access(s, e, faults);
    }
}

}  // namespace tablemap::codegen
