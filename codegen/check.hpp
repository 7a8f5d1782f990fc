// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model.hpp"

/// The rules that a schema must keep, so that what is made of it compiles.
namespace tablemap::codegen {

/// Checks all of them.
void check(schema const& s, fault_list& faults);

// ---- the rules in groups --------------------------------------------------------------------------------------------

void check_enums(schema const& s, fault_list& faults);
void check_properties(schema const& s, entity const& e, fault_list& faults);
void check_keys(schema const& s, entity const& e, fault_list& faults);
void check_kind(entity const& e, fault_list& faults);
void check_indexes(schema const& s, entity const& e, fault_list& faults);
void check_access(schema const& s, entity const& e, fault_list& faults);

// ---- what several of them need --------------------------------------------------------------------------------------

/// Checks that a name can be one of C++. `what` is what it names, `an entity`.
void check_identifier(name const& n, std::string_view what, fault_list& faults);

/// Checks that nobody else has a name that is declared in the global namespace.
void check_global(name const& n, fault_list& faults);

/// Checks a name with its namespaces: `contoso::upgrade`.
void check_qualified(name const& n, std::string_view what, fault_list& faults);

/// The property of a name. Null, with a fault, if the entity has none.
property const* require_property(entity const& e, name const& n, fault_list& faults);

/// Checks one key for itself.
void check_key(schema const& s, entity const& e, key const& k, index const* of, fault_list& faults);

/// True if of two beginnings of keys one is the beginning of the other.
bool begin_alike(std::string_view a, std::string_view b);

/// The literals that a key begins with.
std::string leading_text(key const& k);

}  // namespace tablemap::codegen
