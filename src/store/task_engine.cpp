// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/store/task_engine.hpp"

#include "store/task_group.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {

void task_promise_base::call(std::coroutine_handle<> callee, task_promise_base& p, std::coroutine_handle<> awaiter,
                             task_promise_base const& awaiting) noexcept {
    p.engine = awaiting.engine;
    p.awaiter = awaiter;
    p.engine->go_on(callee);
}

void task_promise_base::ended(task_promise_base& p) noexcept {
    if (p.awaiter)
        p.engine->go_on(p.awaiter);
    else if (p.member)
        p.member->group->ended(*p.member);
    // The first task of a call: its owner takes what it returned or threw.
}

void task_engine::run() {
    while (!thrown_ && to_send_.empty()) {
        if (!next_) {
            if (ready_.empty()) return;
            next_ = ready_.front().handle;
            ready_.pop_front();
        }
        running_ = std::exchange(next_, nullptr);
        running_.resume();
    }
}

exchange* task_engine::take_to_send() noexcept {
    if (thrown_ || to_send_.empty()) return nullptr;
    auto& e = to_send_.front();
    to_send_.pop_front();
    return &e;
}

void task_engine::wake(time_point reached) {
    if (thrown_ || sleepers_.empty()) return;
    bool const stopped = env_.options().stop.stop_requested();
    auto const now = std::max(env_.now(), reached);
    while (!sleepers_.empty() && (stopped || sleepers_.begin()->first <= now)) {
        auto& s = *sleepers_.begin()->second;
        sleepers_.erase(sleepers_.begin());
        s.wake();
    }
}

}  // namespace tablemap::detail
