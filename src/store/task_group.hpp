// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/task_engine.hpp"

#include <list>
#include <optional>

namespace tablemap::inline v0_1::detail {

class task_group;

struct task_group_member {
    task_group_member(task_group& g, task<> t) noexcept : group(&g), what(std::move(t)) {}

    task_group* group;
    task<> what;
    waiting_task turn{};
    std::list<task_group_member>::iterator place{};
};

/// Tasks that run beside each other. The task that owns a group awaits `all()` of it, and destroys nothing that the
/// group's tasks borrow before that. An exception of one of them ends the call.
class task_group {
public:
    task_group() = default;
    task_group(task_group const&) = delete;
    task_group& operator=(task_group const&) = delete;

    /// Adds a task; it runs once `all` is awaited.
    void add(task<> t);

    std::size_t size() const noexcept { return members_.size(); }

    class [[nodiscard]] joining {
    public:
        explicit joining(task_group& g) noexcept : group_(g) {}

        bool await_ready() const noexcept { return group_.members_.empty(); }
        template <class Promise> void await_suspend(std::coroutine_handle<Promise> h) noexcept {
            group_.begin(h, *h.promise().engine);
        }
        void await_resume() const noexcept {}

    private:
        task_group& group_;
    };

    /// `co_await group.all()`: waits for the end of all tasks, of those added meanwhile, too.
    joining all() noexcept { return joining{*this}; }

private:
    friend task_promise_base;

    void begin(std::coroutine_handle<> owner, task_engine& engine) noexcept;
    void begin(task_group_member& m) noexcept;
    void ended(task_group_member& m) noexcept;

    std::list<task_group_member> members_{};
    task_engine* engine_ = nullptr;
    waiting_task owner_{};
};

/// A signal between the tasks of one call: `while (is_full()) co_await changed.wait();`
class task_signal {
public:
    task_signal() = default;
    task_signal(task_signal const&) = delete;
    task_signal& operator=(task_signal const&) = delete;

    void notify_all() noexcept {
        while (notify_one()) {
        }
    }

    /// Lets the task go on that has waited longest. False if none waits.
    bool notify_one() noexcept;

    class [[nodiscard]] waiting final : public list_place, sleeper {
    public:
        waiting(task_signal& s, std::optional<time_point> until) noexcept : signal_(s), until_(until) {}
        waiting(waiting const&) = delete;
        waiting& operator=(waiting const&) = delete;

        bool await_ready() const noexcept { return false; }
        template <class Promise> void await_suspend(std::coroutine_handle<Promise> h) { begin(h, *h.promise().engine); }
        bool await_resume() const noexcept { return notified_; }

    private:
        friend task_signal;

        void begin(std::coroutine_handle<> h, task_engine& engine);
        void wake() noexcept override;

        task_signal& signal_;
        std::optional<time_point> until_;
        bool notified_ = false;
        task_engine* engine_ = nullptr;
        task_engine::sleep sleep_{};
        waiting_task turn_{};
    };

    /// `co_await signal.wait()`: waits for the next notification, or until that time at most. True if it was notified.
    waiting wait(std::optional<time_point> until = {}) noexcept { return waiting{*this, until}; }

private:
    list_of_places<waiting> waiting_{};
};

}  // namespace tablemap::detail
