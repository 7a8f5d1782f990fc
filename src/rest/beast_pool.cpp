// SPDX-License-Identifier: Apache-2.0
#include "rest/beast_pool.hpp"

#include <algorithm>
#include <condition_variable>
#include <iterator>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

/// Blocks a thread, under the pool's lock.
class blocked_waiter final : public connection_pool::waiter {
public:
    void granted(connection_pool::connection_ptr idle) noexcept override {
        connection = std::move(idle);
        is_granted = true;
        come.notify_one();
    }

    std::condition_variable_any come;
    connection_pool::connection_ptr connection;
    bool is_granted = false;
};

}  // namespace

connection_pool::connection_pool(std::size_t most, std::chrono::milliseconds idle_limit)
    : most_(std::max<std::size_t>(most, 1)), idle_limit_(idle_limit) {}

/// Called with the lock held.
bool connection_pool::take_place(connection_ptr& idle) {
    if (closed_ || busy_ >= most_) return false;
    ++busy_;
    if (!idle_.empty()) {
        idle = std::move(idle_.back());
        idle_.pop_back();
    }
    return true;
}

bool connection_pool::enter(waiter& w, connection_ptr& idle) {
    close_old(std::chrono::steady_clock::now());
    std::lock_guard const lock{mutex_};
    if (take_place(idle)) return true;
    w.place_ = waiting_.insert(waiting_.end(), &w);
    return false;
}

bool connection_pool::leave(waiter& w) noexcept {
    std::lock_guard const lock{mutex_};
    if (!w.place_) return false;
    waiting_.erase(*w.place_);
    w.place_.reset();
    return true;
}

connection_pool::turn connection_pool::wait(time_point until, std::stop_token const& stop, connection_ptr& idle) {
    close_old(std::chrono::steady_clock::now());
    std::unique_lock lock{mutex_};
    if (closed_) return turn::closed;
    if (take_place(idle)) return turn::come;
    blocked_waiter w;
    w.place_ = waiting_.insert(waiting_.end(), &w);
    if (w.come.wait_until(lock, stop, until, [&] { return w.is_granted; })) {
        idle = std::move(w.connection);
        return turn::come;
    }
    waiting_.erase(*w.place_);
    return stop.stop_requested() ? turn::stopped : turn::late;
}

void connection_pool::release(connection_ptr c) noexcept {
    auto const now = std::chrono::steady_clock::now();
    connection_ptr unwanted;
    std::lock_guard const lock{mutex_};
    if (closed_) c.swap(unwanted);
    if (!waiting_.empty()) {
        auto& next = *waiting_.front();
        waiting_.pop_front();
        next.place_.reset();
        return next.granted(std::move(c));
    }
    --busy_;
    if (!c) return;
    c->idle_since = now;
    idle_.push_back(std::move(c));
}

/// Called with the lock held.
std::vector<connection_pool::connection_ptr> connection_pool::take_old(time_point now) {
    auto const young =
        std::find_if(idle_.begin(), idle_.end(), [&](auto const& c) { return now - c->idle_since <= idle_limit_; });
    std::vector<connection_ptr> old{std::move_iterator{idle_.begin()}, std::move_iterator{young}};
    idle_.erase(idle_.begin(), young);
    return old;
}

std::optional<time_point> connection_pool::close_old(time_point now) noexcept {
    std::vector<connection_ptr> old;  // closed without the lock
    std::lock_guard const lock{mutex_};
    if (idle_.empty()) return std::nullopt;
    if (now - idle_.front()->idle_since > idle_limit_) old = take_old(now);
    if (idle_.empty()) return std::nullopt;
    return now + (idle_limit_ - std::chrono::duration_cast<std::chrono::milliseconds>(now - idle_.front()->idle_since));
}

void connection_pool::close() noexcept {
    std::vector<connection_ptr> all;
    std::lock_guard const lock{mutex_};
    closed_ = true;
    all.swap(idle_);
}

}  // namespace tablemap::detail
