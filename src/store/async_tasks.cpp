// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/store/async_tasks.hpp"

#include "store/task_runner.hpp"
#include "store/local_response.hpp"

#include <utility>

namespace tablemap::inline v0_1::detail {

async_tasks::async_tasks(store_ptr s, call_options o, id_scope ids, lent_things& lent)
    : store_(std::move(s)),
      call_(*store_, std::move(o), ids),
      engine_(call_.env(), policy_of(*store_, call_.env().options())),
      ids_(ids),
      lent_(lent) {}

/// Takes a response; null: the end of a wait.
void async_tasks::event(exchange* e) noexcept {
    {
        std::scoped_lock const lock{mutex_};
        if (e)
            arrived_.push_back(*e);
        else
            woken_ = true;
        if (driven_) return;
        driven_ = true;
        woken_ = false;
    }
    if (std::exchange(is_timed_, false)) stop_timer();
    drive();
}

void async_tasks::drive() noexcept {
    while (!thrown_ || open_ > 0) {
        try {
            if (take_arrived()) continue;
            if (!thrown_) {
                run_tasks();
                if (auto* const e = engine_.take_to_send()) {
                    send(*e);
                    continue;
                }
                if (open_ == 0 && !engine_.next_time()) break;
                engine_.wake();
                if (!engine_.is_waiting()) continue;
            }
            if (!wait()) return;  // *this may be gone now
        } catch (...) {
            thrown_ = std::current_exception();
        }
    }
    finish();
}

void async_tasks::run_tasks() {
    lent_use const use{lent_};
    if (!use.is_allowed()) throw error{library_errc::cancelled};
    call_.rethrow();
    engine_.run();
    if (engine_.thrown()) std::rethrow_exception(engine_.thrown());
}

void async_tasks::send(exchange& e) {
    e.to = this;
    ++open_;
    if (e.outside) return e.outside->begin(e);
    try {
        e.note = call_.sending({e.what, 1}, e.attempt);
        if (auto const why = call_.env().why_stop())
            e.complete(not_sent(*e.what, why));
        else
            store_->async_execute(*e.what, options_for(e, ids_, *store_, call_), e);
    } catch (...) {
        e.complete(response_of_throwing(*e.what));  // otherwise the wait for it would never end
        throw;
    }
}

/// Passes a response that has come to its task.
bool async_tasks::take_arrived() {
    exchange* e = nullptr;
    {
        std::scoped_lock const lock{mutex_};
        if (arrived_.empty()) return false;
        e = &arrived_.front();
        arrived_.pop_front();
    }
    --open_;
    if (!e->outside) call_.answered({&e->answer, 1}, e->note);
    if (!thrown_) engine_.answered(*e);
    return true;
}

/// False if driving ends here: the next event takes it up again.
bool async_tasks::wait() {
    auto const& o = call_.env().options();
    auto const until = thrown_ ? std::nullopt : engine_.next_time();
    if (until && o.clock && open_ == 0) {  // a clock of the caller's own defines waiting
        o.clock->sleep_until(*until, o.stop);
        engine_.wake(*until);
        return true;
    }
    if (until && !o.clock) {
        is_timed_ = true;
        if (!start_timer(*until)) throw error{library_errc::cancelled};
    }
    {
        std::scoped_lock const lock{mutex_};
        if (arrived_.empty() && !std::exchange(woken_, false)) {
            driven_ = false;
            return false;
        }
    }
    if (std::exchange(is_timed_, false)) stop_timer();
    return true;
}

}  // namespace tablemap::detail
