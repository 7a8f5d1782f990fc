// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/handler_side.hpp"
#include "tablemap/detail/store/run.hpp"

#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

/// The asynchronous driver: runs an operation without blocking, and completes a Boost.Asio token.
///
/// The completion handler runs once, on its associated executor, never inside the initiating call and never on a thread
/// of the store. A handler without an executor runs on `boost::asio::system_executor`, whose threads Asio starts on
/// first use. Work on the executor stays outstanding until then, so `io_context::run` does not return early; a context
/// that is destroyed before that destroys the handler. Between requests the operation runs on the thread that answers.
namespace tablemap::inline v0_1::detail {

/// The result of an operation whose driver noted an exception. An exception of `take` is noted as well.
template <class Op>
result<typename Op::value_type> take_result(Op& op, call_context& call, std::exception_ptr& thrown) noexcept {
    if (!thrown) {
        try {
            auto outcome = op.take();
            call.ended(outcome);
            return outcome;
        } catch (...) {
            thrown = std::current_exception();
        }
    }
    call.ended_by_throwing();
    return failure{error{library_errc::cancelled}};  // the value is not used
}

/// One running operation. It owns itself until its handler has been posted.
template <operation Op, class Handler, bool RunsUserCode>
class running final : public handler_side<Handler, RunsUserCode> {
    using value_type = typename Op::value_type;
    using side = handler_side<Handler, RunsUserCode>;

public:
    running(store_ptr s, Op op, call_options o, Handler h)
        : side(std::move(h)),
          store_(std::move(s)),
          op_(std::move(op)),
          call_(*store_, std::move(o)),
          options_(call_.env().options()) {
        auto const& policy = options_.retry ? *options_.retry : store_->context().default_retry;
        call_.named(*op_);
        if (policy.attempts > 1) retried_.emplace(*op_, policy);
    }

    void go() {
        side::enter();
        self_ = self();
        advance([this] { return retried_ ? retried_->start(call_.env()) : op_->start(call_.env()); });
    }

private:
    /// The receiver of one response of a step.
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

    // `open_` counts the responses that a step still waits for, and one more for the loop that began the step. The
    // thread that decrements it to zero goes on: the loop itself if all came at once, so that responses do not deepen
    // the stack, else the last response.

    void begin_waiting(std::size_t count) noexcept { open_.store(count + 1, std::memory_order_relaxed); }
    bool was_last() noexcept { return open_.fetch_sub(1, std::memory_order_acq_rel) == 1; }
    void one_arrived() noexcept {
        if (was_last()) resume();
    }

    template <class Next> void advance(Next next_step) noexcept {
        auto const alive = self();  // A wait that owns this may end, or be destroyed, before the loop has ended.
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
        if (std::exchange(waited_, false)) side::end_waiting();
        if (side::is_evicted()) throw error{library_errc::cancelled};
        answers_.clear();
        for (auto& s : slots_) answers_.push_back(std::move(s->answer_));
        slots_.clear();
        if (thrown_) std::rethrow_exception(thrown_);
        if (!answers_.empty()) call_.answered(answers_, sent_);
        call_.rethrow();
        return retried_ ? retried_->resume(call_.env(), answers_) : op_->resume(call_.env(), answers_);
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
                    slots[i]->complete(response_of_throwing(requests[i]));
                else
                    store_->async_execute(requests[i], options_, *slots[i]);
            } catch (...) {  // requests that are under way are waited for
                thrown_ = std::current_exception();
                slots[i]->complete(response_of_throwing(requests[i]));
            }
        }
    }

    void wait(time_point until) {
        begin_waiting(1);
        if (options_.clock) {  // a clock of the caller's own defines waiting
            options_.clock->sleep_until(until, options_.stop);
            open_.fetch_sub(1, std::memory_order_relaxed);
            return;
        }
        waited_ = true;
        auto on_end = [self = std::move(self_)](boost::system::error_code) mutable {
            auto& r = *self;
            r.self_ = std::move(self);
            r.one_arrived();
        };
        if (!side::begin_waiting(until, options_.stop, std::move(on_end))) throw error{library_errc::cancelled};
    }

    /// The operation and its share of the store are destroyed before the handler learns of the end: it may want to be
    /// the last owner.
    void finish(std::exception_ptr thrown) noexcept {
        auto outcome = take_result(*op_, call_, thrown);
        retried_.reset();
        op_.reset();
        store_.reset();
        side::hand_over(thrown, std::move(outcome));
        self_.reset();
    }

    std::shared_ptr<running> self() { return std::static_pointer_cast<running>(this->shared_from_this()); }

    std::shared_ptr<running> self_{};  ///< set while no wait owns this
    store_ptr store_;
    std::optional<Op> op_;
    call_context call_;
    call_options const& options_;  ///< part of `handler_side`
    std::optional<retrying<Op>> retried_{};
    std::vector<std::unique_ptr<slot>> slots_{};
    std::vector<response> answers_{};
    sent_note sent_{};
    std::exception_ptr thrown_{};  ///< an exception of the store
    std::atomic<std::size_t> open_{0};
    bool waited_ = false;
};

/// Starts an operation and returns the token's result. The operation owns everything that it borrows from.
template <operation Op, class Token> auto start(store_ptr s, Op op, call_options options, Token&& token) {
    constexpr bool runs_code = runs_user_code<std::remove_cvref_t<Token>>;
    return asio::async_initiate<Token, typename completion<typename Op::value_type>::signature>(
        [](auto handler, store_ptr on, Op what, call_options o) {
            std::make_shared<running<Op, decltype(handler), runs_code>>(std::move(on), std::move(what), std::move(o),
                                                                        std::move(handler))
                ->go();
        },
        token, std::move(s), std::move(op), std::move(options));
}

}  // namespace tablemap::detail
