// SPDX-License-Identifier: Apache-2.0
#include "patterns/log_turns.hpp"

namespace tablemap::inline v0_1::detail {

log_turn::~log_turn() {
    if (to_) of_.give_back();
}

void log_turn::begin(receiver& to) noexcept {
    to_ = &to;
    of_.ask_for(*this);
}

void log_turns::ask_for(log_turn& t) noexcept {
    {
        std::scoped_lock const lock{mutex_};
        if (taken_ || giving_) return waiting_.push_back(t);
        taken_ = true;
    }
    t.to_->complete({});
}

/// A turn is given without the lock: the operation may end, and give it back, before `complete` returns.
void log_turns::give_back() noexcept {
    std::unique_lock lock{mutex_};
    taken_ = false;
    if (giving_) return;
    giving_ = true;
    while (!taken_ && !waiting_.empty()) {
        auto& to = *waiting_.front().to_;
        waiting_.pop_front();
        taken_ = true;
        lock.unlock();
        to.complete({});
        lock.lock();
    }
    giving_ = false;
}

}  // namespace tablemap::detail
