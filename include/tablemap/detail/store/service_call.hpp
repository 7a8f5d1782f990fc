// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/task_run.hpp"
#include "tablemap/store/store.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace tablemap::inline v0_1::detail {

/// A call about a table as such, a queue, a container or a service. Its errors name action and table.
template <class V> class service_call {
public:
    using value_type = V;

    /// `action`: static text. `table`: of the queue or the container, too; empty for a call about the service.
    service_call(store_ptr s, std::string_view action, std::string table, task<result<V>> first)
        : store_(std::move(s)), action_(action), table_(std::move(table)), first_(std::move(first)) {}

    task<result<V>> const& first() const noexcept { return first_; }

    result<V> take() {
        auto r = first_.take();
        if (!r) r = failure{r.error().in(action_, table_)};
        return r;
    }

    store_ptr const& store() const noexcept { return store_; }
    operation_label label() const noexcept { return {action_, table_}; }

private:
    store_ptr store_;
    std::string_view action_;
    std::string table_;
    task<result<V>> first_;
};

}  // namespace tablemap::detail
