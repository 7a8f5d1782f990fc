// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/store.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace tablemap::inline v0_1::detail::embedded {

/// The threads on which an embedded store answers asynchronous requests that may have to wait: two, started with the
/// first request. Writes of rows that come while others are carried out wait and are carried out together, so that they
/// can share a commit, by one thread at a time: the other one reads meanwhile. Other requests are carried out one by
/// one.
///
/// Destruction answers every request that has not begun with `library_errc::cancelled` and waits for those that have.
/// It may come from one of the pool's own threads, since the last owner of a store may be a handler that runs there;
/// then it calls the receivers that this thread has not called yet.
class worker_pool {
public:
    struct job {
        request const* what = nullptr;
        call_options const* options = nullptr;
        receiver* to = nullptr;
        std::uint64_t number = 0;  ///< in the order of their coming
        std::optional<response> answer{};
    };
    using job_list = std::list<job>;

    /// The most jobs at once. There are several only if all of them write rows.
    static constexpr std::size_t most_jobs = 64;

    /// Sets the answers of one job or more. Those without one wait again, before those that came later. Writes that are
    /// answered are told so before the rest is carried out.
    using execute_function = std::function<void(job_list&)>;

    explicit worker_pool(execute_function execute);
    ~worker_pool();
    worker_pool(worker_pool const&) = delete;
    worker_pool& operator=(worker_pool const&) = delete;

    /// `r`, `o` and `to` must outlive the response, which comes on one of the pool's threads. Throws std::system_error
    /// if not even one can be started; there is no response then.
    void submit(request const& r, call_options const& o, receiver& to);

private:
    struct queue;

    void start_threads();
    void end_thread(std::size_t i);

    std::shared_ptr<queue> queue_;  // shared with the threads: one of them may outlive the pool
    std::vector<std::thread> threads_;
};

}  // namespace tablemap::detail::embedded
