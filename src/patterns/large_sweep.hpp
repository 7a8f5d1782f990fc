// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "patterns/large_names.hpp"
#include "tablemap/detail/store/task.hpp"
#include "tablemap/patterns/large_options.hpp"

#include <memory>
#include <string>

namespace tablemap::inline v0_1::detail {

/// Immutable once the collector is made.
struct large_collection {
    std::shared_ptr<table_state const> rows;
    std::string container;
    large_collector_options options;
};

using large_collection_ptr = std::shared_ptr<large_collection const>;

/// Errors: `library_errc::value_out_of_range` for an option that cannot be used.
result<void> check_options(large_collector_options const& o);

/// Deletes blobs that no row names, and erases permits that are old, from the beginning or from a cursor. A fault ends
/// up in the report.
task<result<large_report>> sweep_large(large_collection_ptr collector, std::string from);

}  // namespace tablemap::detail
