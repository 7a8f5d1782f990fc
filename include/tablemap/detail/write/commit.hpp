// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/task_run.hpp"
#include "tablemap/detail/write/transaction_core.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// Sends a transaction. Keeps its operations alive, whatever becomes of the `transaction` itself.
task<result<std::vector<etag>>> commit(std::shared_ptr<transaction_core> what);

/// A call of a transaction.
template <class V> class transaction_call : public plain_call<V> {
public:
    transaction_call(std::shared_ptr<transaction_core> what, task<result<V>> first)
        : plain_call<V>(std::move(first)), what_(std::move(what)) {}

    store_ptr const& store() const noexcept { return what_->store(); }
    operation_label label() const noexcept { return {"commit", what_->table()}; }

private:
    std::shared_ptr<transaction_core> what_;
};

inline transaction_call<std::vector<etag>> commit_call(std::shared_ptr<transaction_core> const& what) {
    return {what, commit(what)};
}

/// The same on this thread.
result<std::vector<etag>> commit_now(std::shared_ptr<transaction_core> const& what, call_options const& o);

}  // namespace tablemap::detail
