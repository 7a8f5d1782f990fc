// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/error.hpp"
#include "tablemap/store/response.hpp"

/// The refusals of reads and writes of one row that tell what became of the row.
namespace tablemap::inline v0_1::detail {

/// True for the response to a read of a row that is not there.
inline bool is_absent(response const& read) noexcept {
    return !read.ok() && read.failure->code() == service_errc::resource_not_found;
}

/// True if a row that was to be changed under an etag has another one or is gone, and nothing was applied.
inline bool is_outdated(error const& e) noexcept {
    return e.outcome() == outcome::not_applied &&
           (e.code() == service_errc::update_condition_not_satisfied || e.code() == service_errc::resource_not_found);
}

/// The same, and true if a row that was to be inserted is there, and nothing was applied.
inline bool is_overtaken(error const& e) noexcept {
    return is_outdated(e) || (e.outcome() == outcome::not_applied && e.code() == service_errc::entity_already_exists);
}

}  // namespace tablemap::detail
