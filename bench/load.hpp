// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <benchmark/benchmark.h>

#include <utility>  // Asio of Boost 1.74 needs it first

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>

namespace bench {

constexpr benchmark::IterationCount batch = 256;

/// Operations of which so many are under way at any time: each that ends begins the next, on the thread where it ended.
template <class Begin> class load {
public:
    explicit load(Begin begin) : begin_(std::move(begin)) {}

    /// False if one failed.
    bool run(std::int64_t operations, std::size_t outstanding) {
        to_begin_ = operations - static_cast<std::int64_t>(outstanding);
        to_end_ = operations;
        ended_ = false;
        for (std::size_t i = 0; i < outstanding; ++i) begin_(*this);
        std::unique_lock lock{mutex_};
        all_ended_.wait(lock, [&] { return ended_; });
        return !failed_;
    }

    void one_ended(bool good) {
        if (!good) failed_ = true;
        if (to_begin_.fetch_sub(1) > 0) begin_(*this);
        if (to_end_.fetch_sub(1) > 1) return;
        std::lock_guard const lock{mutex_};
        ended_ = true;
        all_ended_.notify_one();
    }

private:
    Begin begin_;
    std::atomic<std::int64_t> to_begin_{0};
    std::atomic<std::int64_t> to_end_{0};
    std::atomic<bool> failed_{false};
    std::mutex mutex_;
    std::condition_variable all_ended_;
    bool ended_ = false;
};

/// A thread on which handlers run, as a program with an io_context has it.
class handler_thread {
public:
    ~handler_thread() {
        work_.reset();
        thread_.join();
    }

    boost::asio::io_context::executor_type executor() { return io_.get_executor(); }

private:
    boost::asio::io_context io_{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{io_.get_executor()};
    std::thread thread_{[this] { io_.run(); }};
};

/// The cost of an operation, while so many are under way.
template <class Begin> void measure(benchmark::State& state, std::size_t outstanding, Begin begin) {
    load<Begin> l{std::move(begin)};
    if (!l.run(batch, outstanding)) return state.SkipWithError("an operation failed");  // connects
    while (state.KeepRunningBatch(batch))
        if (!l.run(batch, outstanding)) state.SkipWithError("an operation failed");
    state.SetItemsProcessed(state.iterations());
}

}  // namespace bench
