// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/answers.hpp"
#include "support/table_client.hpp"
#include "testing/contract/fixture.hpp"

#include <vector>

/// The tables of every store that this project has, asked as users ask them. What stores are asked through the seam is
/// in the suite that they are shipped with.
namespace tablemap::test {

using testing::deviation;
using testing::store_under_test;
using testing::contract::seam;

/// As `register_store_contract` takes them.
std::vector<store_under_test> const& stores_to_register();

/// The same, and each with every request sent asynchronously as one more.
std::vector<store_under_test> const& stores_under_test();

}  // namespace tablemap::test

#define TABLEMAP_ON_EVERY_STORE(suite)                                                            \
    INSTANTIATE_TEST_SUITE_P(, suite, ::testing::ValuesIn(::tablemap::test::stores_under_test()), \
                             [](auto const& instance) { return instance.param.name; })
