// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/operation.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>

/// The vocabulary of work that keeps many requests under way, whose answers come one by one and in any order.
///
/// An `operation` goes on when all requests of a step are answered; a flow goes on with each answer, so that a slow one holds
/// up nothing but itself. Like an operation it is written without I/O and run by a blocking and an asynchronous driver.
namespace tablemap::detail {

/// What a flow wants next.
class flow_step {
public:
    enum class kind : std::uint8_t { send, wait, done };

    /// One more request, under a small number that nothing else is under way with. It must live until it is answered.
    /// `attempt`: how often this request is sent with this one.
    static flow_step send(request const& r, std::size_t slot, int attempt = 1) noexcept {
        return {kind::send, &r, slot, {}, attempt};
    }

    /// The next answer, or until then if none comes. Without a time only while something is under way.
    static flow_step wait(std::optional<time_point> until = {}) noexcept { return {kind::wait, nullptr, 0, until, 0}; }

    /// Nothing is under way, and nothing to do as things stand.
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

/// An object that is asked for its next step until it is done, given each answer under the number of its request, and asked
/// for its result at the end. Never called by two threads at once.
///
/// Drivers do not send after a stop or the deadline but answer `not_sent`, so a flow only has to notice it. Functions of the
/// user that a flow calls may throw out of `next`; the driver waits then for what is under way.
template <class F>
concept flow = requires(F& f, environment const& env, std::size_t slot, response&& answer) {
    typename F::value_type;
    { f.next(env) } -> std::same_as<flow_step>;
    f.answered(env, slot, std::move(answer));
    { f.take() } -> std::same_as<result<typename F::value_type>>;
};

}  // namespace tablemap::detail
