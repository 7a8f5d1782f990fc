// SPDX-License-Identifier: Apache-2.0
#include "store/task_runner.hpp"

#include "store/answering_thread.hpp"
#include "store/ask.hpp"
#include "store/single_call.hpp"
#include "store/local_response.hpp"
#include "tablemap/detail/store/task_run.hpp"

#include <condition_variable>
#include <mutex>
#include <system_error>

namespace tablemap::inline v0_1::detail {
namespace {

bool is_faster_beside_others(capabilities const& can, request const& r) noexcept {
    return can.remote || (can.shared_commits && writes_rows(r) && !answering_thread::is_this());
}

}  // namespace

call_options const& options_for(exchange& e, id_scope ids, store const& s, call_context const& call) {
    // Observers read the number of the try on the thread that answers: each request has options of its own.
    if (ids == id_scope::operation && !call.is_observed()) return call.env().options();
    if (!e.options) e.options.emplace();
    return e.options->next(s.capabilities(), call, e.attempt);
}

/// The responses that come on other threads.
struct task_runner::channel {
    std::mutex mutex{};
    std::condition_variable_any came{};
    list_of_places<exchange> arrived{};
};

task_runner::task_runner(store& s, call_context& call, task_engine& engine, id_scope ids) noexcept
    : store_(s), call_(call), engine_(engine), ids_(ids) {}

task_runner::~task_runner() {
    if (open_ == 0) return;
    std::unique_lock lock{channel_->mutex};
    for (; open_ > 0; --open_) {
        channel_->came.wait(lock, [&] { return !channel_->arrived.empty(); });
        channel_->arrived.pop_front();
    }
}

bool task_runner::step(bool may_wait) {
    if (take_arrived()) return true;
    call_.rethrow();
    engine_.run();
    if (auto* const e = engine_.take_to_send()) {
        send(*e, may_wait);
        return true;
    }
    if (open_ == 0 && !engine_.next_time()) {
        if (engine_.thrown()) std::rethrow_exception(engine_.thrown());
        return false;
    }
    engine_.wake();
    if (!engine_.is_waiting()) return true;
    if (may_wait) wait();
    return may_wait;
}

void task_runner::send(exchange& e, bool may_wait) {
    if (e.outside) return begin_outside(e);
    bool const is_alone = open_ == 0 && engine_.is_waiting() && !engine_.next_time();
    bool const is_async = is_faster_beside_others(store_.capabilities(), *e.what) && !(is_alone && may_wait);
    e.note = call_.sending({e.what, 1}, e.attempt);
    try {
        if (auto const why = call_.env().why_stop())
            e.answer = not_sent(*e.what, why);
        else if (auto const& o = options_for(e, ids_, store_, call_); is_async)
            return send_async(e, o);
        else
            e.answer = store_.execute(*e.what, o);
    } catch (...) {
        e.answer = response_of_throwing(*e.what);  // otherwise its task would wait for ever
        take(e);
        throw;
    }
    take(e);
}

void task_runner::begin_outside(exchange& e) {
    if (!channel_) channel_ = std::make_unique<channel>();
    e.to = this;
    ++open_;
    e.outside->begin(e);
}

void task_runner::send_async(exchange& e, call_options const& o) {
    if (!channel_) channel_ = std::make_unique<channel>();
    e.to = this;
    ++open_;
    try {
        store_.async_execute(*e.what, o, e);
    } catch (std::system_error const& no) {
        --open_;
        if (no.code() != std::errc::resource_unavailable_try_again) throw;
        // The store has no thread for it.
        e.answer = store_.execute(*e.what, o);
        take(e);
    } catch (...) {
        --open_;
        throw;
    }
}

void task_runner::arrived(exchange& e) noexcept {
    std::scoped_lock const lock{channel_->mutex};
    channel_->arrived.push_back(e);
    channel_->came.notify_one();  // under the lock: the waiting thread may destroy this as soon as it can
}

bool task_runner::take_arrived() {
    if (open_ == 0) return false;
    exchange* e = nullptr;
    {
        std::scoped_lock const lock{channel_->mutex};
        if (channel_->arrived.empty()) return false;
        e = &channel_->arrived.front();
        channel_->arrived.pop_front();
    }
    --open_;
    take(*e);
    return true;
}

void task_runner::take(exchange& e) {
    if (!e.outside) call_.answered({&e.answer, 1}, e.note);
    engine_.answered(e);
}

/// Waits for a response, or the next time. With a clock of the caller's own, time passes only while no request is under
/// way.
void task_runner::wait() {
    auto const& o = call_.env().options();
    auto const until = engine_.next_time();
    if (open_ == 0) {
        if (!until) return;
        call_.env().clock().sleep_until(*until, o.stop);
        return engine_.wake(*until);
    }
    auto& c = *channel_;
    std::unique_lock lock{c.mutex};
    auto const there = [&] { return !c.arrived.empty(); };
    if (until && !o.clock && !o.stop.stop_requested())
        c.came.wait_until(lock, o.stop, *until, there);
    else
        c.came.wait(lock, there);
}

namespace {

task<> retry_one(request const& r, exchange& tried, bool* lost_a_write) {
    std::span<request const> const wanted{&r, 1};
    std::span<exchange> const first{&tried, 1};
    co_await retry(wanted, first, lost_a_write);
}

}  // namespace

// A task costs more than a local store's answer needs: there is one only after a failure.
response ask_now(store& s, request const& r, call_context& call, bool* lost_a_write) {
    auto const& env = call.env();
    call.rethrow();
    auto const sent = call.sending({&r, 1}, 1);
    auto const why = env.why_stop();
    response answer = why ? not_sent(r, why) : s.execute(r, env.options());
    call.answered({&answer, 1}, sent);
    if (answer.ok() || policy_of(s, env.options()).attempts <= 1) return answer;
    exchange tried;
    tried.answer = std::move(answer);
    auto const again = retry_one(r, tried, lost_a_write);
    run_first(s, again.get(), again.get().promise(), call, id_scope::operation);
    again.take();
    return std::move(tried.answer);
}

response ask_now(store& s, request const& r, call_context& call) { return ask_now(s, r, call, nullptr); }

void run_first(store& s, std::coroutine_handle<> first, task_promise_base& p, call_context& call, id_scope ids) {
    task_engine engine{call.env(), policy_of(s, call.env().options())};
    engine.begin(first, p);
    task_runner runner{s, call, engine, ids};
    while (runner.step(true)) {
    }
}

}  // namespace tablemap::detail
