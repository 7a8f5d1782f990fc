// SPDX-License-Identifier: Apache-2.0
#include "embedded/worker_pool.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <system_error>
#include <utility>

namespace tablemap::inline v0_1::detail::embedded {
namespace {

constexpr std::size_t thread_count = 2;

struct job {
    request const* what;
    call_options const* options;
    receiver* to;
};

}  // namespace

struct worker_pool::queue {
    std::mutex mutex;
    std::condition_variable wake;
    std::deque<job> jobs;
    bool stopping = false;
    execute_function execute;

    void work() {
        std::unique_lock lock{mutex};
        for (;;) {
            wake.wait(lock, [&] { return stopping || !jobs.empty(); });
            if (stopping) return;
            auto const j = jobs.front();
            jobs.pop_front();
            lock.unlock();
            j.to->complete(execute(*j.what, *j.options));
            lock.lock();
        }
    }
};

worker_pool::worker_pool(execute_function execute) : queue_(std::make_shared<queue>()) {
    queue_->execute = std::move(execute);
}

worker_pool::~worker_pool() {
    std::deque<job> abandoned;
    {
        std::scoped_lock lock{queue_->mutex};
        queue_->stopping = true;
        abandoned.swap(queue_->jobs);
    }
    queue_->wake.notify_all();
    for (auto const& j : abandoned)
        j.to->complete(response::failed(
            error{library_errc::cancelled, {.reason = "the store was closed before the request began"}}));
    for (auto& t : threads_) {
        if (t.get_id() == std::this_thread::get_id())
            t.detach();
        else
            t.join();
    }
}

/// One thread is enough if the system has no more.
void worker_pool::start_threads() {
    threads_.reserve(thread_count);
    try {
        while (threads_.size() < thread_count) threads_.emplace_back([q = queue_] { q->work(); });
    } catch (std::system_error const&) {
        if (threads_.empty()) throw;
    }
}

void worker_pool::submit(request const& r, call_options const& o, receiver& to) {
    {
        std::scoped_lock lock{queue_->mutex};
        if (threads_.empty()) start_threads();  // first: the requests in the queue will be answered
        queue_->jobs.push_back({&r, &o, &to});
    }
    queue_->wake.notify_one();
}

}  // namespace tablemap::detail::embedded
