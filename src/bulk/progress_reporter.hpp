// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/bulk/bulk_report.hpp"

#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// Reports the progress of a bulk call to its user. Rows end where nothing may throw, so `notify` calls the user's
/// functions.
class progress_reporter {
public:
    void add() noexcept { any_ = true; }

    /// True if somebody wants to know of one more problem.
    static bool wanted(bulk_options const& o, std::vector<bulk_problem> const& kept) noexcept {
        return o.on_problem || kept.size() < o.problems_kept;
    }
    void add(bulk_problem p, bulk_options const& o, std::vector<bulk_problem>& kept) {
        any_ = true;
        if (o.on_problem) problems_.push_back(p);
        if (kept.size() < o.problems_kept) kept.push_back(std::move(p));
    }

    /// `responses`: their number so far. `progress` gives how far the call has come.
    template <class Progress> void notify(bulk_options const& o, std::size_t responses, Progress progress) {
        while (!problems_.empty()) {
            auto const p = std::move(problems_.front());
            problems_.pop_front();
            o.on_problem(p);
        }
        bool const more_came = std::exchange(responses_, responses) != responses;
        if ((std::exchange(any_, false) || more_came) && o.progress) o.progress(progress());
    }

private:
    std::deque<bulk_problem> problems_{};
    std::size_t responses_ = 0;
    bool any_ = false;
};

}  // namespace tablemap::detail
