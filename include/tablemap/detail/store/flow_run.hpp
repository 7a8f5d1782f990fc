// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/flow.hpp"
#include "tablemap/detail/store/run.hpp"

#include <cstddef>
#include <memory>
#include <optional>

namespace tablemap::inline v0_1::detail {

/// The connection between a flow and a store for a thread that may block: requests are sent, asynchronously if the
/// store is remote, and responses queue up. Thread safety: responses come from any thread, the other functions are for
/// one thread.
class flow_channel {
public:
    struct arrival {
        std::size_t slot;
        response answer;
        sent_note sent;
    };

    /// Both are borrowed.
    flow_channel(store& s, call_context& call);
    ~flow_channel();  ///< waits for the requests under way
    flow_channel(flow_channel const&) = delete;
    flow_channel& operator=(flow_channel const&) = delete;

    /// An exception of the store passes through; the request counts as answered then.
    void send(request const& r, std::size_t slot, int attempt);

    /// A response that has come, if any.
    std::optional<arrival> poll();

    /// The next response. Nothing if none came until then, or a stop was requested meanwhile. With a clock of the
    /// caller's own, time passes only while no request is under way.
    std::optional<arrival> wait(std::optional<time_point> const& until);

private:
    struct state;
    std::unique_ptr<state> state_;
};

/// The blocking driver of flows, which can also advance without waiting.
template <flow F> class flow_runner {
public:
    /// All are borrowed.
    flow_runner(store& s, F& f, call_context& call) : flow_(f), call_(call), channel_(s, call) {}

    /// Carries out one step. False if no more can be done: the flow is done, or it can only wait and `may_wait` is
    /// false.
    bool step(bool may_wait) {
        if (take(channel_.poll())) return true;
        call_.rethrow();
        auto const wanted = flow_.next(call_.env());
        switch (wanted.what()) {
        case flow_step::kind::done: return false;
        case flow_step::kind::send: channel_.send(wanted.asked(), wanted.slot(), wanted.attempt()); return true;
        case flow_step::kind::wait: break;
        }
        if (may_wait) take(channel_.wait(wanted.until()));
        return may_wait;
    }

private:
    bool take(std::optional<flow_channel::arrival> there) {
        if (!there) return false;
        call_.answered({&there->answer, 1}, there->sent);
        flow_.answered(call_.env(), there->slot, std::move(there->answer));
        return true;
    }

    F& flow_;
    call_context& call_;
    flow_channel channel_;
};

/// Runs a flow to its end on this thread.
template <flow F> result<typename F::value_type> run_flow(store& s, F& f, call_options const& options) {
    call_context call{s, options, id_scope::request};
    call.named(f);
    flow_runner<F> runner{s, f, call};
    while (runner.step(true)) {
    }
    auto r = f.take();
    call.ended(r);
    return r;
}

}  // namespace tablemap::detail
