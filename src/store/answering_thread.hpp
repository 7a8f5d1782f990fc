// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tablemap::inline v0_1::detail {

/// Marks a thread of a local store while it calls receivers. A blocking call that runs there must not wait for that
/// store's threads, since this may be the only one that is left.
class answering_thread {
public:
    answering_thread() noexcept { ++depth; }
    ~answering_thread() { --depth; }
    answering_thread(answering_thread const&) = delete;
    answering_thread& operator=(answering_thread const&) = delete;

    static bool is_this() noexcept { return depth > 0; }

private:
    static inline thread_local int depth = 0;
};

}  // namespace tablemap::detail
