// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/async_tasks.hpp"
#include "tablemap/detail/store/handler_side.hpp"
#include "tablemap/detail/store/task_run.hpp"

#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

/// The asynchronous driver: runs the tasks of a call without blocking, and completes a Boost.Asio token.
///
/// The completion handler runs once, on its associated executor, never inside the initiating call and never on a thread
/// of the store. A handler without an executor runs on `boost::asio::system_executor`, whose threads Asio starts on
/// first use. Work on the executor stays outstanding until then, so `io_context::run` does not return early; a context
/// that is destroyed before that destroys the handler. Between responses the tasks run on the thread that answers, on
/// one thread at a time.
namespace tablemap::inline v0_1::detail {

/// One running call. It owns itself until its handler has been posted.
template <driven_call C, class Handler, bool RunsUserCode>
class running_task final : public handler_side<Handler, RunsUserCode>, async_tasks {
    using value_type = typename C::value_type;
    using side = handler_side<Handler, RunsUserCode>;

public:
    running_task(store_ptr s, C what, call_options o, Handler h)
        : side(std::move(h)),
          async_tasks(std::move(s), std::move(o), ids_of<C>(), side::lent()),
          what_(std::move(what)) {
        call_.named(*what_);
        auto const first = what_->first().get();
        engine_.begin(first, first.promise());
    }

    void go() {
        side::enter();
        self_ = self();
        drive();
    }

private:
    void on_evicted() noexcept override { resume(); }
    bool start_timer(time_point until) override {
        auto on_end = [self = self()](boost::system::error_code e) {
            if (!e || self->call_.env().options().stop.stop_requested()) self->resume();
        };
        return side::begin_waiting(until, call_.env().options().stop, std::move(on_end));
    }
    void stop_timer() noexcept override { side::end_waiting(); }

    /// An event of a timer may come after this, and finds the role of the driver taken for good. The tasks and their
    /// share of the store are destroyed before the handler learns of the end: it may want to be the last owner.
    void finish() noexcept override {
        auto const self = std::move(self_);
        auto outcome = take();
        what_.reset();
        store_.reset();
        side::hand_over(thrown_, std::move(outcome));
    }

    result<value_type> take() noexcept {
        if (!thrown_) {
            try {
                auto outcome = take_outcome();
                call_.ended(outcome);
                return outcome;
            } catch (...) {
                thrown_ = std::current_exception();
            }
        }
        call_.ended_by_throwing();
        return failure{error{library_errc::cancelled}};  // the value is not used
    }

    result<value_type> take_outcome() {
        lent_use const use{side::lent()};
        if (!use.is_allowed()) throw error{library_errc::cancelled};
        return what_->take();
    }

    std::shared_ptr<running_task> self() { return std::static_pointer_cast<running_task>(this->shared_from_this()); }

    std::optional<C> what_;
    std::shared_ptr<running_task> self_{};  ///< until the handler has been posted
};

/// Starts a call and returns the token's result. The call owns everything that it borrows from.
template <driven_call C, class Token> auto start(store_ptr s, C what, call_options options, Token&& token) {
    constexpr bool runs_code = runs_user_code<std::remove_cvref_t<Token>>;
    return asio::async_initiate<Token, typename completion<typename C::value_type>::signature>(
        [](auto handler, store_ptr on, C c, call_options o) {
            std::make_shared<running_task<C, decltype(handler), runs_code>>(std::move(on), std::move(c), std::move(o),
                                                                            std::move(handler))
                ->go();
        },
        token, std::move(s), std::move(what), std::move(options));
}

}  // namespace tablemap::detail
