// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// The words of the schema language. `schema.json` describes the same for editors; a test compares the two.
namespace tablemap::codegen {

using word_list = std::vector<std::string_view>;

/// The keys that objects of one kind may have. The kind is the name of its definition in `schema.json`.
struct object_kind {
    std::string_view name;   ///< `property`
    std::string_view title;  ///< its name in messages: `a property`
    word_list keys;
};

struct vocabulary {
    object_kind schema;
    object_kind enumeration;
    object_kind entity;
    object_kind property;
    object_kind part;
    object_kind discriminator;
    object_kind versions;
    object_kind index;
    object_kind access;
    object_kind query;
    object_kind scan;
    object_kind condition;

    word_list types;        ///< of properties
    word_list stored;       ///< forms of enums
    word_list rows;         ///< choices of rows
    word_list returns;      ///< results of a query
    word_list comparisons;  ///< of conditions
    word_list unknown_columns;
};

vocabulary const& words();

/// True for a type that may be absent, in C++ or another language: `std::optional<int>`, `int?`.
bool is_optional_type(std::string_view found);

/// The suggestion for a word that is no type; it knows other languages' words for types.
std::string suggested_type(std::string_view found, word_list const& known);

/// All kinds of objects.
std::vector<object_kind const*> object_kinds();

}  // namespace tablemap::codegen
