// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/flow.hpp"
#include "tablemap/detail/store/retry.hpp"

#include <cstddef>
#include <deque>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// The requests of a flow, each tried again as the policy allows, on a slot of its own.
class flow_requests {
public:
    explicit flow_requests(retry_policy const& policy) noexcept : policy_(policy) {}

    /// Adds a new request, due at once. It must live until its final response. Returns its slot.
    std::size_t begin(request const& r);

    /// The slot that has waited longest of those whose request may be sent now.
    std::optional<std::size_t> due(time_point now) const noexcept;

    /// The time when the next request is due, if any waits.
    std::optional<time_point> next_time() const noexcept;

    /// Sends the request of a slot.
    flow_step send(std::size_t slot);

    /// Holds a request back until this time.
    void postpone(std::size_t slot, time_point until);

    /// Makes all requests due, once waiting has become pointless.
    void hurry();

    /// Takes a response. Returns the final one, and the slot is free again; or nothing, and the request is sent again
    /// later.
    std::optional<response> answered(environment const& env, std::size_t slot, response&& answer);

    std::size_t under_way() const noexcept { return under_way_; }
    bool empty() const noexcept { return under_way_ == 0 && waiting_.empty(); }
    std::size_t sent() const noexcept { return sent_; }        ///< requests sent so far
    std::size_t retries() const noexcept { return retries_; }  ///< those of them that were not the first try

private:
    struct slot_state {
        explicit slot_state(retry_policy const& policy) noexcept : round(policy) {}

        retry_round round;
        request const* next = nullptr;
        time_point due{};
        int tries = 0;
    };

    void wait(std::size_t slot, time_point until);

    retry_policy policy_;
    std::deque<slot_state> slots_{};
    std::vector<std::size_t> free_{};
    std::set<std::pair<time_point, std::size_t>> waiting_{};
    std::size_t under_way_ = 0, sent_ = 0, retries_ = 0;
};

}  // namespace tablemap::detail
