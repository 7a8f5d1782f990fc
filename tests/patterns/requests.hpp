// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "docs/page_table.hpp"
#include "support/observing.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace tablemap::test {

/// Carries out what each row of a page's table of requests names, and compares how many requests the store saw.
inline void expect_requests(std::string const& page, keeping_observer& seen,
                            std::map<std::string, std::function<void()>> operations) {
    for (auto const& row : page_table(page, "requests")) {
        auto const operation = operations.extract(row.at(0));
        ASSERT_FALSE(operation.empty()) << "nothing does what the page names: " << row.at(0);
        auto const before = seen.requests.size();
        operation.mapped()();
        EXPECT_EQ(std::to_string(seen.requests.size() - before), row.at(1)) << row.at(0);
    }
    for (auto const& [name, unused] : operations) ADD_FAILURE() << "the page does not name: " << name;
}

}  // namespace tablemap::test
