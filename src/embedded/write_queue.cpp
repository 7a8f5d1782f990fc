// SPDX-License-Identifier: Apache-2.0
#include "embedded/write_queue.hpp"

#include "embedded/stamps.hpp"

#include <algorithm>
#include <array>
#include <memory>

namespace tablemap::inline v0_1::detail::embedded {

struct write_caller {
    std::mutex& mutex;                          // of the queue
    std::size_t ended = 0;                      // writes with an outcome
    std::size_t taken = 0;                      // writes of the present transaction
    std::list<std::condition_variable> news{};  // one, lent by the queue, once the thread has joined it

    bool is_done() const noexcept { return ended > 0 && taken == 0; }
};

namespace {

/// The most writes of one transaction.
constexpr std::size_t most_writes = 128;

/// The longest wait for other threads.
constexpr std::chrono::steady_clock::duration longest_wait = std::chrono::milliseconds{1};

template <class Is> bool is_error(std::exception_ptr const& thrown, Is is) noexcept {
    if (!thrown) return false;
    try {
        std::rethrow_exception(thrown);
    } catch (error const& e) {
        return is(e);
    } catch (...) {
        return false;
    }
}

bool is_in_doubt(std::exception_ptr const& thrown) noexcept {
    return is_error(thrown, [](error const& e) { return e.outcome() == outcome::in_doubt; });
}

bool is_busy(std::exception_ptr const& thrown) noexcept {
    return is_error(thrown, [](error const& e) { return e.code() == store_errc::busy; });
}

/// An exception object of its own: several threads get it.
std::exception_ptr copy_of(std::exception_ptr const& thrown) noexcept {
    try {
        std::rethrow_exception(thrown);
    } catch (error const& e) {
        return std::make_exception_ptr(error{e});
    } catch (...) {
        return std::current_exception();
    }
}

/// Why the wait of a call ends: its limits, or else what was thrown.
std::exception_ptr end_of(call_limits const& limits, std::exception_ptr const& thrown) noexcept {
    try {
        limits.check();
        return thrown ? copy_of(thrown) : nullptr;
    } catch (...) {
        return std::current_exception();
    }
}

/// Those of one thread stand together.
std::size_t threads_of(std::vector<queued_write*> const& writes) noexcept {
    std::size_t count = 0;
    write_caller const* last = nullptr;
    for (auto const* const w : writes) {
        if (w->caller() != last) ++count;
        last = w->caller();
    }
    return count;
}

}  // namespace

// --- queued_write ----------------------------------------------------------------------------------------------------

/// A thread looks at the stop token and begins to wait under the same lock, so that it misses no stop.
void queued_write::wake_up::operator()() const noexcept {
    std::scoped_lock const lock{whom->mutex};
    if (!whom->news.empty()) whom->news.front().notify_one();
}

response queued_write::take() {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    return std::move(answer_);
}

// --- the queue -------------------------------------------------------------------------------------------------------

write_queue::write_queue(connection_pool& pool, std::function<ticks()> const& now, bool waits_for_disk)
    : pool_(pool), now_(now), waits_for_disk_(waits_for_disk) {
    batch_.reserve(most_writes);  // so that taking writes never allocates
}

void write_queue::carry_out(std::span<queued_write* const> writes) noexcept {
    if (writes.empty()) return;
    write_caller self{mutex_};
    for (auto* const w : writes) {
        w->caller_ = &self;
        w->stop_.emplace(w->limits_.stop(), queued_write::wake_up{&self});
    }
    {
        std::unique_lock lock{mutex_};
        join(writes);
        while (!self.is_done()) {
            if (!leader_ && waiting_.front()->caller_ == &self)
                lead(lock, self);
            else
                wait(lock, self);
        }
        leave(self);
    }
    // Without the lock: this waits for a stop that is being told, and needs the lock.
    for (auto* const w : writes) w->stop_.reset();
}

void write_queue::join(std::span<queued_write* const> writes) {
    try {
        if (free_signals_.empty()) free_signals_.emplace_back();
        auto& news = writes.front()->caller_->news;
        news.splice(news.end(), free_signals_, free_signals_.begin());
        waiting_.insert(waiting_.end(), writes.begin(), writes.end());
        for (auto* const w : writes) w->number_ = ++joined_;
    } catch (...) {
        for (auto* const w : writes) end(*w, copy_of(std::current_exception()));
    }
    if (leader_ && others_are_here()) leader_->news.front().notify_one();
}

/// With the writes that have no outcome yet.
void write_queue::leave(write_caller& c) noexcept {
    withdraw_ended(c);
    if (std::erase_if(waiting_, [&c](queued_write const* w) { return w->caller_ == &c; }) > 0 && !leader_) wake_first();
    free_signals_.splice(free_signals_.begin(), c.news);
}

void write_queue::end(queued_write& w, std::exception_ptr failure) noexcept {
    w.failure_ = std::move(failure);
    w.has_outcome_ = true;
    ++w.caller_->ended;
}

void write_queue::wait(std::unique_lock<std::mutex>& lock, write_caller& c) {
    withdraw_ended(c);
    if (c.is_done()) return;
    std::optional<std::chrono::steady_clock::time_point> end;
    for (auto const* const w : waiting_) {
        auto const& deadline = w->limits_.deadline();
        if (w->caller_ == &c && deadline) end = std::min(end.value_or(*deadline), *deadline);
    }
    if (end)
        c.news.front().wait_until(lock, *end);
    else
        c.news.front().wait(lock);
}

/// Ends the writes of a thread that wait although their calls are to end.
void write_queue::withdraw_ended(write_caller& c) noexcept {
    auto const is_ended = [&](queued_write* w) {
        if (w->caller_ != &c) return false;
        auto why = end_of(w->limits_, nullptr);
        if (!why) return false;
        end(*w, std::move(why));
        return true;
    };
    if (std::erase_if(waiting_, is_ended) > 0 && !leader_) wake_first();
}

void write_queue::wake_first() noexcept {
    if (!waiting_.empty()) waiting_.front()->caller_->news.front().notify_one();
}

// --- the leader ------------------------------------------------------------------------------------------------------

void write_queue::lead(std::unique_lock<std::mutex>& lock, write_caller& c) noexcept {
    leader_ = &c;
    wait_for_others(lock, c);
    auto& first = *waiting_.front();
    led_at_ = joined_;
    lock.unlock();
    try {
        carry_out_batch(first);
    } catch (...) {
        settle(std::current_exception());
    }
    lock.lock();
    end_batch(lock);
}

void write_queue::wait_for_others(std::unique_lock<std::mutex>& lock, write_caller& c) {
    if (!waits_for_disk_) return;
    c.news.front().wait_for(lock, std::min(last_commit_ / 4, longest_wait), [this] { return others_are_here(); });
}

bool write_queue::others_are_here() const noexcept { return threads_of(waiting_) >= expected_; }

void write_queue::take_batch(std::size_t most) {
    std::scoped_lock const lock{mutex_};
    std::size_t bytes = 0;
    auto const fits = [&](queued_write const* w) {
        bytes += w->writes_.bytes();
        return batch_.size() < most && (batch_.empty() || bytes <= most_bytes);
    };
    auto end = waiting_.begin();
    for (; end != waiting_.end() && fits(*end); ++end) {
        batch_.push_back(*end);
        ++(*end)->caller_->taken;
    }
    waiting_.erase(waiting_.begin(), end);
}

/// Under the limits of the first write until there is a transaction. Takes the others then: until that they can be
/// withdrawn.
void write_queue::carry_out_batch(queued_write& first) {
    auto const c = pool_.writer(first.limits_);
    write_transaction t{c->db()};
    take_batch(most_writes);
    // An interruption would end the transaction for all.
    if (batch_.size() > 1) c->db().limit_calls(nullptr);
    if (apply_batch(*c)) commit(t);
}

/// True if any was not refused.
bool write_queue::apply_batch(connection& c) {
    std::size_t count = 0;
    for (auto const* const w : batch_) count += w->writes_.size();
    auto stamp = take_stamps(c, read_clock(now_), count);
    bool any = false;
    for (auto* const w : batch_) {
        any = apply(c, *w, stamp) || any;
        stamp = stamp + tick_duration{1} * static_cast<std::int64_t>(w->writes_.size());
    }
    return any;
}

/// False if the write was refused, which leaves nothing of it. A fault of the file passes through.
bool write_queue::apply(connection& c, queued_write& w, ticks stamp) const {
    // A write of one row that is refused has changed nothing.
    bool const is_part = batch_.size() > 1 && w.writes_.size() > 1;
    if (is_part) c.db().begin_part();
    try {
        w.limits_.check();
        w.answer_ = w.writes_.apply(c, stamp);
    } catch (error const& e) {
        if (e.source() == error_source::store) throw;
        w.failure_ = std::current_exception();
    }
    if (is_part) w.failure_ ? c.db().undo_part() : c.db().keep_part();
    return !w.failure_;
}

void write_queue::commit(write_transaction& t) {
    auto const began = std::chrono::steady_clock::now();
    t.commit();
    last_commit_ = std::chrono::steady_clock::now() - began;
}

/// Gives each write its outcome after a transaction that failed, or did not begin.
void write_queue::settle(std::exception_ptr const& thrown) noexcept {
    if (batch_.empty()) return end_first(thrown);
    bool const in_doubt = is_in_doubt(thrown);
    std::exception_ptr busy;
    for (auto* const w : batch_) {
        bool const refused = w->failure_ != nullptr;
        if (batch_.size() == 1 || (in_doubt && !refused))
            w->failure_ = copy_of(thrown);
        else if (busy)
            w->failure_ = end_of(w->limits_, busy);
        else
            carry_out_alone(*w);
        if (!busy && is_busy(w->failure_)) busy = w->failure_;
    }
}

/// Ends the first write. If the file was busy, those behind it that have waited as long end, too.
void write_queue::end_first(std::exception_ptr const& thrown) noexcept {
    take_batch(is_busy(thrown) ? waiting_as_long() : 1);
    for (auto* const w : batch_) w->failure_ = end_of(w->limits_, thrown);
}

std::size_t write_queue::waiting_as_long() noexcept {
    std::scoped_lock const lock{mutex_};
    auto const count =
        std::count_if(waiting_.begin(), waiting_.end(), [this](auto* w) { return w->number_ <= led_at_; });
    return std::min(static_cast<std::size_t>(count), most_writes);
}

/// Forgets the outcome in a transaction that failed, which may have been due to other writes.
void write_queue::carry_out_alone(queued_write& w) noexcept {
    w.failure_ = nullptr;
    try {
        auto const c = pool_.writer(w.limits_);
        w.limits_.check();
        write_transaction t{c->db()};
        w.answer_ = w.writes_.apply(*c, take_stamps(*c, read_clock(now_), w.writes_.size()));
        t.commit();
    } catch (...) {
        w.failure_ = std::current_exception();
    }
}

/// Wakes threads without the lock: each needs it at once.
void write_queue::end_batch(std::unique_lock<std::mutex>& lock) noexcept {
    std::array<std::condition_variable*, most_writes + 1> to_wake;
    auto* last = to_wake.data();
    leader_ = nullptr;
    bool const is_split = !waiting_.empty() && waiting_.front()->caller_ == batch_.back()->caller_;
    expected_ = threads_of(batch_) + threads_of(waiting_) - (is_split ? 1 : 0);
    if (!waiting_.empty()) *last++ = &waiting_.front()->caller_->news.front();
    for (auto* const w : batch_) {
        end(*w, std::move(w->failure_));
        if (--w->caller_->taken == 0) *last++ = &w->caller_->news.front();
    }
    batch_.clear();
    lock.unlock();
    std::for_each(to_wake.data(), last, [](auto* signal) { signal->notify_one(); });
    lock.lock();
}

}  // namespace tablemap::detail::embedded
