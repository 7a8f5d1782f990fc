// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/store.hpp"

#include <cstddef>
#include <utility>

namespace tablemap::test {

/// The end of a process.
struct killed {};

/// A store whose process is killed before or after a request: nothing that it had in memory is left.
class mortal_store final : public store {
public:
    mortal_store(store_ptr inner, std::size_t after, bool carries_out)
        : inner_(std::move(inner)), left_(after), carries_out_(carries_out) {}

    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    store_context const& context() const noexcept override { return inner_->context(); }
    response execute(request const& r, call_options const& o) override {
        if (left_-- > 0) return inner_->execute(r, o);
        if (carries_out_) static_cast<void>(inner_->execute(r, o));
        throw killed{};
    }

private:
    store_ptr inner_;
    std::size_t left_;
    bool carries_out_;
};

}  // namespace tablemap::test
