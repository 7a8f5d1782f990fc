// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/task_engine.hpp"
#include "tablemap/store/store.hpp"

#include <cstddef>
#include <memory>

namespace tablemap::inline v0_1::detail {

/// The policy of a call.
inline retry_policy const& policy_of(store const& s, call_options const& o) noexcept {
    return o.retry ? *o.retry : s.context().default_retry;
}

/// The blocking driver of tasks. It can also advance without waiting, for calls that are driven a little at a time.
/// Thread safety: responses come from any thread, the other functions are for one thread.
class task_runner final : arrivals {
public:
    /// All are borrowed.
    task_runner(store& s, call_context& call, task_engine& engine, id_scope ids) noexcept;
    ~task_runner();  ///< waits for the requests under way
    task_runner(task_runner const&) = delete;
    task_runner& operator=(task_runner const&) = delete;

    /// Does what comes next. False if no more can be done: all tasks have ended, or only waiting is left and `may_wait`
    /// is false. An exception of the store passes through; the request counts as answered then.
    bool step(bool may_wait);

private:
    struct channel;

    void arrived(exchange& e) noexcept override;
    void send(exchange& e, bool may_wait);
    void send_async(exchange& e, call_options const& o);
    void begin_outside(exchange& e);
    void take(exchange& e);
    bool take_arrived();
    void wait();

    store& store_;
    call_context& call_;
    task_engine& engine_;
    id_scope ids_;
    std::size_t open_ = 0;                ///< sent asynchronously and not taken yet
    std::unique_ptr<channel> channel_{};  ///< made for the first of them
};

/// The options that a request is sent with.
call_options const& options_for(exchange& e, id_scope ids, store const& s, call_context const& call);

}  // namespace tablemap::detail
