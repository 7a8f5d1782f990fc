// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testing/contract/answers.hpp"
#include "testing/contract/table_client.hpp"

#include "tablemap/testing/store_contract.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tablemap::inline v0_1::testing::contract {

/// The stores whose cases run in this program, each for both ways of asking.
std::vector<store_under_test> const& registered_stores();

/// A store with one empty table of a name that no other case uses.
class seam : public ::testing::TestWithParam<store_under_test> {
protected:
    void SetUp() override;
    void TearDown() override;

    bool deviates(deviation d) const { return GetParam().deviations.contains(d); }

    /// Refused because of this property, as far as the store tells it.
    ::testing::AssertionResult refused_because_of(response const& r, std::error_code code,
                                                  std::string const& member) const {
        return deviates(deviation::omits_property_of_error) ? refused(r, code) : refused_at(r, code, member);
    }
    store& the_store() { return *store_; }
    store_ptr const& shared_store() const { return store_; }
    table_client& table() { return *table_; }

    bool is_ordered() const { return store_->capabilities().ordered_results; }
    bool has_transactions() const { return store_->capabilities().transaction_operations > 1; }

    /// Sorted if the store gives no order.
    std::vector<std::string> as_given(std::vector<std::string> keys) const;

    /// Inserts entities without properties, in the order given. A refusal fails the test.
    void put_rows(std::string const& partition, std::vector<std::string> const& rows);

    /// Inserts entities of one partition, by transactions if the store has them. A refusal fails the test.
    void put_all(std::vector<dynamic_entity> const& entities);

    /// A table name that no other test uses; it is dropped at the end.
    std::string fresh_table_name();

private:
    store_ptr store_;
    std::optional<table_client> table_;
    std::vector<std::string> names_;
};

}  // namespace tablemap::testing::contract

#define TABLEMAP_SKIP_IF(d)                          \
    if (deviates(::tablemap::testing::deviation::d)) \
    GTEST_SKIP() << GetParam().name << " deviates: " << ::tablemap::testing::name_of(::tablemap::testing::deviation::d)

#define TABLEMAP_SKIP_WITHOUT_TRANSACTIONS() \
    if (!has_transactions())                 \
    GTEST_SKIP() << GetParam().name << " has no transactions: transaction_operations is below 2"

#define TABLEMAP_SKIP_WITHOUT_ORDER() \
    if (!is_ordered()) GTEST_SKIP() << GetParam().name << " gives no order: ordered_results is false"

/// Runs the cases of a suite on every registered store; in a program that registers none, there are none.
#define TABLEMAP_CONTRACT_SUITE(suite)                                                                         \
    GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(suite);                                                      \
    INSTANTIATE_TEST_SUITE_P(, suite, ::testing::ValuesIn(::tablemap::testing::contract::registered_stores()), \
                             [](auto const& instance) { return instance.param.name; })
