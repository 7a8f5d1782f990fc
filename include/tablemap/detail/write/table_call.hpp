// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/task_run.hpp"
#include "tablemap/detail/write/single_request.hpp"

#include <memory>
#include <string_view>
#include <utility>

namespace tablemap::inline v0_1::detail {

/// A call of a table that takes more than one request. Its tasks borrow from the table's state; its errors name action
/// and table.
template <class V> class table_call {
public:
    using value_type = V;

    table_call(std::shared_ptr<table_state const> table, std::string_view action, task<result<V>> first)
        : table_(std::move(table)), action_(action), first_(std::move(first)) {}

    task<result<V>> const& first() const noexcept { return first_; }

    result<V> take() {
        auto r = first_.take();
        if (!r) r = failure{r.error().in(action_, table_->name)};
        return r;
    }

    store_ptr const& store() const noexcept { return table_->store; }
    operation_label label() const noexcept { return {action_, table_->name}; }

private:
    std::shared_ptr<table_state const> table_;
    std::string_view action_;
    task<result<V>> first_;
};

}  // namespace tablemap::detail
