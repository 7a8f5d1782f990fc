// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store/ask.hpp"

#include <mutex>

namespace tablemap::inline v0_1::detail {

class log_turns;

/// A turn of an operation: `log_turn turn{turns}; co_await wait_for(turn);`. It ends with the object.
class log_turn final : public outside_work, public list_place {
public:
    /// Borrowed.
    explicit log_turn(log_turns& of) noexcept : of_(of) {}
    log_turn(log_turn const&) = delete;
    log_turn& operator=(log_turn const&) = delete;
    ~log_turn();

    void begin(receiver& to) noexcept override;

private:
    friend log_turns;

    log_turns& of_;
    receiver* to_ = nullptr;  ///< null: it was not asked for
};

/// The turns of asynchronous operations that use one object, in the order in which they asked. Thread safety: full.
class log_turns {
public:
    log_turns() = default;
    log_turns(log_turns const&) = delete;
    log_turns& operator=(log_turns const&) = delete;

private:
    friend log_turn;

    void ask_for(log_turn& t) noexcept;
    void give_back() noexcept;

    std::mutex mutex_{};
    list_of_places<log_turn> waiting_{};
    bool taken_ = false;

    /// A thread gives turns. Operations that end within that leave the next turn to its loop: calls within calls would
    /// use up the stack.
    bool giving_ = false;
};

}  // namespace tablemap::detail
