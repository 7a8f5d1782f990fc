// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/run.hpp"

#include <utility>  // Boost 1.74's Asio needs it first on g++ 12

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/system_executor.hpp>

#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <vector>

/// The asynchronous driver: runs an operation without blocking, and completes a Boost.Asio token.
///
/// The completion handler runs once, on its associated executor, never inside the initiating call. A handler without one runs
/// on `boost::asio::system_executor`, whose threads Asio starts on first use. Work on the executor stays outstanding until
/// then, so `io_context::run` does not return early. Between requests the operation runs wherever the store answers.
namespace tablemap::detail {

namespace asio = boost::asio;

/// How a result reaches its handler: as an exception and a value, so that futures and coroutines throw the one and return the
/// other. The exception is a `tablemap::error`, or what a function of the user threw inside the operation.
template <class V> struct completion {
    using signature = void(std::exception_ptr, V);

    template <class Handler> static void call(Handler& h, std::exception_ptr e, result<V>&& r) {
        if (!e && !r) e = std::make_exception_ptr(std::move(r).error());
        if (e)
            h(e, V{});
        else
            h(nullptr, *std::move(r));
    }
};
template <> struct completion<void> {
    using signature = void(std::exception_ptr);

    template <class Handler> static void call(Handler& h, std::exception_ptr e, result<void>&& r) {
        if (!e && !r) e = std::make_exception_ptr(std::move(r).error());
        h(e);
    }
};

/// Waits belong to the handler's executor, or to the system's where that one has no timers, as use_future's.
template <class Executor> struct wait_timer {
    static constexpr bool has_timers = asio::can_query_v<Executor, asio::execution::context_t>;
    using executor = std::conditional_t<has_timers, Executor, asio::system_executor>;
    using type =
        asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>, executor>;

    static executor of(Executor const& e) {
        if constexpr (has_timers)
            return e;
        else
            return {};
    }
};

/// Gives a handler its result, on its executor; never inside the call that began the work, if that is still running.
template <class Handler, class Executor, class V>
void hand_over(Handler h, asio::executor_work_guard<Executor> work, bool inside_initiation, std::exception_ptr thrown,
               result<V> outcome) {
    auto call = [h = std::move(h), thrown, outcome = std::move(outcome)]() mutable {
        completion<V>::call(h, thrown, std::move(outcome));
    };
    if (inside_initiation)
        asio::post(work.get_executor(), std::move(call));
    else
        asio::dispatch(work.get_executor(), std::move(call));
}

/// One operation on its way. Deletes itself when its handler has been handed over.
template <operation Op, class Handler> class running final {
    using value_type = typename Op::value_type;
    using executor_type = asio::associated_executor_t<Handler, asio::system_executor>;
    using timer_type = typename wait_timer<executor_type>::type;

public:
    running(store_ptr s, Op op, call_options o, Handler h)
        : store_(std::move(s)),
          op_(std::move(op)),
          call_(store_->can(), std::move(o)),
          options_(call_.env().options()),
          handler_(std::move(h)),
          work_(asio::get_associated_executor(handler_, asio::system_executor{})) {
        auto const& policy = options_.retry ? *options_.retry : store_->can().default_retry;
        call_.named(op_);
        if (policy.attempts > 1) retried_.emplace(op_, policy);
    }

    void go() {
        advance([this] { return retried_ ? retried_->start(call_.env()) : op_.start(call_.env()); });
    }

private:
    /// Where one answer of a step goes.
    class slot final : public receiver {
    public:
        explicit slot(running& r) noexcept : running_(&r) {}
        void complete(response&& answer) noexcept override {
            answer_ = std::move(answer);
            running_->one_arrived();
        }
        response answer_{};

    private:
        running* running_;
    };

    // `open_` counts what a step still waits for, and one more for the loop that began the step. Whoever takes it to zero
    // goes on: the loop itself if all came at once, so that answers do not deepen the stack, else the last answer.

    void begin_waiting(std::size_t count) noexcept { open_.store(count + 1, std::memory_order_relaxed); }
    bool was_last() noexcept { return open_.fetch_sub(1, std::memory_order_acq_rel) == 1; }
    void one_arrived() noexcept {
        if (!was_last()) return;
        inside_initiation_ = false;
        resume();
    }

    template <class Next> void advance(Next next_step) noexcept {
        try {
            loop(next_step());
        } catch (...) {
            finish(std::current_exception());
        }
    }

    void resume() noexcept {
        advance([this] { return next(); });
    }

    step next() {
        woken_by_stop_.reset();
        answers_.clear();
        for (auto& s : slots_) answers_.push_back(std::move(s->answer_));
        slots_.clear();
        if (thrown_) std::rethrow_exception(thrown_);
        if (!answers_.empty()) call_.answered(answers_, sent_);
        return retried_ ? retried_->resume(call_.env(), answers_) : op_.resume(call_.env(), answers_);
    }

    void loop(step s) {
        for (;; s = next()) {
            switch (s.what()) {
            case step::kind::done: return finish(nullptr);
            case step::kind::wait: wait(s.until()); break;
            case step::kind::send: send(s.requests()); break;
            }
            if (!was_last()) return;  // *this may be gone now
        }
    }

    void send(std::span<request const> requests) {
        for (std::size_t i = 0; i < requests.size(); ++i) slots_.push_back(std::make_unique<slot>(*this));
        sent_ = call_.sending(requests, retried_ ? retried_->tries() : 1);
        begin_waiting(requests.size());
        auto const slots = std::span{slots_};
        for (std::size_t i = 0; i < requests.size(); ++i) {
            try {
                if (auto const why = call_.env().why_stop())
                    slots[i]->complete(not_sent(requests[i], why));
                else if (thrown_)
                    slots[i]->complete(answer_of_throwing(requests[i]));
                else
                    store_->async_execute(requests[i], options_, *slots[i]);
            } catch (...) {  // what is under way is waited for
                thrown_ = std::current_exception();
                slots[i]->complete(answer_of_throwing(requests[i]));
            }
        }
    }

    void wait(time_point until) {
        begin_waiting(1);
        if (options_.clock) {  // a clock of the caller's own decides what waiting is
            options_.clock->sleep_until(until, options_.stop);
            open_.fetch_sub(1, std::memory_order_relaxed);
            return;
        }
        if (!timer_) timer_.emplace(wait_timer<executor_type>::of(work_.get_executor()));
        timer_->expires_at(until);
        timer_->async_wait([this](boost::system::error_code) { one_arrived(); });
        if (options_.stop.stop_possible()) woken_by_stop_.emplace(options_.stop, wake_up{&*timer_});
    }

    struct wake_up {
        timer_type* timer;
        void operator()() const { timer->cancel(); }
    };

    void finish(std::exception_ptr thrown) noexcept {
        auto outcome = thrown ? result<value_type>{failure{error{library_errc::cancelled}}} : op_.take();
        call_.ended(thrown, outcome);
        auto handler = std::move(handler_);
        auto work = std::move(work_);
        bool const inside = inside_initiation_;
        delete this;
        hand_over(std::move(handler), std::move(work), inside, thrown, std::move(outcome));
    }

    store_ptr store_;
    Op op_;
    driven_call call_;
    call_options const& options_;  ///< in it
    Handler handler_;
    asio::executor_work_guard<executor_type> work_;
    std::optional<retrying<Op>> retried_{};
    std::vector<std::unique_ptr<slot>> slots_{};
    std::vector<response> answers_{};
    sent_note sent_{};
    std::optional<timer_type> timer_{};
    std::optional<std::stop_callback<wake_up>> woken_by_stop_{};
    std::exception_ptr thrown_{};  ///< by the store
    std::atomic<std::size_t> open_{0};
    bool inside_initiation_ = true;
};

/// Starts an operation and returns what the token returns. The operation owns whatever it borrows from.
template <operation Op, class Token> auto start(store_ptr s, Op op, call_options options, Token&& token) {
    return asio::async_initiate<Token, typename completion<typename Op::value_type>::signature>(
        [](auto handler, store_ptr on, Op what, call_options o) {
            (new running<Op, decltype(handler)>(std::move(on), std::move(what), std::move(o), std::move(handler)))
                ->go();
        },
        token, std::move(s), std::move(op), std::move(options));
}

}  // namespace tablemap::detail
