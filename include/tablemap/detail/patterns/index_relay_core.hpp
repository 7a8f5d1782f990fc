// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/index_set.hpp"
#include "tablemap/detail/store/task_run.hpp"
#include "tablemap/detail/write/single_request.hpp"
#include "tablemap/index_audit/index_audit.hpp"
#include "tablemap/patterns/index_relay_options.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The part of an `index_relay` that does not depend on types.
namespace tablemap::inline v0_1::detail {

/// Immutable once the relay is made.
struct index_relay_core {
    std::shared_ptr<table_state const> table;
    index_set const& indexes;
    std::span<row_type const* const> entities;
    index_relay_options options;
};

using index_relay_ptr = std::shared_ptr<index_relay_core const>;

/// Errors: `library_errc::value_out_of_range` for an option that cannot be used.
result<void> check_options(index_relay_options const& o);

/// Carries out the intents of these partitions; of all of the table if none is named.
task<result<index_relay_report>> relay_indexes(index_relay_ptr relay, std::vector<std::string> partitions);

/// Sweeps until the call's deadline or stop.
task<result<index_relay_report>> relay_indexes_until_stopped(index_relay_ptr relay);

/// Compares all rows of indexes elsewhere with what the entities imply, and repairs what is wrong if that is wanted. A
/// row that an intent may name is left to the relays.
task<result<index_report>> audit_rows_elsewhere(index_relay_ptr relay, bool repairs);

/// A call of an index relay. Each request has an id of its own: a call may last for days.
template <class V> class index_relay_call : public plain_call<V> {
public:
    static constexpr auto ids = id_scope::request;

    index_relay_call(index_relay_ptr relay, std::string_view action, task<result<V>> first)
        : plain_call<V>(std::move(first)), relay_(std::move(relay)), action_(action) {}

    operation_label label() const noexcept { return {action_, relay_->table->name}; }

    result<V> take() {
        auto r = plain_call<V>::take();
        if (!r) r = failure{r.error().in(action_, relay_->table->name)};
        return r;
    }

private:
    index_relay_ptr relay_;
    std::string_view action_;
};

}  // namespace tablemap::detail
