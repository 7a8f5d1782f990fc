// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "place.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/// The content of a schema, independent of its source and of the generated code. Names are as they were given: `check`
/// checks them. Every part has its place in the source, for messages only.
namespace tablemap::codegen {

/// A name in the source and its place.
struct name {
    std::string text{};
    place at{};

    bool empty() const noexcept { return text.empty(); }
};

using literal = std::variant<bool, std::int64_t, double, std::string>;

/// A literal in the source and its place.
struct value {
    literal what{};
    place at{};
};

// ---- enums ----------------------------------------------------------------------------------------------------------

struct enumerator {
    name id{};
    std::optional<std::int64_t> number{};  ///< of enums by number; without it one more than the number before
    std::optional<std::string> stored{};   ///< of enums by name; without it the enumerator's own name

    std::string const& text() const noexcept { return stored ? *stored : id.text; }
};

struct enumeration {
    name id{};
    std::string description{};
    bool by_name = true;
    std::vector<enumerator> values{};
};

// ---- entities -------------------------------------------------------------------------------------------------------

struct property {
    name id{};    ///< of the struct's member
    name type{};  ///< a word of the schema language, an enum of the schema, or a C++ type with its namespace
    name stored_as{};
    std::string description{};
    std::optional<value> initial{};
    std::optional<std::int64_t> series{};
    bool nullable = false;
    bool required = false;
    bool encrypted = false;
    bool blind_index = false;
    bool ignored = false;
};

enum class part_form { plain, width, range, ordered, escaped, hashed, spread };

/// A part of a key: a literal, or a member in some form.
struct key_part {
    place at{};
    std::string literal{};
    name member{};  ///< empty: a literal
    part_form form = part_form::plain;
    std::int64_t low = 0;   ///< digits of a width, buckets of a spread, lowest value of a range
    std::int64_t high = 0;  ///< highest value of a range
    bool descending = false;
    bool also_stored = false;
    bool generated = false;
    bool may_be_empty = false;

    bool is_literal() const noexcept { return member.empty(); }
};

struct key {
    place at{};
    std::vector<key_part> parts{};
};

struct discriminator {
    name property{};  ///< empty: the row key begins with the value
    name value{};
};

struct upgrade {
    std::int64_t from = 0;
    name function{};
};

struct version_chain {
    place at{};
    std::int64_t current = 1;
    std::vector<upgrade> upgrades{};
};

struct index {
    name id{};
    std::string description{};
    bool unique = false;
    codegen::key key{};
    std::optional<std::vector<name>> include{};  ///< nothing: all members are copied
    name where{};                                ///< a bool member, or a function with its namespace
};

// ---- access patterns ------------------------------------------------------------------------------------------------

enum class access_kind { find_by, query, scan };
enum class row_choice { all, range, between, prefix };
enum class response_form { rows, first, count, exists, latest };

struct condition {
    place at{};
    name member{};
    name comparison{};
    name parameter{};  ///< empty: a fixed value
    std::optional<codegen::value> value{};
};

/// A named way of reading entities.
struct access {
    name id{};
    std::string description{};
    access_kind kind = access_kind::query;
    name index{};  ///< empty: the entities' own keys
    place rows_at{};
    row_choice rows = row_choice::all;
    std::int64_t leading =
        0;  ///< the number of leading members of the row key with given values, before the one that `rows` is about
    std::vector<condition> where{};
    std::vector<name> select{};
    response_form answer = response_form::rows;
    place answer_at{};
};

struct entity {
    name id{};
    std::string description{};
    name table{};
    std::vector<property> properties{};
    key partition_key{};
    key row_key{};
    std::optional<codegen::discriminator> discriminator{};
    std::optional<version_chain> versions{};
    bool refuse_unknown_columns = false;
    std::vector<codegen::index> indexes{};
    std::vector<codegen::access> access{};
};

struct schema {
    name space{};  ///< the C++ namespace
    std::vector<name> includes{};
    std::vector<enumeration> enums{};
    std::vector<entity> entities{};
};

// ---- questions to the model -----------------------------------------------------------------------------------------

enumeration const* find_enum(schema const& s, std::string const& id);
property const* find_property(entity const& e, std::string const& id);
index const* find_index(entity const& e, std::string const& id);

/// The members whose values make a key, in their order, each once; not those that only choose a bucket.
std::vector<std::string> given_members(key const& k);

/// The members whose values make both keys: the partition key's, the row key's, those that only choose buckets.
std::vector<std::string> key_members(key const& partition_key, key const& row_key);
std::vector<std::string> key_members(entity const& e);

/// The members whose values select rows of an index in a partition: its own, then the row key's unless it is unique.
std::vector<std::string> row_members(entity const& e, index const* by);

/// True if a member is in a key and in no property.
bool is_in_key_alone(entity const& e, std::string const& member);

}  // namespace tablemap::codegen
