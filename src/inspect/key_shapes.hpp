// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/dynamic_entity.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap::inline v0_1::inspect {

enum class value_kind : std::uint8_t { literal, text, flag, int32, int64, uint64, real, time, id };
enum class text_form : std::uint8_t { plain, width, ordered, escaped, hashed, spread };

/// A part of a key, as the mapping language has it: a literal, or a value in some form.
struct key_shape_part {
    value_kind kind = value_kind::literal;
    text_form form = text_form::plain;
    bool descending = false;
    std::size_t number = 0;  ///< the digits of a width, the buckets of a spread
    std::string literal{};
    std::string property{};  ///< whose value is the part's in all rows, or is hashed; empty: none
    /// Of a hash or a part of the row key: the part of the same member, counted from the first of the partition key.
    std::optional<std::size_t> same_as{};
};

using key_shape = std::vector<key_shape_part>;

struct key_shapes {
    key_shape partition{};
    key_shape row{};
};

/// Facts on keys besides their texts.
struct key_facts {
    bool complete = true;     ///< the rows are all rows of their kind
    std::string beginning{};  ///< with which each row key begins; the first literal
};

/// Recognises the shapes of the keys of rows of one kind, of which there is at least one. Every row fits the result.
key_shapes find_key_shapes(std::vector<dynamic_entity> const& rows, key_facts const& facts);

/// The shapes of keys about which nothing is recognised but their beginning.
key_shapes plain_key_shapes(std::string const& beginning);

/// True if both keys can be read by these shapes, and the properties have the values of their parts.
bool fits(key_shapes const& shapes, dynamic_entity const& row);

/// The literals at the beginning.
std::string leading_literal(key_shape const& shape);

}  // namespace tablemap::inspect
