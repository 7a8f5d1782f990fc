// SPDX-License-Identifier: Apache-2.0
#include "tablemap/store/with_keys.hpp"

#include "tablemap/base/redaction.hpp"

#include <exception>
#include <type_traits>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1 {
namespace {

/// A provider of the program's own may throw, also while an asynchronous response is read: that would end the program.
class guarded_keys final : public key_provider {
public:
    explicit guarded_keys(std::shared_ptr<key_provider const> inner) : inner_(std::move(inner)) {}

    result<encryption_key> current() const override {
        return guarded([&] { return inner_->current(); });
    }
    result<encryption_key> find(std::string_view id) const override {
        return guarded([&] { return inner_->find(id); });
    }
    result<std::vector<encryption_key>> all() const override {
        return guarded([&] { return inner_->all(); });
    }

private:
    template <class Ask> static std::invoke_result_t<Ask> guarded(Ask ask) {
        // Not the code of an unknown key: an operation that rewrites many rows must end, and not refuse each of them.
        constexpr auto code = library_errc::no_encryption_key;
        try {
            return ask();
        } catch (error const& e) {
            return failure{e};
        } catch (std::exception const& e) {
            return fail(code, {.reason = "the provider of the keys threw an exception: " + redacted(e.what())});
        } catch (...) {
            return fail(code, {.reason = "the provider of the keys threw an exception"});
        }
    }

    std::shared_ptr<key_provider const> const inner_;
};

class store_with_keys final : public store {
public:
    store_with_keys(store_ptr inner, std::shared_ptr<key_provider const> keys)
        : inner_(std::move(inner)), context_(inner_->context()) {
        context_.keys = std::make_shared<guarded_keys>(std::move(keys));
    }

    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    store_context const& context() const noexcept override { return context_; }
    response execute(request const& r, call_options const& o) override { return inner_->execute(r, o); }
    void async_execute(request const& r, call_options const& o, receiver& to) override {
        inner_->async_execute(r, o, to);
    }

private:
    store_ptr const inner_;
    store_context context_;
};

}  // namespace

store_ptr with_keys(store_ptr inner, std::shared_ptr<key_provider const> keys) {
    return std::make_shared<store_with_keys>(std::move(inner), std::move(keys));
}

}  // namespace tablemap
