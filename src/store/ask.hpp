// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/task_engine.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

/// The awaitables of tasks: responses, a time, and the surroundings of the call.
namespace tablemap::inline v0_1::detail {

/// Requests of a task whose order does not matter. Each is tried again as the call's policy allows; see `retry`.
class question : exchange_owner {
public:
    question(question const&) = delete;
    question& operator=(question const&) = delete;

protected:
    explicit question(std::span<request const> wanted, bool* lost_a_write = nullptr) noexcept
        : wanted_(wanted), lost_a_write_(lost_a_write) {}
    ~question() = default;

    void begin(std::coroutine_handle<> awaiter, task_engine& engine, std::span<exchange> with);

    /// Throws what `retry` threw, if anything.
    void rethrow() const {
        if (retrying_) retrying_->take();
    }

private:
    void answered(exchange& e) override;

    std::span<request const> wanted_;
    bool* lost_a_write_;
    std::span<exchange> exchanges_{};
    task_engine* engine_ = nullptr;
    waiting_task turn_{};
    std::size_t open_ = 0;
    std::optional<task<>> retrying_{};
};

class [[nodiscard]] asking final : public question {
public:
    explicit asking(request const& r, bool* lost_a_write = nullptr) noexcept : question({&r, 1}, lost_a_write) {}

    bool await_ready() const noexcept { return false; }
    template <class Promise> void await_suspend(std::coroutine_handle<Promise> h) {
        begin(h, *h.promise().engine, {&exchange_, 1});
    }
    response await_resume() {
        rethrow();
        return std::move(exchange_.answer);
    }

private:
    exchange exchange_{};
};

class [[nodiscard]] asking_all final : public question {
public:
    explicit asking_all(std::span<request const> rs) noexcept : question(rs), count_(rs.size()) {}

    bool await_ready() const noexcept { return count_ == 0; }
    template <class Promise> void await_suspend(std::coroutine_handle<Promise> h) {
        exchanges_ = std::make_unique<exchange[]>(count_);
        begin(h, *h.promise().engine, {exchanges_.get(), count_});
    }
    std::vector<response> await_resume();

private:
    std::size_t count_;
    std::unique_ptr<exchange[]> exchanges_{};
};

/// One try of some requests.
class [[nodiscard]] asking_once final : exchange_owner {
public:
    asking_once(std::span<request const> wanted, std::span<exchange* const> with, int attempt) noexcept
        : wanted_(wanted), with_(with), attempt_(attempt) {}
    asking_once(asking_once const&) = delete;
    asking_once& operator=(asking_once const&) = delete;

    bool await_ready() const noexcept { return wanted_.empty(); }
    template <class Promise> void await_suspend(std::coroutine_handle<Promise> h) { begin(h, *h.promise().engine); }
    void await_resume() const noexcept {}

private:
    void begin(std::coroutine_handle<> awaiter, task_engine& engine) noexcept;
    void answered(exchange& e) override;

    std::span<request const> wanted_;
    std::span<exchange* const> with_;
    int attempt_;
    task_engine* engine_ = nullptr;
    waiting_task turn_{};
    std::size_t open_ = 0;
};

/// `co_await ask(r)`: the response to a request, which is borrowed until then.
inline asking ask(request const& r) noexcept { return asking{r}; }
asking ask(request&&) = delete;

/// The same; sets `lost_a_write`, which is borrowed, if the response to an earlier try of a write was lost.
inline asking ask(request const& r, bool* lost_a_write) noexcept { return asking{r, lost_a_write}; }
asking ask(request&&, bool*) = delete;

/// `co_await ask_all(rs)`: the responses to several requests, in their order. The requests are borrowed until then.
inline asking_all ask_all(std::span<request const> rs) noexcept { return asking_all{rs}; }
inline asking_all ask_all(std::vector<request> const& rs) noexcept { return asking_all{rs}; }
asking_all ask_all(std::vector<request>&&) = delete;

/// `co_await ask_once(rs, with, attempt)`: one try of some requests, which leaves their responses in these exchanges.
/// All tries of a request take one exchange, and so have one id. `attempt`: the number of this try. All is borrowed.
inline asking_once ask_once(std::span<request const> rs, std::span<exchange* const> with, int attempt) noexcept {
    return asking_once{rs, with, attempt};
}

/// Tries requests again as the call's policy allows; see `retry_round`.
///
/// \pre each of `tried` holds the response to the first try of one of them
///
/// Leaves the final responses there. Sets `lost_a_write`, unless that is null, if the response to a write was lost. All
/// is borrowed.
task<> retry(std::span<request const> wanted, std::span<exchange> tried, bool* lost_a_write = nullptr);

class [[nodiscard]] pausing final : sleeper {
public:
    explicit pausing(time_point until) noexcept : until_(until) {}
    pausing(pausing const&) = delete;
    pausing& operator=(pausing const&) = delete;

    bool await_ready() const noexcept { return false; }
    template <class Promise> void await_suspend(std::coroutine_handle<Promise> h) {
        turn_.handle = h;
        engine_ = h.promise().engine;
        engine_->wait_until(until_, *this);
    }
    void await_resume() const noexcept {}

private:
    void wake() noexcept override { engine_->make_ready(turn_); }

    time_point until_;
    task_engine* engine_ = nullptr;
    waiting_task turn_{};
};

/// `co_await pause_until(t)`: waits for a time; a stop ends the wait.
inline pausing pause_until(time_point t) noexcept { return pausing{t}; }

class [[nodiscard]] waiting_outside final : exchange_owner {
public:
    explicit waiting_outside(outside_work& w) noexcept { exchange_.outside = &w; }
    waiting_outside(waiting_outside const&) = delete;
    waiting_outside& operator=(waiting_outside const&) = delete;

    bool await_ready() const noexcept { return false; }
    template <class Promise> void await_suspend(std::coroutine_handle<Promise> h) {
        turn_.handle = h;
        engine_ = h.promise().engine;
        exchange_.owner = this;
        engine_->send(exchange_);
    }
    void await_resume() const noexcept {}

private:
    void answered(exchange&) override { engine_->make_ready(turn_); }

    exchange exchange_{};
    task_engine* engine_ = nullptr;
    waiting_task turn_{};
};

/// `co_await wait_for(work)`: begins work that is no request, and waits for its end. It is borrowed.
inline waiting_outside wait_for(outside_work& w) noexcept { return waiting_outside{w}; }

/// The surroundings of a task.
struct task_call {
    environment const& env;
    retry_policy const& policy;
};

class [[nodiscard]] calling {
public:
    bool await_ready() const noexcept { return false; }
    template <class Promise> bool await_suspend(std::coroutine_handle<Promise> h) noexcept {
        engine_ = h.promise().engine;
        return false;
    }
    task_call await_resume() const noexcept { return {engine_->env(), engine_->policy()}; }

private:
    task_engine const* engine_ = nullptr;
};

/// `auto const call = co_await this_call();` does not wait.
inline calling this_call() noexcept { return {}; }

}  // namespace tablemap::detail
