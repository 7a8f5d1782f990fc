// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/read/query_state.hpp"
#include "tablemap/detail/store/task_run.hpp"

#include <memory>
#include <string_view>
#include <utility>

namespace tablemap::inline v0_1::detail {

/// A call that reads rows of a query. Its tasks borrow the query.
template <class V> class query_call {
public:
    using value_type = V;

    /// `action`: static text.
    query_call(std::shared_ptr<query_description const> query, std::string_view action, task<result<V>> first)
        : query_(std::move(query)), action_(action), first_(std::move(first)) {}

    task<result<V>> const& first() const noexcept { return first_; }
    result<V> take() { return first_.take(); }
    operation_label label() const noexcept { return {action_, query_->table()}; }

private:
    std::shared_ptr<query_description const> query_;
    std::string_view action_;
    task<result<V>> first_;
};

}  // namespace tablemap::detail
