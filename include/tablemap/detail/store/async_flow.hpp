// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/async.hpp"
#include "tablemap/detail/store/flow_run.hpp"

#include <cstddef>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

/// The asynchronous driver of flows. Handlers run as `store/async.hpp` says; between responses the flow runs on the
/// thread that answers, on one thread at a time.
namespace tablemap::inline v0_1::detail {

/// One running flow. It owns itself until its handler has been posted.
template <flow F, class Handler, bool RunsUserCode>
class running_flow final : public handler_side<Handler, RunsUserCode> {
    using value_type = typename F::value_type;
    using side = handler_side<Handler, RunsUserCode>;

public:
    running_flow(store_ptr s, F f, call_options o, Handler h)
        : side(std::move(h)),
          store_(std::move(s)),
          flow_(std::move(f)),
          call_(*store_, std::move(o), id_scope::request),
          options_(call_.env().options()) {
        call_.named(*flow_);
    }

    void go() {
        side::enter();
        self_ = self();
        drive();
    }

private:
    class slot final : public receiver {
    public:
        slot(running_flow& r, std::size_t index) noexcept : number(index), running_(&r) {}
        void complete(response&& a) noexcept override {
            answer = std::move(a);
            running_->news(this);
        }

        std::size_t number;
        slot_options options{};
        response answer{};
        sent_note sent{};
        slot* next = nullptr;

    private:
        running_flow* running_;
    };

    // A thread that reports an event while no thread drives becomes the driver. Only the driver touches the flow; the
    // lock under which the role is taken and left orders the work of drivers.

    /// `s`: the slot that was answered; null: a wait ended.
    void news(slot* s) noexcept {
        {
            std::scoped_lock const lock{mutex_};
            if (s) {
                (last_ ? last_->next : first_) = s;
                last_ = s;
            } else {
                woken_ = true;
            }
            if (driven_) return;
            driven_ = true;
            woken_ = false;
        }
        stop_timer();
        drive();
    }

    void drive() noexcept {
        while (!thrown_ || open_ > 0) {
            try {
                if (take_response()) continue;
                if (!thrown_) check();
                auto const wanted = thrown_ ? flow_step::wait() : flow_->next(call_.env());
                if (wanted.what() == flow_step::kind::done) break;
                if (wanted.what() == flow_step::kind::send)
                    send(wanted);
                else if (!wait(wanted.until()))
                    return;
            } catch (...) {
                thrown_ = std::current_exception();
            }
        }
        finish();
    }

    void check() {
        if (side::is_evicted()) throw error{library_errc::cancelled};
        call_.rethrow();
    }

    void on_evicted() noexcept override { news(nullptr); }

    void send(flow_step const& s) {
        while (slots_.size() <= s.slot()) slots_.emplace_back(*this, slots_.size());
        auto& to = slots_[s.slot()];
        ++open_;
        try {
            to.sent = call_.sending({&s.asked(), 1}, s.attempt());
            if (auto const why = call_.env().why_stop())
                to.complete(not_sent(s.asked(), why));
            else
                store_->async_execute(s.asked(), to.options.next(store_->capabilities(), call_, s.attempt()), to);
        } catch (...) {
            to.complete(response_of_throwing(s.asked()));  // otherwise the wait for it would never end
            throw;
        }
    }

    /// Passes the flow a response that has come.
    bool take_response() {
        std::unique_lock lock{mutex_};
        auto* const s = first_;
        if (!s) return false;
        first_ = std::exchange(s->next, nullptr);
        if (!first_) last_ = nullptr;
        lock.unlock();
        --open_;
        auto answer = std::move(s->answer);
        call_.answered({&answer, 1}, s->sent);
        if (!thrown_) flow_->answered(call_.env(), s->number, std::move(answer));
        return true;
    }

    /// False if driving ends here: the next event takes it up again.
    bool wait(std::optional<time_point> const& until) {
        if (until && options_.clock && open_ == 0) {  // a clock of the caller's own defines waiting
            options_.clock->sleep_until(*until, options_.stop);
            return true;
        }
        if (until && !options_.clock) start_timer(*until);
        {
            std::scoped_lock const lock{mutex_};
            if (!first_ && !std::exchange(woken_, false)) {
                driven_ = false;
                return false;
            }
        }
        stop_timer();
        return true;
    }

    void start_timer(time_point until) {
        waited_ = true;
        auto on_end = [self = self()](boost::system::error_code e) {
            if (!e || self->options_.stop.stop_requested()) self->news(nullptr);
        };
        if (!side::begin_waiting(until, options_.stop, std::move(on_end))) throw error{library_errc::cancelled};
    }

    void stop_timer() noexcept {
        if (std::exchange(waited_, false)) side::end_waiting();
    }

    /// An event of a timer may come after this, and finds the role of the driver taken for good. The flow and its share
    /// of the store are destroyed before the handler learns of the end: it may want to be the last owner.
    void finish() noexcept {
        auto const self = std::move(self_);
        auto outcome = take_result(*flow_, call_, thrown_);
        flow_.reset();
        store_.reset();
        side::hand_over(thrown_, std::move(outcome));
    }

    std::shared_ptr<running_flow> self() { return std::static_pointer_cast<running_flow>(this->shared_from_this()); }

    store_ptr store_;
    std::optional<F> flow_;
    call_context call_;
    call_options const& options_;           ///< part of `handler_side`
    std::shared_ptr<running_flow> self_{};  ///< until the handler has been posted
    std::deque<slot> slots_{};
    std::size_t open_ = 0;  ///< sent and not taken yet
    std::exception_ptr thrown_{};
    bool waited_ = false;

    std::mutex mutex_{};
    bool driven_ = true;
    bool woken_ = false;
    slot* first_ = nullptr;  ///< responses that were not taken, a list so that no memory is needed
    slot* last_ = nullptr;
};

/// Starts a flow and returns the token's result. The flow owns everything that it borrows from.
template <flow F, class Token> auto start_flow(store_ptr s, F f, call_options options, Token&& token) {
    constexpr bool runs_code = runs_user_code<std::remove_cvref_t<Token>>;
    return asio::async_initiate<Token, typename completion<typename F::value_type>::signature>(
        [](auto handler, store_ptr on, F what, call_options o) {
            std::make_shared<running_flow<F, decltype(handler), runs_code>>(std::move(on), std::move(what),
                                                                            std::move(o), std::move(handler))
                ->go();
        },
        token, std::move(s), std::move(f), std::move(options));
}

}  // namespace tablemap::detail
