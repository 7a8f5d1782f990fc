// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// The words of the schema language. `schema.json` describes the same for editors; a test holds the two together.
namespace tablemap::codegen {

using word_list = std::vector<std::string_view>;

/// The keys that objects of one kind may have. The kind is the name of its definition in `schema.json`.
struct object_kind {
    std::string_view name;   ///< `property`
    std::string_view title;  ///< as messages name it: `a property`
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
    word_list returns;      ///< what a query gives
    word_list comparisons;  ///< of conditions
    word_list unknown_columns;
};

vocabulary const& words();

/// True for C++'s and others' ways of saying that a value may be absent: `std::optional<int>`, `int?`.
bool is_optional_type(std::string_view found);

/// What to write instead of a word that is no type: other languages' words for types are known.
std::string suggested_type(std::string_view found, word_list const& known);

/// All kinds of objects.
std::vector<object_kind const*> object_kinds();

}  // namespace tablemap::codegen
