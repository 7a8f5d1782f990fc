// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/store/thrown_note.hpp"

#include <utility>

namespace tablemap::inline v0_1::detail {

void thrown_note::keep(std::exception_ptr e) noexcept {
    std::scoped_lock const lock{mutex_};
    if (!first_) first_ = std::move(e);
    any_.store(true, std::memory_order_release);
}

void thrown_note::pass_to(thrown_note& other) noexcept {
    std::scoped_lock const lock{mutex_};
    if (first_) other.keep(std::exchange(first_, nullptr));
}

void thrown_note::rethrow_first() {
    std::unique_lock lock{mutex_};
    any_.store(false, std::memory_order_relaxed);
    auto const e = std::exchange(first_, nullptr);
    lock.unlock();
    if (e) std::rethrow_exception(e);
}

template <class Ask> auto guarded_clock::guarded(Ask ask) noexcept {
    try {
        return ask(*inner_);
    } catch (...) {
        note_.keep(std::current_exception());
    }
    return ask(clock::system());
}

time_point guarded_clock::now() noexcept {
    return guarded([](clock& c) { return c.now(); });
}

std::uint64_t guarded_clock::random() noexcept {
    return guarded([](clock& c) { return c.random(); });
}

void guarded_clock::sleep_until(time_point t, std::stop_token const& stop) { inner_->sleep_until(t, stop); }

}  // namespace tablemap::detail
