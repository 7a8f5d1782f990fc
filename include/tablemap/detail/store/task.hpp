// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace tablemap::inline v0_1::detail {

class task_engine;
struct task_group_member;
template <class T> class task_promise;

/// The part of a promise that does not depend on the type of the value.
class task_promise_base {
public:
    class hand_back {
    public:
        bool await_ready() const noexcept { return false; }
        template <class Promise> void await_suspend(std::coroutine_handle<Promise> ended) const noexcept {
            task_promise_base::ended(ended.promise());
        }
        void await_resume() const noexcept {}
    };

    std::suspend_always initial_suspend() const noexcept { return {}; }
    hand_back final_suspend() const noexcept { return {}; }
    void unhandled_exception() noexcept { thrown = std::current_exception(); }

    /// Runs a task before its awaiter goes on.
    static void call(std::coroutine_handle<> callee, task_promise_base& p, std::coroutine_handle<> awaiter,
                     task_promise_base const& awaiting) noexcept;

    task_engine* engine = nullptr;        ///< that of the call, once the task runs
    std::coroutine_handle<> awaiter{};    ///< null for the first task of a call, and in a group
    task_group_member* member = nullptr;  ///< of the group in which it runs beside others
    std::exception_ptr thrown{};

private:
    static void ended(task_promise_base& p) noexcept;
};

/// A coroutine without I/O: work of more than one request.
///
///     task<result<etag>> touch(std::string_view table, entity_key key) {
///         request const read = get_entity{table, key.partition_key, key.row_key, {}, true};
///         auto found = co_await ask(read);
///         if (found.failure) co_return failure{*std::move(found.failure)};
///         ...
///     }
///
/// It begins when it is awaited, or given to a driver. It can wait only for what `store/ask.hpp` and
/// `store/task_group.hpp` declare: responses, a time, other tasks, a signal, work outside the store. A driver carries
/// that out, one for callers that block and one for those that do not, with retry, deadlines and observers; in tests a
/// script does. The tasks of one call run one at a time, on any thread.
///
/// Exceptions of the user's functions leave a task as they leave a function. An exception of a store ends the call:
/// its tasks are destroyed where they wait, after all responses have come. (That of a `bulk_writer` goes on, without a
/// response to the request.)
///
/// g++ 12 destroys aggregate temporaries in a `co_await` expression twice, so each `co_await` is a statement of its own
/// or the whole initialiser, and awaits a call whose arguments have names. Parameters are values, or references to what
/// outlives the task; no coroutine is a lambda that captures. The lint `lint.coroutines` checks both.
template <class T = void> class [[nodiscard]] task {
public:
    using promise_type = task_promise<T>;
    using handle = std::coroutine_handle<promise_type>;

    explicit task(handle h) noexcept : handle_(h) {}
    task(task&& o) noexcept : handle_(std::exchange(o.handle_, nullptr)) {}
    task& operator=(task&& o) noexcept {
        std::swap(handle_, o.handle_);
        return *this;
    }
    ~task() {
        if (handle_) handle_.destroy();
    }

    handle get() const noexcept { return handle_; }

    bool await_ready() const noexcept { return false; }
    template <class Promise> void await_suspend(std::coroutine_handle<Promise> awaiter) const noexcept {
        task_promise_base::call(handle_, handle_.promise(), awaiter, awaiter.promise());
    }
    T await_resume() const { return take(); }

    /// The value that it returned; throws the exception that it threw. Precondition: it has ended.
    T take() const { return handle_.promise().take(); }

private:
    handle handle_;
};

template <class T> class task_promise final : public task_promise_base {
public:
    task<T> get_return_object() noexcept { return task<T>{task<T>::handle::from_promise(*this)}; }
    template <std::convertible_to<T> U = T> void return_value(U&& v) { value_.emplace(std::forward<U>(v)); }
    T take() {
        if (thrown) std::rethrow_exception(thrown);
        return *std::move(value_);
    }

private:
    std::optional<T> value_{};
};

template <> class task_promise<void> final : public task_promise_base {
public:
    task<void> get_return_object() noexcept { return task<void>{task<void>::handle::from_promise(*this)}; }
    void return_void() const noexcept {}
    void take() const {
        if (thrown) std::rethrow_exception(thrown);
    }
};

}  // namespace tablemap::detail
