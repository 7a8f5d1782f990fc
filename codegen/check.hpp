// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model.hpp"

#include <set>
#include <string>
#include <string_view>

/// The rules that a schema must keep, so that the generated code compiles.
namespace tablemap::codegen {

/// Checks all rules.
void check(schema const& s, fault_list& faults);

// ---- the rules in groups --------------------------------------------------------------------------------------------

void check_enums(schema const& s, fault_list& faults);
void check_properties(schema const& s, entity const& e, fault_list& faults);
void check_keys(schema const& s, entity const& e, fault_list& faults);
void check_kind(entity const& e, fault_list& faults);
void check_indexes(schema const& s, entity const& e, fault_list& faults);
void check_access(schema const& s, entity const& e, fault_list& faults);

// ---- checks that several groups need -------------------------------------------------------------------------------

/// Checks that a name can be one of C++. `what` is the named thing, such as `an entity`.
void check_identifier(name const& n, std::string_view what, fault_list& faults);

/// Checks that the name is none that is declared in the global namespace.
void check_global(name const& n, fault_list& faults);

/// The names in the bodies of generated functions, which no argument may have, nor a member of a key.
std::set<std::string> const& names_within_functions();

/// Checks a name with its namespaces: `contoso::upgrade`.
void check_qualified(name const& n, std::string_view what, fault_list& faults);

/// The property of this name. Null, with a fault, if the entity has none.
property const* require_property(entity const& e, name const& n, fault_list& faults);

/// Checks a key by itself.
void check_key(schema const& s, entity const& e, key const& k, index const* of, fault_list& faults);

/// True if one of two beginnings of keys begins with the other.
bool begin_alike(std::string_view a, std::string_view b);

/// The literals that a key begins with.
std::string leading_text(key const& k);

}  // namespace tablemap::codegen
