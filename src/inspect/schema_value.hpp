// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/keys/part_layout.hpp"
#include "tablemap/detail/mapping/value_codec.hpp"

#include "codegen/model.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// The types of a schema's properties at run time: the functions that the generated struct's members have.
namespace tablemap::inline v0_1::inspect {

/// The enumerators of an enum of a schema.
///
/// \par Lifetime
/// Refers to the schema.
std::vector<detail::enum_entry> entries_of(codegen::enumeration const& e);

/// A value of one of the types of the schema language, and what can be done with it.
struct schema_value {
    detail::value_ops const* ops = nullptr;  ///< null: a type of the program, or `extras`
    detail::part_ops const* key_ops = nullptr;
    detail::part_layout plain{};     ///< the form in a key without modifiers
    std::shared_ptr<void> object{};  ///< what values are read into; null for a type of the program
};

/// An object of an enum.
struct enum_value {
    std::vector<detail::enum_entry> entries{};
    std::int64_t number = 0;
};

/// \par Lifetime
/// Refers to the schema.
schema_value make_value(codegen::schema const& s, std::string const& type);

}  // namespace tablemap::inspect
