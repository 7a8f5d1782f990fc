// SPDX-License-Identifier: Apache-2.0
#include "testing/contract/asynchronous.hpp"

#include "store/waiting_receiver.hpp"

#include <memory>
#include <utility>

namespace tablemap::inline v0_1::testing::contract {
namespace {

class asynchronous_store final : public store {
public:
    explicit asynchronous_store(store_ptr inner) : inner_(std::move(inner)) {}

    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    store_context const& context() const noexcept override { return inner_->context(); }
    void async_execute(request const& r, call_options const& o, receiver& to) override {
        inner_->async_execute(r, o, to);
    }
    response execute(request const& r, call_options const& o) override {
        detail::waiting_receiver arrived;
        inner_->async_execute(r, o, arrived);
        return arrived.wait();
    }

private:
    store_ptr inner_;
};

}  // namespace

store_ptr asynchronous(store_ptr inner) {
    if (!inner) return {};
    return std::make_shared<asynchronous_store>(std::move(inner));
}

}  // namespace tablemap::testing::contract
