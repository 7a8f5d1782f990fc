// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/store.hpp"

#include <functional>
#include <utility>

namespace tablemap::test {

/// Calls a function with its response, on the thread that answers.
class calling_receiver final : public receiver {
public:
    explicit calling_receiver(std::function<void(response const&)> f) : f_(std::move(f)) {}
    void complete(response&& r) noexcept override { f_(r); }

private:
    std::function<void(response const&)> f_;
};

}  // namespace tablemap::test
