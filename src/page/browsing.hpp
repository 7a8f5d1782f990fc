// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "page/gathering.hpp"
#include "tablemap/rest/transport.hpp"

#include <chrono>
#include <memory>
#include <mutex>
#include <string>

namespace tablemap::inline v0_1::page {

/// Answers what a browser asks of a server: the report at `/`, the partitions of a table, and their rows. It only
/// reads.
///
/// \par Thread safety
/// All functions may be called from any number of threads.
class browsing {
public:
    /// `how` tells what the report reads, `longest` how long the store may take for a page.
    browsing(store_ptr store, gathering how, std::chrono::milliseconds longest = std::chrono::seconds{30});

    /// A failure is a page, too. So is the refusal of a report while another one is made.
    http_response answer(http_request const& r) const;

private:
    std::string page_of(std::string_view target) const;

    store_ptr store_;
    gathering how_;
    std::chrono::milliseconds longest_;
    std::shared_ptr<std::mutex> making_ =
        std::make_shared<std::mutex>();  // of a report; copies make one at a time, too
};

}  // namespace tablemap::page
