// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/error.hpp"
#include "tablemap/store/store.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace tablemap::inline v0_1::page {

/// Another store with a deadline for all that is asked of it.
class store_until final : public store {
public:
    store_until(store_ptr inner, time_point end) : inner_(std::move(inner)), end_(end) {}

    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    store_context const& context() const noexcept override { return inner_->context(); }

    response execute(request const& r, call_options const& options) override {
        auto until = options;
        until.deadline = std::min(options.deadline.value_or(end_), end_);
        if (std::chrono::steady_clock::now() < *until.deadline) return inner_->execute(r, until);
        return response::failed(error{library_errc::deadline_exceeded, {.reason = "the page took longer than it may"}});
    }

private:
    store_ptr inner_;
    time_point end_;
};

}  // namespace tablemap::page
