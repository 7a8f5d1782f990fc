// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/store.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <new>
#include <optional>
#include <stop_token>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

/// Stores that answer later, as remote ones do.
namespace tablemap::test {

inline capabilities as_remote(capabilities c) {
    c.remote = true;
    return c;
}

/// Answers asynchronous requests when the test says so, on its thread. Blocking ones are answered at once.
class pending_store final : public store {
public:
    explicit pending_store(store_ptr inner) : pending_store(inner, as_remote(inner->capabilities())) {}
    pending_store(store_ptr inner, tablemap::capabilities can) : inner_(std::move(inner)), can_(can) {}

    tablemap::capabilities const& capabilities() const noexcept override { return can_; }
    store_context const& context() const noexcept override { return inner_->context(); }
    response execute(request const& r, call_options const& o) override {
        count();
        return inner_->execute(r, o);
    }
    void async_execute(request const& r, call_options const& o, receiver& to) override {
        count();
        std::scoped_lock lock{mutex_};
        pending_.push_back({&r, &o, &to});
    }

    std::size_t asked() const {
        std::scoped_lock lock{mutex_};
        return asked_;
    }
    std::size_t pending() const {
        std::scoped_lock lock{mutex_};
        return pending_.size();
    }

    /// Answers the request that waits longest, otherwise than the inner store would if `instead` is given. False: there
    /// is none.
    bool answer_one(std::optional<response> instead = {}) { return answer(false, std::move(instead)); }

    /// Answers the request that came last.
    bool answer_last() { return answer(true, {}); }

    void answer_all() {
        while (answer_one()) {
        }
    }

    /// Answers whatever comes, on a thread of its own, until the result is destroyed.
    std::jthread answer_from_now_on() {
        return std::jthread{[this](std::stop_token const& stop) {
            while (answer_one() || !stop.stop_requested()) std::this_thread::yield();
        }};
    }

private:
    struct waiting {
        request const* what;
        call_options const* options;
        receiver* to;
    };

    bool answer(bool last, std::optional<response> instead) {
        std::unique_lock lock{mutex_};
        if (pending_.empty()) return false;
        auto const next = last ? pending_.back() : pending_.front();
        last ? pending_.pop_back() : pending_.pop_front();
        lock.unlock();
        next.to->complete(instead ? *std::move(instead) : inner_->execute(*next.what, *next.options));
        return true;
    }

    void count() {
        std::scoped_lock lock{mutex_};
        ++asked_;
    }

    store_ptr inner_;
    tablemap::capabilities can_;
    mutable std::mutex mutex_;
    std::deque<waiting> pending_;
    std::size_t asked_ = 0;
};

/// Has no memory for its first request, then passes requests on.
class store_that_throws final : public store {
public:
    store_that_throws(store_ptr inner, bool remote) : inner_(std::move(inner)), can_(inner_->capabilities()) {
        can_.remote = remote;
    }

    tablemap::capabilities const& capabilities() const noexcept override { return can_; }
    store_context const& context() const noexcept override { return inner_->context(); }
    response execute(request const& r, call_options const& o) override {
        if (!std::exchange(threw_, true)) throw std::bad_alloc{};
        return inner_->execute(r, o);
    }

private:
    store_ptr inner_;
    tablemap::capabilities can_;
    bool threw_ = false;
};

/// Has no thread for asynchronous requests.
class store_without_threads final : public store {
public:
    explicit store_without_threads(store_ptr inner) : inner_(std::move(inner)) {}

    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    store_context const& context() const noexcept override { return inner_->context(); }
    response execute(request const& r, call_options const& o) override { return inner_->execute(r, o); }
    void async_execute(request const&, call_options const&, receiver&) override {
        throw std::system_error{std::make_error_code(std::errc::resource_unavailable_try_again)};
    }

private:
    store_ptr inner_;
};

/// Answers its first request on a thread of its own, after a while, and throws at the second.
class store_that_throws_second final : public store {
public:
    explicit store_that_throws_second(std::atomic<bool>& answered) : answered_(answered) {}

    tablemap::capabilities const& capabilities() const noexcept override { return can_; }
    response execute(request const&, call_options const&) override { return {}; }
    void async_execute(request const&, call_options const&, receiver& to) override {
        if (first_.joinable()) throw std::bad_alloc{};
        first_ = std::jthread{[this, &to] {
            std::this_thread::sleep_for(std::chrono::milliseconds{20});
            answered_ = true;
            to.complete({});
        }};
    }

private:
    std::atomic<bool>& answered_;
    tablemap::capabilities can_{.name = "throwing", .remote = true};
    std::jthread first_;
};

/// Answers asynchronous requests on threads of their own, in groups: as soon as so many have come, or after a while.
class meeting_store final : public store {
public:
    meeting_store(store_ptr inner, std::size_t group)
        : inner_(std::move(inner)), can_(as_remote(inner_->capabilities())), group_(group) {}

    tablemap::capabilities const& capabilities() const noexcept override { return can_; }
    store_context const& context() const noexcept override { return inner_->context(); }
    response execute(request const& r, call_options const& o) override { return inner_->execute(r, o); }
    void async_execute(request const& r, call_options const& o, receiver& to) override {
        std::scoped_lock lock{mutex_};
        most_ = std::max(most_, ++under_way_);
        auto const group_full = (come_++ / group_ + 1) * group_;
        came_.notify_all();
        threads_.emplace_back([this, &r, &o, &to, group_full] { answer(r, o, to, group_full); });
    }

    /// The highest number of asynchronous requests that were under way together.
    std::size_t most_at_once() const {
        std::scoped_lock lock{mutex_};
        return most_;
    }

private:
    void answer(request const& r, call_options const& o, receiver& to, std::size_t group_full) {
        std::unique_lock lock{mutex_};
        came_.wait_for(lock, std::chrono::milliseconds{300}, [&] { return come_ >= group_full; });
        lock.unlock();
        auto answer = inner_->execute(r, o);
        lock.lock();
        --under_way_;
        lock.unlock();
        to.complete(std::move(answer));
    }

    store_ptr inner_;
    tablemap::capabilities can_;
    std::size_t group_;
    mutable std::mutex mutex_;
    std::condition_variable came_;
    std::size_t come_ = 0, under_way_ = 0, most_ = 0;
    std::vector<std::jthread> threads_;  // last: joined before the rest goes
};

}  // namespace tablemap::test
