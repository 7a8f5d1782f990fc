// SPDX-License-Identifier: Apache-2.0
#include "rest/account_store.hpp"

#include <mutex>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

class opened_when_needed {
public:
    opened_when_needed(store_opener open, char const* what) : open_(std::move(open)), what_(what) {}

    result<store_ptr> get() {
        std::scoped_lock lock{mutex_};
        if (store_) return store_;
        if (!open_)
            return fail(library_errc::unsupported,
                        {.reason = "the account has no endpoint of " + std::string{what_} + "s: give " +
                                   endpoint_name() + " in the connection string"});
        auto opened = open_();
        if (opened) store_ = *opened;
        return opened;
    }

private:
    std::string endpoint_name() const { return *what_ == 'q' ? "QueueEndpoint" : "BlobEndpoint"; }

    std::mutex mutex_;
    store_opener const open_;
    char const* const what_;
    store_ptr store_;
};

class account_store final : public store {
public:
    account_store(store_ptr tables, store_opener queues, store_opener blobs)
        : tables_(std::move(tables)), queues_(std::move(queues), "queue"), blobs_(std::move(blobs), "blob") {}

    tablemap::capabilities const& capabilities() const noexcept override { return tables_->capabilities(); }
    store_context const& context() const noexcept override { return tables_->context(); }

    response execute(request const& r, call_options const& o) override {
        auto const to = store_for(r);
        return to ? (*to)->execute(r, o) : refused(r, to.error());
    }

    void async_execute(request const& r, call_options const& o, receiver& to) override {
        auto const inner = store_for(r);
        if (!inner) return to.complete(refused(r, inner.error()));
        (*inner)->async_execute(r, o, to);
    }

private:
    result<store_ptr> store_for(request const& r) {
        if (std::holds_alternative<queue_request>(r)) return queues_.get();
        if (std::holds_alternative<blob_request>(r)) return blobs_.get();
        return tables_;
    }

    static response refused(request const& r, error const& e) {
        return response::failed(e.in(action_of(r), table_of(r)));
    }

    store_ptr const tables_;
    opened_when_needed queues_;
    opened_when_needed blobs_;
};

}  // namespace

store_ptr make_account_store(store_ptr tables, store_opener queues, store_opener blobs) {
    return std::make_shared<account_store>(std::move(tables), std::move(queues), std::move(blobs));
}

}  // namespace tablemap::detail
