// SPDX-License-Identifier: Apache-2.0
#include "tablemap/store/with_keys.hpp"

#include <utility>

namespace tablemap {
namespace {

class store_with_keys final : public store {
public:
    store_with_keys(store_ptr inner, std::shared_ptr<key_provider const> keys)
        : inner_(std::move(inner)), capabilities_(inner_->can()) {
        capabilities_.keys = std::move(keys);
    }

    capabilities const& can() const noexcept override { return capabilities_; }
    response execute(request const& r, call_options const& o) override { return inner_->execute(r, o); }
    void async_execute(request const& r, call_options const& o, receiver& to) override {
        inner_->async_execute(r, o, to);
    }

private:
    store_ptr const inner_;
    capabilities capabilities_;
};

}  // namespace

store_ptr with_keys(store_ptr inner, std::shared_ptr<key_provider const> keys) {
    return std::make_shared<store_with_keys>(std::move(inner), std::move(keys));
}

}  // namespace tablemap
