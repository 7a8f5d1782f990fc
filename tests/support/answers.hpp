// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/dynamic_entity.hpp"
#include "tablemap/store/response.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <system_error>
#include <vector>

/// What tests ask of answers, with messages that tell what came instead.
namespace tablemap::test {

::testing::AssertionResult carried_out(response const& r);
::testing::AssertionResult refused(response const& r, std::error_code code);

/// Refused because of this property.
::testing::AssertionResult refused_at(response const& r, std::error_code code, std::string const& member);

/// A failed result with this code.
template <class T>::testing::AssertionResult failed_with(result<T> const& r, std::error_code code) {
    if (r) return ::testing::AssertionFailure() << "succeeded instead of failing with " << code.message();
    if (r.error().code() == code) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "failed otherwise: " << r.error().what();
}

/// The entity in the answer of a get, the entities in the answer of a query. A failed answer fails the test.
detail::stored_entity entity_in(response const& r);
std::vector<detail::stored_entity> entities_in(response const& r);

std::vector<std::string> row_keys(std::vector<detail::stored_entity> const& entities);

/// "partition/row" of each.
std::vector<std::string> keys_of(std::vector<detail::stored_entity> const& entities);

/// Sorted by name: stores need not keep the order.
std::vector<property> properties_of(dynamic_entity const& e);

}  // namespace tablemap::test

/// Found by GoogleTest through the namespace of their arguments.
namespace tablemap {
void PrintTo(property const& p, std::ostream* out);
void PrintTo(error const& e, std::ostream* out);
}  // namespace tablemap
