// SPDX-License-Identifier: Apache-2.0
#include "patterns/log_turns.hpp"

#include "tablemap/detail/store/handler_side.hpp"

namespace tablemap::inline v0_1::detail {
namespace {

/// The turns that one thread gives in a row. It owes something else to others: mostly the result of the operation whose
/// turn has ended.
constexpr int most_in_a_row = 64;

std::optional<time_point> end_of_waiting(call_options const& o) {
    if (o.deadline || !o.stop.stop_possible()) return o.deadline;
    return time_point::max();
}

}  // namespace

log_turn::~log_turn() {
    if (state_ == state::given) of_.give_back();
}

waiting_for_turn log_turn::wait() noexcept { return waiting_for_turn{*this}; }

void log_turn::begin(receiver& to) noexcept {
    to_ = &to;
    of_.ask_for(*this);
}

void waiting_for_turn::begin(std::coroutine_handle<> awaiter, task_engine& engine) {
    awaiter_.handle = awaiter;
    engine_ = &engine;
    exchange_.outside = &turn_;
    exchange_.owner = this;
    if (auto const end = end_of_waiting(engine.env().options())) sleep_ = engine.wait_until(*end, *this);
    engine.send(exchange_);
}

void waiting_for_turn::answered(exchange&) {
    if (sleep_) engine_->cancel(*sleep_);
    engine_->make_ready(awaiter_);
}

/// The end comes as a response in any case: the turn may be given on another thread at this moment.
void waiting_for_turn::wake() noexcept {
    sleep_.reset();
    turn_.of_.give_up(turn_);
}

result<bool> waiting_for_turn::await_resume() const {
    if (turn_.state_ != log_turn::state::given_up) return turn_.state_ == log_turn::state::given;
    bool const stopped = engine_->env().options().stop.stop_requested();
    return fail(stopped ? library_errc::cancelled : library_errc::deadline_exceeded,
                {.reason = "the operations before it have not ended"});
}

void log_turns::ask_for(log_turn& t) noexcept {
    {
        std::scoped_lock const lock{mutex_};
        bool const is_free = !taken_ && !giving_;
        if (!is_free && t.bytes_ <= most_waiting_ - waiting_bytes_) {
            waiting_bytes_ += t.bytes_;
            return waiting_.push_back(t);
        }
        t.state_ = is_free ? log_turn::state::given : log_turn::state::no_room;
        if (is_free) taken_ = true;
    }
    t.to_->complete({});
}

void log_turns::give_up(log_turn& t) noexcept {
    {
        std::scoped_lock const lock{mutex_};
        if (!t.is_linked()) return;
        remove(t);
        t.state_ = log_turn::state::given_up;
    }
    t.to_->complete({});
}

void log_turns::give_back() noexcept {
    {
        std::scoped_lock const lock{mutex_};
        taken_ = false;
        if (giving_) return;
        giving_ = true;
    }
    give();
}

/// Operations whose turns end at once may be asked for as fast as turns are given.
void log_turns::give() noexcept {
    do {
        for (int given = 0; given < most_in_a_row; ++given)
            if (!give_one()) return;
    } while (!give_on_another_thread());
}

/// A turn is given without the lock: the operation may end, and give it back, before `complete` returns.
bool log_turns::give_one() noexcept {
    receiver* to = nullptr;
    {
        std::scoped_lock const lock{mutex_};
        giving_ = !taken_ && !waiting_.empty();
        if (!giving_) return false;
        auto& next = waiting_.front();
        remove(next);
        next.state_ = log_turn::state::given;
        taken_ = true;
        to = next.to_;
    }
    to->complete({});
    return true;
}

/// On one that runs no handlers: those of users may wait for a turn. False: there is no memory or no thread for it.
bool log_turns::give_on_another_thread() noexcept {
    try {
        asio::post(wait_timer<asio::system_executor>::of({}), [self = shared_from_this()] { self->give(); });
        return true;
    } catch (...) {
        return false;
    }
}

void log_turns::remove(log_turn& t) noexcept {
    waiting_.erase(waiting_.iterator_to(t));
    waiting_bytes_ -= t.bytes_;
}

}  // namespace tablemap::detail
