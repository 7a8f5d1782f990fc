// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/store.hpp"

#include <atomic>
#include <cstddef>
#include <string>
#include <utility>

namespace tablemap::test {

/// A store that refuses all requests to one table for want of rights, until they are granted.
class denying_store final : public store {
public:
    denying_store(store_ptr inner, std::string table) : inner_(std::move(inner)), table_(std::move(table)) {}

    void grant() { granted_ = true; }
    std::size_t refused() const { return refused_; }

    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    store_context const& context() const noexcept override { return inner_->context(); }
    response execute(request const& r, call_options const& o) override {
        if (granted_ || table_of(r) != table_) return inner_->execute(r, o);
        ++refused_;
        return response::failed(error{service_errc::authorization_permission_mismatch});
    }

private:
    store_ptr inner_;
    std::string table_;
    std::atomic<bool> granted_{false};
    std::atomic<std::size_t> refused_{0};
};

}  // namespace tablemap::test
