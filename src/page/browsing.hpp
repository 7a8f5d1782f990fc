// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "page/gathering.hpp"
#include "tablemap/rest/transport.hpp"

#include <string>

namespace tablemap::inline v0_1::page {

/// Answers what a browser asks of a server: the report at `/`, the partitions of a table, and their rows. It only
/// reads.
///
/// \par Thread safety
/// All functions may be called from any number of threads.
class browsing {
public:
    /// `how` tells what the report reads.
    browsing(store_ptr store, gathering how);

    /// A failure is a page, too.
    http_response answer(http_request const& r) const;

private:
    std::string page_of(std::string_view target) const;

    store_ptr store_;
    gathering how_;
};

}  // namespace tablemap::page
