// SPDX-License-Identifier: Apache-2.0
#include "vocabulary.hpp"

#include "place.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tablemap::codegen {
namespace {

constexpr std::string_view optional_before = "std::optional<";

/// The names of types in other languages.
constexpr std::array<std::pair<std::string_view, std::string_view>, 24> other_words{{
    {"blob", "binary"},     {"bool", "boolean"}, {"byte", "uint8"},    {"bytes", "binary"},       {"char", "string"},
    {"float", "double"},    {"int", "int32"},    {"integer", "int32"}, {"long", "int64"},         {"money", "decimal"},
    {"number", "double"},   {"object", "json"},  {"real", "double"},   {"short", "int16"},        {"size_t", "uint64"},
    {"str", "string"},      {"text", "string"},  {"time", "datetime"}, {"timestamp", "datetime"}, {"uint", "uint32"},
    {"unsigned", "uint32"}, {"uri", "url"},      {"uuid", "guid"},     {"varchar", "string"},
}};

/// The word for a type with a name of another language: `Int`, `std::string`, `Edm.Int32`, `int32_t`. Empty if no
/// language has the name.
std::string_view word_for(std::string_view found, word_list const& known) {
    std::string word{found};
    std::transform(word.begin(), word.end(), word.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    for (std::string_view const before : {"std::", "edm."})
        if (word.starts_with(before)) word.erase(0, before.size());
    for (auto const& [other, ours] : other_words)
        if (word == other) return ours;
    if (word.ends_with("_t")) word.resize(word.size() - 2);
    auto const it = std::find(known.begin(), known.end(), word);
    return it == known.end() ? std::string_view{} : *it;
}

}  // namespace

vocabulary const& words() {
    static vocabulary const all{
        {"schema", "a schema", {"$schema", "namespace", "include", "enums", "entities"}},
        {"enum", "an enum", {"description", "stored", "values"}},
        {"entity",
         "an entity",
         {"description", "table", "properties", "partition_key", "row_key", "discriminator", "versions",
          "unknown_columns", "indexes", "access"}},
        {"property",
         "a property",
         {"type", "description", "name", "nullable", "required", "encrypted", "blind_index", "series", "ignored",
          "default"}},
        {"part",
         "a part of a key",
         {"member", "width", "range", "ordered", "descending", "escaped", "hashed", "spread", "also_stored",
          "generated", "may_be_empty"}},
        {"discriminator", "a discriminator", {"property", "value"}},
        {"versions", "a chain of versions", {"current", "upgrades"}},
        {"index", "an index", {"description", "unique", "key", "include", "where"}},
        {"access", "an access pattern", {"description", "find_by", "query", "scan"}},
        {"query", "a query", {"index", "leading", "rows", "where", "select", "returns"}},
        {"scan", "a scan", {"where", "select", "returns"}},
        {"condition", "a condition", {"member", "op", "parameter", "value"}},
        {"string", "boolean", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "double",
         "decimal", "datetime", "date", "guid", "binary", "url", "json", "extras"},
        {"by_name", "by_number"},
        {"all", "range", "between", "prefix"},
        {"rows", "first", "count", "exists", "latest"},
        {"==", "!=", "<", "<=", ">", ">=", "starts_with"},
        {"ignored", "refused"},
    };
    return all;
}

bool is_optional_type(std::string_view found) { return found.ends_with('?') || found.starts_with(optional_before); }

std::string suggested_type(std::string_view found, word_list const& known) {
    bool const optional = is_optional_type(found);
    if (found.starts_with(optional_before)) found.remove_prefix(optional_before.size());
    if (optional) found.remove_suffix(found.empty() ? 0 : 1);
    auto const word = word_for(found, known);
    if (optional)
        return "; add \"nullable\": true to the property, and name the type " +
               (word.empty() ? "alone" : in_quotes(word));
    return word.empty() ? suggestion(found, known) : "; did you mean " + in_quotes(word) + "?";
}

std::vector<object_kind const*> object_kinds() {
    auto const& w = words();
    return {&w.schema,   &w.enumeration, &w.entity, &w.property, &w.part, &w.discriminator,
            &w.versions, &w.index,       &w.access, &w.query,    &w.scan, &w.condition};
}

}  // namespace tablemap::codegen
