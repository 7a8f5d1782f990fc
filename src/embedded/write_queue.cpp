// SPDX-License-Identifier: Apache-2.0
#include "embedded/write_queue.hpp"

#include "embedded/stamps.hpp"

#include "tablemap/edm/limits.hpp"

#include <algorithm>
#include <condition_variable>
#include <memory>

namespace tablemap::inline v0_1::detail::embedded {

struct write_caller {
    std::mutex& mutex;  // of the queue
    std::span<queued_write* const> writes;
    std::size_t open = 0;  // writes without an outcome
    std::condition_variable news{};
};

namespace {

/// The most writes of one transaction.
constexpr std::size_t most_writes = 128;

/// The most bytes of several writes, as of one group transaction: the log takes one transaction beyond its bound.
constexpr std::size_t most_bytes = limits::transaction_bytes;

/// The longest wait for other threads.
constexpr std::chrono::steady_clock::duration longest_wait = std::chrono::milliseconds{1};

bool is_in_doubt(std::exception_ptr const& thrown) noexcept {
    try {
        std::rethrow_exception(thrown);
    } catch (error const& e) {
        return e.outcome() == outcome::in_doubt;
    } catch (...) {
        return false;
    }
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
    whom->news.notify_one();
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
    write_caller self{mutex_, writes};
    for (auto* const w : writes) {
        w->caller_ = &self;
        w->stop_.emplace(w->limits_.stop(), queued_write::wake_up{&self});
    }
    {
        std::unique_lock lock{mutex_};
        join(self);
        while (self.open > 0) {
            if (!leader_ && waiting_.front()->caller_ == &self)
                lead(lock, self);
            else
                wait(lock, self);
        }
    }
    // Without the lock: this waits for a stop that is being told, and needs the lock.
    for (auto* const w : writes) w->stop_.reset();
}

void write_queue::join(write_caller& c) {
    try {
        waiting_.insert(waiting_.end(), c.writes.begin(), c.writes.end());
        c.open = c.writes.size();
    } catch (...) {
        for (auto* const w : c.writes) w->failure_ = copy_of(std::current_exception());
    }
    if (leader_ && others_are_here()) leader_->news.notify_one();
}

void write_queue::wait(std::unique_lock<std::mutex>& lock, write_caller& c) {
    withdraw_ended(c);
    if (c.open == 0) return;
    std::optional<std::chrono::steady_clock::time_point> end;
    for (auto const* const w : waiting_) {
        auto const& deadline = w->limits_.deadline();
        if (w->caller_ == &c && deadline) end = std::min(end.value_or(*deadline), *deadline);
    }
    if (end)
        c.news.wait_until(lock, *end);
    else
        c.news.wait(lock);
}

/// Ends the writes of a thread that wait although their calls are to end.
void write_queue::withdraw_ended(write_caller& c) noexcept {
    auto const is_ended = [&c](queued_write* w) {
        if (w->caller_ != &c) return false;
        try {
            w->limits_.check();
            return false;
        } catch (...) {
            w->failure_ = std::current_exception();
            --c.open;
            return true;
        }
    };
    if (std::erase_if(waiting_, is_ended) > 0 && !leader_) wake_first();
}

void write_queue::wake_first() noexcept {
    if (!waiting_.empty()) waiting_.front()->caller_->news.notify_one();
}

// --- the leader ------------------------------------------------------------------------------------------------------

void write_queue::lead(std::unique_lock<std::mutex>& lock, write_caller& c) noexcept {
    leader_ = &c;
    wait_for_others(lock, c);
    auto& first = *waiting_.front();
    lock.unlock();
    try {
        carry_out_batch(first);
    } catch (...) {
        settle(std::current_exception());
    }
    lock.lock();
    end_batch();
}

void write_queue::wait_for_others(std::unique_lock<std::mutex>& lock, write_caller& c) {
    if (!waits_for_disk_) return;
    c.news.wait_for(lock, std::min(last_commit_ / 4, longest_wait), [this] { return others_are_here(); });
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
    for (; end != waiting_.end() && fits(*end); ++end) batch_.push_back(*end);
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

/// Gives each write its outcome after a transaction that failed, or did not begin: then only the first one's.
void write_queue::settle(std::exception_ptr const& thrown) noexcept {
    if (batch_.empty()) take_batch(1);
    bool const in_doubt = is_in_doubt(thrown);
    for (auto* const w : batch_) {
        bool const refused = w->failure_ != nullptr;
        if (batch_.size() == 1 || (in_doubt && !refused))
            w->failure_ = copy_of(thrown);
        else
            carry_out_alone(*w);
    }
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

void write_queue::end_batch() noexcept {
    leader_ = nullptr;
    expected_ = threads_of(batch_) + threads_of(waiting_);
    wake_first();
    for (auto* const w : batch_)
        if (--w->caller_->open == 0) w->caller_->news.notify_one();
    batch_.clear();
}

}  // namespace tablemap::detail::embedded
