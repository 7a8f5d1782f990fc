// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/detail/store/task_engine.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

namespace tablemap::inline v0_1::detail {

class log_turns;
class waiting_for_turn;

/// A turn of an operation: `log_turn turn{turns, bytes}; auto const mine = co_await turn.wait();`. It ends with the
/// object.
class log_turn final : public outside_work, public list_place {
public:
    /// `of` is borrowed. `bytes`: those that the operation holds while it waits.
    explicit log_turn(log_turns& of, std::size_t bytes = 0) noexcept : of_(of), bytes_(bytes) {}
    log_turn(log_turn const&) = delete;
    log_turn& operator=(log_turn const&) = delete;
    ~log_turn();

    /// Waits for the turn, until the deadline of the call or its stop at most. False: there is no room for these bytes.
    ///
    /// Errors: `library_errc::deadline_exceeded`, `cancelled`.
    waiting_for_turn wait() noexcept;

    void begin(receiver& to) noexcept override;

private:
    friend log_turns;
    friend waiting_for_turn;

    enum class state : std::uint8_t { asked_for, given, no_room, given_up };

    log_turns& of_;
    std::size_t bytes_;
    receiver* to_ = nullptr;
    state state_ = state::asked_for;
};

class [[nodiscard]] waiting_for_turn final : exchange_owner, sleeper {
public:
    explicit waiting_for_turn(log_turn& t) noexcept : turn_(t) {}
    waiting_for_turn(waiting_for_turn const&) = delete;
    waiting_for_turn& operator=(waiting_for_turn const&) = delete;

    bool await_ready() const noexcept { return false; }
    template <class Promise> void await_suspend(std::coroutine_handle<Promise> h) { begin(h, *h.promise().engine); }
    result<bool> await_resume() const;

private:
    void begin(std::coroutine_handle<> awaiter, task_engine& engine);
    void answered(exchange&) override;
    void wake() noexcept override;

    log_turn& turn_;
    exchange exchange_{};
    task_engine* engine_ = nullptr;
    std::optional<task_engine::sleep> sleep_{};
    waiting_task awaiter_{};
};

/// The turns of asynchronous operations that use one object, in the order in which they asked. Must be owned by a
/// shared pointer. Thread safety: full.
class log_turns : public std::enable_shared_from_this<log_turns> {
public:
    /// `most_waiting`: the most bytes that wait with turns.
    explicit log_turns(std::size_t most_waiting) noexcept : most_waiting_(most_waiting) {}
    log_turns(log_turns const&) = delete;
    log_turns& operator=(log_turns const&) = delete;

private:
    friend log_turn;
    friend waiting_for_turn;

    void ask_for(log_turn& t) noexcept;
    void give_up(log_turn& t) noexcept;
    void give_back() noexcept;
    void give() noexcept;
    bool give_one() noexcept;
    bool give_on_another_thread() noexcept;
    void remove(log_turn& t) noexcept;

    std::size_t const most_waiting_;
    std::mutex mutex_{};
    list_of_places<log_turn> waiting_{};
    std::size_t waiting_bytes_ = 0;
    bool taken_ = false;

    /// A thread gives turns. Operations that end within that leave the next turn to its loop: calls within calls would
    /// use up the stack.
    bool giving_ = false;
};

}  // namespace tablemap::detail
