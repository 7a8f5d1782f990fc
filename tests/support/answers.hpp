// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testing/contract/answers.hpp"

#include <gtest/gtest.h>

#include <system_error>

/// Assertions about responses, those of the contract's cases, and about results.
namespace tablemap::test {

using testing::contract::carried_out;
using testing::contract::entities_in;
using testing::contract::entity_in;
using testing::contract::keys_of;
using testing::contract::properties_of;
using testing::contract::refused;
using testing::contract::refused_at;
using testing::contract::row_keys;

/// A failed result with this code.
template <class T>::testing::AssertionResult failed_with(result<T> const& r, std::error_code code) {
    if (r) return ::testing::AssertionFailure() << "succeeded instead of failing with " << code.message();
    if (r.error().code() == code) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "failed otherwise: " << r.error().what();
}

}  // namespace tablemap::test
