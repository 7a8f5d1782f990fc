// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/task.hpp"
#include "tablemap/detail/write/single_request.hpp"
#include "tablemap/detail/write/table_call.hpp"
#include "tablemap/patterns/large_options.hpp"

#include <memory>
#include <string>
#include <utility>

/// The part of a `large_collector` that both of its forms share.
namespace tablemap::inline v0_1::detail {

/// Immutable once the collector is made.
struct large_collection {
    std::shared_ptr<table_state const> rows;
    std::string container;
    large_collector_options options;
};

using large_collection_ptr = std::shared_ptr<large_collection const>;

/// Errors (thrown): `service_errc::invalid_resource_name`; those of the name of a table;
/// `library_errc::value_out_of_range` for an option that cannot be used.
large_collection_ptr make_large_collection(store_ptr s, std::string table, std::string container,
                                           large_collector_options options);

/// Deletes blobs that no row names, and erases permits that are old, from the beginning or from a cursor. A fault ends
/// up in the report.
task<result<large_report>> sweep_large(large_collection_ptr collector, std::string from);

/// The call of a sweep.
inline table_call<large_report> sweep_call(large_collection_ptr const& collector, std::string from) {
    return {collector->rows, "sweep", sweep_large(collector, std::move(from))};
}

}  // namespace tablemap::detail
