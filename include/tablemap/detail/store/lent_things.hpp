// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <thread>

namespace tablemap::inline v0_1::detail {

/// The things that the caller of an asynchronous operation lends to it, as the entity of a replace. They may be
/// destroyed with the handler, so the operation uses them only between `begin_use` and `end_use`, on one thread at a
/// time. Thread safety: full.
class lent_things {
public:
    /// False if they were taken back.
    bool begin_use() noexcept {
        user_.store(std::this_thread::get_id());
        if (!taken_back_.load()) return true;
        end_use();
        return false;
    }
    void end_use() noexcept {
        user_.store(std::thread::id{});
        user_.notify_all();
    }

    /// Waits until they are not in use, unless the calling thread uses them: no function may wait for itself.
    void take_back() noexcept {
        taken_back_.store(true);
        for (auto user = user_.load(); user != std::thread::id{} && user != std::this_thread::get_id();
             user = user_.load())
            user_.wait(user);
    }

    bool were_taken_back() const noexcept { return taken_back_.load(); }

private:
    std::atomic<std::thread::id> user_{};
    std::atomic<bool> taken_back_{false};
};

/// A use of lent things, which ends with the object.
class lent_use {
public:
    explicit lent_use(lent_things& what) noexcept : what_(what), is_allowed_(what.begin_use()) {}
    ~lent_use() {
        if (is_allowed_) what_.end_use();
    }
    lent_use(lent_use const&) = delete;
    lent_use& operator=(lent_use const&) = delete;

    bool is_allowed() const noexcept { return is_allowed_; }

private:
    lent_things& what_;
    bool is_allowed_;
};

}  // namespace tablemap::detail
