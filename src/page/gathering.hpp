// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "inspect/schema_check.hpp"
#include "page/report.hpp"
#include "tablemap/store/store.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tablemap::inline v0_1::page {

struct gathering {
    std::string title{};
    std::vector<std::string> tables{};  ///< empty: all, of which 200 at most are read
    std::size_t rows = 20'000;          ///< of each table that are read whole, at most; the sample has as many
    bool exact = false;                 ///< read all rows
    std::string type_property{};        ///< empty: that which the rows let recognise
    std::optional<inspect::checked_schema> schema{};  ///< rows of the tables that it names are compared with it
    std::function<void(std::string const&)> progress = [](auto const&) {};
};

/// Reads the facts of a report. It writes nothing.
///
/// \throws error those of the store; `library_errc::unsupported` for a store that does not answer in the order of keys
report gather_report(store_ptr const& store, gathering const& how);

}  // namespace tablemap::page
