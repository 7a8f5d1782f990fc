// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/dynamic_entity.hpp"
#include "tablemap/store/response.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <system_error>
#include <vector>

/// The assertions of the cases about responses; their messages tell what came instead.
namespace tablemap::inline v0_1::testing::contract {

::testing::AssertionResult carried_out(response const& r);
::testing::AssertionResult refused(response const& r, std::error_code code);

/// Refused because of this property.
::testing::AssertionResult refused_at(response const& r, std::error_code code, std::string const& member);

/// The entity in the response of a get, the entities in the response of a query. A failed response fails the test.
detail::stored_entity entity_in(response const& r);
std::vector<detail::stored_entity> entities_in(response const& r);

std::vector<std::string> row_keys(std::vector<detail::stored_entity> const& entities);

/// "partition/row" of each.
std::vector<std::string> keys_of(std::vector<detail::stored_entity> const& entities);

/// Sorted by name: stores need not keep the order.
std::vector<property> properties_of(dynamic_entity const& e);

/// Name, type and value; a long value is shortened.
std::string text_of(property const& p);

}  // namespace tablemap::testing::contract

/// Found by GoogleTest through the namespace of their arguments. Inline, so that a program may have its own.
namespace tablemap::inline v0_1 {
inline void PrintTo(property const& p, std::ostream* out) { *out << testing::contract::text_of(p); }
inline void PrintTo(error const& e, std::ostream* out) { *out << e.what(); }
}  // namespace tablemap
