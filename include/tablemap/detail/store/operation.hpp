// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/store/options.hpp"
#include "tablemap/store/request.hpp"
#include "tablemap/store/response.hpp"

#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <system_error>

/// The vocabulary of operations that are written without I/O.
///
/// An operation takes one request or more. It receives the last responses and returns the next step; a driver carries
/// the step out. So one text serves blocking and asynchronous callers, and is tested by a script without a store.
namespace tablemap::inline v0_1::detail {

/// The next step of an operation. Requests are borrowed and must live until the operation is resumed.
class step {
public:
    enum class kind : std::uint8_t { send, wait, done };

    static step send(request const& r) noexcept;

    /// Sends several requests whose order does not matter. Answers come in the order of the requests.
    static step send(std::span<request const> rs) noexcept { return {kind::send, rs, {}}; }

    static step wait_until(time_point t) noexcept { return {kind::wait, {}, t}; }
    static step done() noexcept { return {kind::done, {}, {}}; }

    kind what() const noexcept { return kind_; }
    std::span<request const> requests() const noexcept { return requests_; }
    time_point until() const noexcept { return until_; }

private:
    step(kind k, std::span<request const> rs, time_point t) noexcept : kind_(k), requests_(rs), until_(t) {}

    kind kind_;
    std::span<request const> requests_;
    time_point until_;
};

/// The surroundings of an operation: time, randomness, and the end of the call.
class environment {
public:
    explicit environment(call_options const& options) noexcept;

    time_point now() const { return clock_.now(); }
    std::uint64_t random() const { return clock_.random(); }
    tablemap::clock& clock() const noexcept { return clock_; }
    call_options const& options() const noexcept { return options_; }

    /// The reason why no more may be sent: cancelled, or past the deadline. Empty code: go on.
    std::error_code why_stop() const;

    /// The end of a wait of this length, or nothing if the deadline comes first.
    std::optional<time_point> wait_for(std::chrono::nanoseconds d) const;

    /// `d` shortened by a random share of at most `jitter`.
    std::chrono::nanoseconds jittered(std::chrono::nanoseconds d, double jitter) const;

private:
    call_options const& options_;
    tablemap::clock& clock_;
};

/// An object that is started once, resumed with the responses of each step (none after a wait), and asked for its
/// result after `done`. Functions of the user that an operation calls may throw; no request is outstanding then.
template <class Op>
concept operation = requires(Op& op, environment const& env, std::span<response> answers) {
    typename Op::value_type;
    { op.start(env) } -> std::same_as<step>;
    { op.resume(env, answers) } -> std::same_as<step>;
    { op.take() } -> std::same_as<result<typename Op::value_type>>;
};

}  // namespace tablemap::detail
