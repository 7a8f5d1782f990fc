// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/store.hpp"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

namespace tablemap::inline v0_1::detail {

/// Blocks until an asynchronous response is there. It may be destroyed as soon as `wait` has returned: the answering
/// thread wakes the waiting one under the lock and touches nothing after that.
template <class Receiver, class Answer> class waiting final : public Receiver {
public:
    void complete(Answer&& answer) noexcept override {
        std::scoped_lock lock{mutex_};
        answer_ = std::move(answer);
        arrived_.notify_one();
    }

    Answer wait() {
        std::unique_lock lock{mutex_};
        arrived_.wait(lock, [&] { return answer_.has_value(); });
        return *std::move(answer_);
    }

private:
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::optional<Answer> answer_{};
};

using waiting_receiver = waiting<receiver, response>;

}  // namespace tablemap::detail
