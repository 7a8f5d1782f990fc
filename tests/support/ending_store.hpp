// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/store.hpp"

#include <atomic>
#include <cstddef>
#include <utility>

namespace tablemap::test {

/// A program that ends after some requests: what it would send later reaches nobody.
class ending_store final : public store {
public:
    ending_store(store_ptr inner, std::size_t lives) : inner_(std::move(inner)), lives_(lives) {}

    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    store_context const& context() const noexcept override { return inner_->context(); }
    response execute(request const& r, call_options const& o) override {
        if (asked_++ < lives_) return inner_->execute(r, o);
        return response::failed(error{library_errc::response_lost, {.outcome = outcome::in_doubt}});
    }

private:
    store_ptr inner_;
    std::size_t lives_;
    std::atomic<std::size_t> asked_{0};
};

}  // namespace tablemap::test
