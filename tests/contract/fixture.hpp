// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/answers.hpp"
#include "support/table_client.hpp"

#include "tablemap/store/store.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

/// The contract that every store keeps, asked through the seam. Each store runs every case; where one is known to differ, the
/// case is skipped by a named deviation, visibly.
namespace tablemap::test {

enum class deviation {
    takes_any_property_name,
    takes_any_number_of_properties,
    takes_any_value_text,  ///< does not read the text of Int64, Guid, DateTime and Binary
    takes_any_body_key,    ///< does not compare the keys in the body with the request's
    keeps_last_duplicate,  ///< of a property that comes twice
    counts_bytes_of_body,  ///< for the size of an entity
    names_no_property,     ///< errors do not tell the property
    measures_strings_in_bytes,
    finds_tables_by_exact_name,  ///< and lists them by code unit
    takes_any_etag_text,
    makes_up_digits_of_time,  ///< below the millisecond, so that timestamps may step back
    loses_negative_zero,
    compares_by_text,         ///< orders guids and binaries by their JSON text
    compares_by_millisecond,  ///< times
    takes_any_cursor,
    misreads_keys_in_groups,  ///< finds them by patterns: not with `',` or `RowKey='` or U+2028 in them
    wants_headers_in_cors_rules,
    wants_every_term_of_a_policy,  ///< refuses an access policy without start, expiry or permissions
    types_do_not_separate,         ///< a filter's literal of one integer type meets properties of the other
};

/// A store and how to make one that is empty or whose tables nobody else uses.
struct store_under_test {
    std::string name;
    std::function<store_ptr()> make;
    std::set<deviation> deviations{};

    friend void PrintTo(store_under_test const& s, std::ostream* out) { *out << s.name; }
};

std::vector<store_under_test> const& stores_under_test();

/// A store with one empty table of a name that no other test uses.
class seam : public ::testing::TestWithParam<store_under_test> {
protected:
    void SetUp() override;
    void TearDown() override;

    bool deviates(deviation d) const { return GetParam().deviations.contains(d); }

    /// Refused because of this property, as far as the store tells it.
    ::testing::AssertionResult refused_because_of(response const& r, std::error_code code,
                                                  std::string const& member) const {
        return deviates(deviation::names_no_property) ? refused(r, code) : refused_at(r, code, member);
    }
    store& the_store() { return *store_; }
    store_ptr const& shared_store() const { return store_; }
    table_client& table() { return *table_; }

    /// Inserts entities without properties, in the order given. A refusal fails the test.
    void put_rows(std::string const& partition, std::vector<std::string> const& rows);

    /// A table name that no other test uses; it is dropped at the end.
    std::string fresh_table_name();

private:
    store_ptr store_;
    std::optional<table_client> table_;
    std::vector<std::string> names_;
};

}  // namespace tablemap::test

#define TABLEMAP_SKIP_IF(d) \
    if (deviates(deviation::d)) GTEST_SKIP() << GetParam().name << " deviates: " #d

#define TABLEMAP_ON_EVERY_STORE(suite)                                                            \
    INSTANTIATE_TEST_SUITE_P(, suite, ::testing::ValuesIn(::tablemap::test::stores_under_test()), \
                             [](auto const& instance) { return instance.param.name; })
