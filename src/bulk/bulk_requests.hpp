// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store/concurrency_limit.hpp"
#include "store/task_group.hpp"
#include "tablemap/bulk/bulk_report.hpp"
#include "tablemap/detail/store/task.hpp"
#include "tablemap/store/rate_limit.hpp"
#include "tablemap/store/store.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace tablemap::inline v0_1::detail {

/// The share that a request takes of the rate.
struct rate_share {
    std::string_view partition;
    std::size_t entities;
    bool counted;  ///< by the rate limiter, for the first try
};

/// The requests of a bulk call: tried again as its policy allows, held to the limits, and counted.
class bulk_requests {
public:
    class watcher {
    public:
        /// Called after the response to a try that is not the last. What it throws ends the call.
        virtual void changed() = 0;

        /// Called after a wait: it may be that nothing more is to be sent.
        virtual void look_for_end() = 0;

    protected:
        ~watcher() = default;
    };

    /// `env` and `w` are borrowed.
    bulk_requests(capabilities const& can, bulk_options const& options, environment const& env, watcher& w);

    /// Asks for the final response. Each try waits for its turn: no more are under way than the store takes, and the
    /// rate limiter counts them. Without a share neither holds for a store that takes several at once. All is borrowed.
    task<response> ask(request const& what, rate_share const* share);

    rate_limiter& limiter() const noexcept { return *limiter_; }

    /// True if as many requests are under way as the store takes.
    bool busy() const noexcept { return turns_taken_ >= (takes_several_ ? limit_.size() : 1); }

    /// True while the last response was that the store cannot be reached, and it is tried again: it is unknown whether
    /// more can be sent.
    bool is_waiting_for_store() const noexcept { return out_of_reach_ && open_ > 0; }

    std::size_t responses() const noexcept { return sent_ - under_way_; }
    void report(bulk_progress& to) const noexcept;

private:
    task<> take_turn(rate_share const* share);
    std::uint64_t begin_try(rate_share const* share, bool again) noexcept;
    void end_try(rate_share const* share, std::uint64_t mark, response const& answer) noexcept;
    void give_turn_back() noexcept;
    void note(std::uint64_t mark, response const& answer) noexcept;

    environment const& env_;
    watcher& watcher_;
    std::shared_ptr<rate_limiter> limiter_;
    bool takes_several_;  ///< several requests at once are faster
    concurrency_limit limit_;
    std::size_t turns_taken_ = 0;
    task_signal turns_{};   ///< for those to whom a turn was given
    std::size_t open_ = 0;  ///< requests with a share that have no final response
    std::size_t under_way_ = 0, sent_ = 0, retries_ = 0, throttled_ = 0;
    bool out_of_reach_ = false;
};

/// The end of a wait that the end of the call cuts short.
time_point until_deadline(time_point t, environment const& env) noexcept;

}  // namespace tablemap::detail
