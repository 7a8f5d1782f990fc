// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/operation.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>

/// The vocabulary of work that keeps many requests under way, whose responses come one by one and in any order.
///
/// An `operation` goes on when all requests of a step are answered; a flow goes on with each response, so that a slow
/// one delays only itself. Like an operation it is written without I/O and run by a blocking and an asynchronous
/// driver.
namespace tablemap::inline v0_1::detail {

/// The next step of a flow.
class flow_step {
public:
    enum class kind : std::uint8_t { send, wait, done };

    /// Sends one more request, under a small number that no other request under way has. The request must live until it
    /// is answered. `attempt`: the number of times that this request has been sent, this one included.
    static flow_step send(request const& r, std::size_t slot, int attempt = 1) noexcept {
        return {kind::send, &r, slot, {}, attempt};
    }

    /// Waits for the next response, until that time at most. Without a time only while a request is under way.
    static flow_step wait(std::optional<time_point> until = {}) noexcept { return {kind::wait, nullptr, 0, until, 0}; }

    /// Ends the run: no request is under way, and nothing is left to do at present.
    static flow_step done() noexcept { return {kind::done, nullptr, 0, {}, 0}; }

    kind what() const noexcept { return kind_; }
    request const& asked() const noexcept { return *request_; }
    std::size_t slot() const noexcept { return slot_; }
    std::optional<time_point> const& until() const noexcept { return until_; }
    int attempt() const noexcept { return attempt_; }

private:
    flow_step(kind k, request const* r, std::size_t slot, std::optional<time_point> until, int attempt) noexcept
        : kind_(k), request_(r), slot_(slot), until_(until), attempt_(attempt) {}

    kind kind_;
    request const* request_;
    std::size_t slot_;
    std::optional<time_point> until_;
    int attempt_;
};

/// An object that is asked for its next step until it is done, takes each response under the number of its request, and
/// is asked for its result at the end. Never called by two threads at once.
///
/// After a stop or the deadline drivers do not send but answer `not_sent`, so a flow only has to notice that. Functions
/// of the user that a flow calls may throw out of `next`; the driver then waits for the requests under way.
template <class F>
concept flow = requires(F& f, environment const& env, std::size_t slot, response&& answer) {
    typename F::value_type;
    { f.next(env) } -> std::same_as<flow_step>;
    f.answered(env, slot, std::move(answer));
    { f.take() } -> std::same_as<result<typename F::value_type>>;
};

}  // namespace tablemap::detail
