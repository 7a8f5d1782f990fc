// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/store.hpp"

#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace tablemap::inline v0_1::detail::embedded {

/// The threads on which an embedded store answers asynchronous requests: two, started with the first request, so that a
/// read need not wait for a write. Writes wait for each other anyway, and reads are short.
///
/// Destruction answers every request that has not begun with `library_errc::cancelled` and waits for those that have.
/// It may come from one of the pool's own threads, since the last owner of a store may be a handler that runs there.
class worker_pool {
public:
    using execute_function = std::function<response(request const&, call_options const&)>;

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

    std::shared_ptr<queue> queue_;  // shared with the threads: one of them may outlive the pool
    std::vector<std::thread> threads_;
};

}  // namespace tablemap::detail::embedded
