// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/call_context.hpp"
#include "tablemap/detail/store/task.hpp"

#include <boost/intrusive/list.hpp>

#include <cstddef>
#include <exception>
#include <map>
#include <optional>

/// The part of a call that its tasks and its driver share: the tasks that may go on, the requests to send, and the
/// times that are waited for.
namespace tablemap::inline v0_1::detail {

/// Membership of one list at a time, which ends with the object. Nothing is allocated: members live in the frames of
/// the tasks that wait.
using list_place = boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;
template <class T> using list_of_places = boost::intrusive::list<T, boost::intrusive::constant_time_size<false>>;

/// A task that goes on when its turn comes.
struct waiting_task : list_place {
    std::coroutine_handle<> handle{};
};

class exchange;

/// The awaiter of some exchanges.
class exchange_owner {
public:
    virtual void answered(exchange& e) = 0;

protected:
    ~exchange_owner() = default;
};

/// The side of a driver that takes responses, on any thread.
class arrivals {
public:
    virtual void arrived(exchange& e) noexcept = 0;

protected:
    ~arrivals() = default;
};

/// Work that a driver waits for as for a response, but that is none of the store's.
class outside_work {
public:
    /// Begins, and completes `to` at the end, on any thread. Must not throw.
    virtual void begin(receiver& to) noexcept = 0;

protected:
    ~outside_work() = default;
};

/// One request, and the response to it.
class exchange final : public receiver, public list_place {
public:
    void complete(response&& a) noexcept override {
        answer = std::move(a);
        to->arrived(*this);
    }

    request const* what = nullptr;
    outside_work* outside = nullptr;  ///< in place of a request
    int attempt = 1;
    exchange_owner* owner = nullptr;
    response answer{};

    // For the driver.
    arrivals* to = nullptr;
    sent_note note{};
    std::optional<slot_options> options{};  ///< of a call whose requests each have an id of their own
};

/// A task that waits for a time.
class sleeper {
public:
    /// Called when the time has come, or a stop was requested.
    virtual void wake() noexcept = 0;

protected:
    ~sleeper() = default;
};

/// Never used by two threads at once.
class task_engine {
public:
    /// Both are borrowed.
    task_engine(environment const& env, retry_policy const& policy) noexcept : env_(env), policy_(policy) {}
    task_engine(task_engine const&) = delete;
    task_engine& operator=(task_engine const&) = delete;

    environment const& env() const noexcept { return env_; }
    retry_policy const& policy() const noexcept { return policy_; }

    // ---- for tasks --------------------------------------------------------------------------------------------------

    /// Goes on with a task as soon as the running one waits or ends. Tasks are never resumed from within others: g++
    /// makes no tail call of symmetric transfer unless it optimises, and tasks that end at once would use up the stack.
    void go_on(std::coroutine_handle<> h) noexcept { next_ = h; }

    /// Goes on with a task after those that are ready already.
    void make_ready(waiting_task& t) noexcept { ready_.push_back(t); }

    void send(exchange& e) noexcept { to_send_.push_back(e); }

    using sleep = std::multimap<time_point, sleeper*>::iterator;
    sleep wait_until(time_point t, sleeper& s) { return sleepers_.emplace(t, &s); }
    void cancel(sleep s) noexcept { sleepers_.erase(s); }

    /// Ends the call with what a task of a group threw: no task runs any more.
    void end_with(std::exception_ptr thrown) noexcept {
        if (!thrown_) thrown_ = std::move(thrown);
    }

    // ---- for drivers ------------------------------------------------------------------------------------------------

    /// Makes a task the first one of the call. It is borrowed.
    void begin(std::coroutine_handle<> first, task_promise_base& p) noexcept {
        p.engine = this;
        next_ = first;
    }

    /// Runs tasks until all of them wait, or one has a request to send.
    void run();

    /// The next request to send, if any.
    exchange* take_to_send() noexcept;

    /// Passes the response of an exchange to the task that waits for it.
    void answered(exchange& e) {
        if (!thrown_) e.owner->answered(e);
    }

    /// Wakes the tasks whose time has come; all of them after a stop. `reached`: a time that a clock has waited for. It
    /// counts as passed, whatever the clock says now: otherwise a clock whose waits end early would be asked for ever.
    void wake(time_point reached = time_point::min());

    /// The time that the next task waits for. Nothing if none does.
    std::optional<time_point> next_time() const noexcept {
        if (sleepers_.empty() || thrown_) return std::nullopt;
        return sleepers_.begin()->first;
    }

    /// True if only a response or a time lets a task go on.
    bool is_waiting() const noexcept { return thrown_ || (!next_ && ready_.empty() && to_send_.empty()); }

    std::exception_ptr const& thrown() const noexcept { return thrown_; }

private:
    environment const& env_;
    retry_policy const& policy_;
    std::coroutine_handle<> next_{};
    std::coroutine_handle<> running_{};  ///< for scripts/gdb-tasks.py
    list_of_places<waiting_task> ready_{};
    list_of_places<exchange> to_send_{};
    std::multimap<time_point, sleeper*> sleepers_{};
    std::exception_ptr thrown_{};
};

}  // namespace tablemap::detail
