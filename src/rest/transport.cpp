// SPDX-License-Identifier: Apache-2.0
#include "tablemap/rest/transport.hpp"

#include "tablemap/base/ascii.hpp"

#include <condition_variable>
#include <mutex>

namespace tablemap {
namespace {

/// Blocks a thread until the result is there.
class waiting_receiver final : public http_receiver {
public:
    void complete(http_result&& result) noexcept override {
        std::scoped_lock const lock{mutex_};
        result_ = std::move(result);
        there_ = true;
        come_.notify_one();  // under the lock: the waiting thread destroys this as soon as it can
    }

    http_result wait() {
        std::unique_lock lock{mutex_};
        come_.wait(lock, [&] { return there_; });
        return std::move(result_);
    }

private:
    std::mutex mutex_;
    std::condition_variable come_;
    http_result result_{};
    bool there_ = false;
};

}  // namespace

http_result transport::call(http_request const& r, call_options const& o) {
    waiting_receiver receiver;
    send(r, o, receiver);
    return receiver.wait();
}

std::string const* http_response::header(std::string_view name) const noexcept {
    for (auto const& [n, value] : headers)
        if (detail::equal_ignoring_case(n, name)) return &value;
    return nullptr;
}

}  // namespace tablemap
