// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/detail/store/lent_things.hpp"
#include "tablemap/store/clock.hpp"

#include <utility>  // Boost 1.74's Asio needs it first on g++ 12

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/system_executor.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>

#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <vector>

/// The handler of an asynchronous operation and what belongs to its executor.
namespace tablemap::inline v0_1::detail {

namespace asio = boost::asio;

/// Passes a result to its handler as an exception and a value, so that futures and coroutines throw the one and return
/// the other. The exception is a `tablemap::error`, or one that a function of the user threw inside the operation.
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

/// A plain `use_future` runs no code of the user's: its promise may be kept on any thread.
template <class Token> inline constexpr bool runs_user_code = true;
template <class Allocator> inline constexpr bool runs_user_code<asio::use_future_t<Allocator>> = false;

/// The operations whose handlers belong to one execution context, which destroys the handlers when it is destroyed.
class context_tenants final : public asio::execution_context::service {
public:
    /// Thread safety: full. Must be owned by a shared pointer while it is registered.
    class tenant : public std::enable_shared_from_this<tenant> {
    public:
        /// The context is being destroyed.
        virtual void evict() noexcept = 0;

    protected:
        ~tenant() = default;

    private:
        friend class context_tenants;
        tenant* before_ = nullptr;
        tenant* after_ = nullptr;
    };

    class registry {
    public:
        /// False if the context is being destroyed already.
        bool add(tenant& t) {
            std::scoped_lock const lock{mutex_};
            if (closed_) return false;
            t.after_ = first_;
            if (first_) first_->before_ = &t;
            first_ = &t;
            return true;
        }

        void remove(tenant& t) noexcept {
            std::scoped_lock const lock{mutex_};
            if (!t.before_ && first_ != &t) return;
            (t.before_ ? t.before_->after_ : first_) = t.after_;
            if (t.after_) t.after_->before_ = t.before_;
            t.before_ = t.after_ = nullptr;
        }

        /// Evicts all without the lock: destroying a handler may end other operations.
        void close() noexcept {
            std::vector<std::shared_ptr<tenant>> all;
            {
                std::scoped_lock const lock{mutex_};
                closed_ = true;
                for (auto* t = std::exchange(first_, nullptr); t;) {
                    if (auto alive = t->weak_from_this().lock()) all.push_back(std::move(alive));
                    t->before_ = nullptr;
                    t = std::exchange(t->after_, nullptr);
                }
            }
            for (auto& t : all) {
                t->evict();
                t.reset();
            }
        }

    private:
        std::mutex mutex_;
        tenant* first_ = nullptr;
        bool closed_ = false;
    };

    using key_type = context_tenants;
    inline static asio::execution_context::id id;

    explicit context_tenants(asio::execution_context& c) : service(c), registry_(std::make_shared<registry>()) {}

    /// Operations keep it: they may outlive the context.
    static std::shared_ptr<registry> of(asio::execution_context& c) {
        return asio::use_service<context_tenants>(c).registry_;
    }

private:
    void shutdown() noexcept override { registry_->close(); }

    std::shared_ptr<registry> const registry_;
};

/// The execution context of an executor.
template <class Executor> struct context_of {
    static constexpr bool is_known = asio::can_query_v<Executor, asio::execution::context_t>;

    static asio::execution_context& get(Executor const& e) { return asio::query(e, asio::execution::context); }
};

/// Waits belong to the handler's executor. If that has no timers, as use_future's, or is Asio's own, whose threads
/// handlers may block, they are on a thread that runs no handlers.
template <class Executor> struct wait_timer {
    static constexpr bool is_own = !context_of<Executor>::is_known || std::is_same_v<Executor, asio::system_executor>;
    using executor = std::conditional_t<is_own, asio::thread_pool::executor_type, Executor>;
    using type =
        asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>, executor>;

    static executor of(Executor const& e) {
        if constexpr (is_own)
            return waiting_thread().get_executor();
        else
            return e;
    }

private:
    static asio::thread_pool& waiting_thread() {
        static asio::thread_pool one{1};
        return one;
    }
};

/// An operation's handler, the work that keeps its executor's context running, and the timer there. All of them are
/// destroyed with the context; the operation learns it by `lent`. Thread safety: full.
template <class Handler, bool RunsUserCode> class handler_side : public context_tenants::tenant {
    using executor_type = asio::associated_executor_t<Handler, asio::system_executor>;
    using timer = wait_timer<executor_type>;

public:
    handler_side(handler_side const&) = delete;
    handler_side& operator=(handler_side const&) = delete;

    void evict() noexcept final {
        lent_.take_back();
        auto const gone = take_all();
        on_evicted();
    }

protected:
    explicit handler_side(Handler h)
        : handler_(std::move(h)), work_(asio::get_associated_executor(*handler_, asio::system_executor{})) {}
    ~handler_side() { leave(); }

    /// Called before any request; `*this` is owned.
    void enter() {
        if constexpr (context_of<executor_type>::is_known) {
            tenants_ = context_tenants::of(context_of<executor_type>::get(work_->get_executor()));
            if (!tenants_->add(*this)) evict();
        }
    }

    /// The things that may be destroyed with the handler.
    lent_things& lent() noexcept { return lent_; }

    /// Reaction to the eviction.
    virtual void on_evicted() noexcept {}

    /// Calls `on_end` at that time, or after a stop was requested; destroys it if the context is. False: the context
    /// has been destroyed.
    template <class OnEnd> bool begin_waiting(time_point until, std::stop_token const& stop, OnEnd on_end) {
        std::scoped_lock const lock{mutex_};
        if (!work_) return false;
        if (!timer_) timer_.emplace(timer::of(work_->get_executor()));
        timer_->expires_at(until);
        timer_->async_wait(std::move(on_end));
        if (stop.stop_possible()) woken_by_stop_.emplace(stop, wake_up{&*timer_});
        return true;
    }

    void end_waiting() noexcept {
        std::scoped_lock const lock{mutex_};
        woken_by_stop_.reset();
        if (timer_) timer_->cancel();
    }

    /// Gives the handler its result, on its executor, unless it was evicted. Never inside the call that began the
    /// operation, and never on the thread that brought the response: the handler may wait there for another response.
    template <class V> void hand_over(std::exception_ptr thrown, result<V>&& outcome) noexcept {
        std::unique_lock lock{mutex_};
        woken_by_stop_.reset();
        timer_.reset();
        if (!handler_) return;  // evicted
        try {
            auto call = [h = *std::move(handler_), thrown, outcome = std::move(outcome)]() mutable {
                completion<V>::call(h, thrown, std::move(outcome));
            };
            if constexpr (RunsUserCode)
                asio::post(work_->get_executor(), std::move(call));
            else
                asio::dispatch(work_->get_executor(), std::move(call));
        } catch (...) {
            // There is no memory to queue the handler, and no other way to call it: it is destroyed, which breaks a
            // promise and ends a coroutine.
        }
        handler_.reset();
        work_.reset();  // under the lock, as the context may be destroyed as soon as it can
        lock.unlock();
        leave();
    }

private:
    struct wake_up {
        typename timer::type* what;
        void operator()() const { what->cancel(); }
    };

    struct belongings {
        std::optional<asio::executor_work_guard<executor_type>> work{};
        std::optional<Handler> handler{};
    };

    belongings take_all() noexcept {
        std::scoped_lock const lock{mutex_};
        woken_by_stop_.reset();
        timer_.reset();
        belongings all;
        if (work_) all.work.emplace(*std::move(work_));
        if (handler_) all.handler.emplace(*std::move(handler_));
        work_.reset();
        handler_.reset();
        return all;
    }

    void leave() noexcept {
        if (tenants_) tenants_->remove(*this);
    }

    std::mutex mutex_{};
    std::optional<Handler> handler_;
    std::optional<asio::executor_work_guard<executor_type>> work_;
    std::shared_ptr<context_tenants::registry> tenants_{};
    std::optional<typename timer::type> timer_{};
    std::optional<std::stop_callback<wake_up>> woken_by_stop_{};
    lent_things lent_{};
};

}  // namespace tablemap::detail
