// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/lent_things.hpp"
#include "tablemap/detail/store/task_engine.hpp"
#include "tablemap/store/store.hpp"

#include <cstddef>
#include <exception>
#include <mutex>

namespace tablemap::inline v0_1::detail {

/// The part of the asynchronous driver of tasks that is the same for all handlers.
class async_tasks : arrivals {
protected:
    /// `lent` is borrowed; it is taken back when the handler's context is destroyed.
    async_tasks(store_ptr s, call_options o, id_scope ids, lent_things& lent);
    ~async_tasks() = default;

    /// Runs the tasks until they wait. `*this` may be gone then.
    void drive() noexcept;

    /// Reaction to the end of a wait, and to the destruction of the handler's context. Thread safety: full.
    void resume() noexcept { event(nullptr); }

    virtual bool start_timer(time_point until) = 0;  ///< false: the handler's context has been destroyed
    virtual void stop_timer() noexcept = 0;
    virtual void finish() noexcept = 0;  ///< all is done; `thrown_` is set if there is no result

    store_ptr store_;
    call_context call_;
    task_engine engine_;
    std::exception_ptr thrown_{};

private:
    void arrived(exchange& e) noexcept override { event(&e); }
    void event(exchange* e) noexcept;
    void run_tasks();
    void send(exchange& e);
    bool take_arrived();
    bool wait();

    id_scope ids_;
    lent_things& lent_;
    std::size_t open_ = 0;  ///< sent and not taken yet
    bool is_timed_ = false;

    // A thread that reports an event while no thread drives becomes the driver. Only the driver touches the tasks; the
    // lock under which the role is taken and left orders the work of drivers.
    std::mutex mutex_{};
    bool driven_ = true;
    bool woken_ = false;
    list_of_places<exchange> arrived_{};
};

}  // namespace tablemap::detail
