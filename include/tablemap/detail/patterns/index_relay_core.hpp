// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/base/static_list.hpp"
#include "tablemap/detail/mapping/index_set.hpp"
#include "tablemap/detail/store/task_run.hpp"
#include "tablemap/detail/write/single_request.hpp"
#include "tablemap/index_audit/index_audit.hpp"
#include "tablemap/patterns/index_relay_options.hpp"
#include "tablemap/patterns/relay_options.hpp"
#include "tablemap/query/key_ranges.hpp"

#include <memory>
#include <set>
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
    static_list<row_type const*> entities;
    index_relay_options options;
};

using index_relay_ptr = std::shared_ptr<index_relay_core const>;

/// Errors: `library_errc::value_out_of_range` for an option that cannot be used.
result<void> check_options(index_relay_options const& o);

/// Carries out the intents of these partitions.
task<result<index_relay_report>> relay_indexes(index_relay_ptr relay, std::vector<std::string> partitions);

/// Carries out the intents of all partitions.
task<result<index_relay_report>> sweep_indexes(index_relay_ptr relay);

/// Takes messages and sweeps, until the call's deadline or stop.
task<result<index_relay_report>> relay_indexes_until_stopped(index_relay_ptr relay);

/// Puts a message for each of these partitions into the queue. An error in their place is the result.
task<result<void>> announce_partitions(index_relay_ptr relay, result<std::vector<std::string>> partitions);

/// Puts a message into the queue for each partition that the poison queue names, and deletes the messages there.
task<result<put_back_report>> put_back_partitions(index_relay_ptr relay);

/// Compares all rows of indexes elsewhere with what the entities imply, and repairs what is wrong if that is wanted. A
/// row that an intent may name is left to the relays. Holds one page in memory, and the findings that are kept.
task<result<index_report>> audit_rows_elsewhere(index_relay_ptr relay, bool repairs, index_audit_options options);

/// A call of an index relay. Each request has an id of its own: a call may last for days.
template <class V> class index_relay_call : public plain_call<V> {
public:
    static constexpr auto ids = id_scope::request;

    index_relay_call(index_relay_ptr relay, std::string_view action, task<result<V>> first)
        : plain_call<V>(std::move(first)), relay_(std::move(relay)), action_(action) {}

    store_ptr const& store() const noexcept { return relay_->table->store; }
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

/// Creates the tables of the indexes unless they exist.
task<result<void>> create_tables_elsewhere(index_relay_ptr relay);

/// The calls of an index relay, for both of its forms.
class index_relay_calls {
public:
    explicit index_relay_calls(index_relay_ptr relay) noexcept : relay_(std::move(relay)) {}

    std::set<std::string> tables() const;

    index_relay_call<void> create_if_not_exists() const;
    index_relay_call<index_relay_report> run_once(result<std::vector<std::string>> partitions) const;
    index_relay_call<index_relay_report> sweep() const;
    index_relay_call<index_relay_report> run() const;
    index_relay_call<void> announce(result<std::vector<std::string>> partitions) const;
    index_relay_call<put_back_report> put_back() const;
    index_relay_call<index_report> verify(index_audit_options options) const;
    index_relay_call<index_report> rebuild(index_audit_options options) const;

private:
    index_relay_ptr relay_;
};

template <class T> index_relay_ptr make_index_relay(std::shared_ptr<table_state const> table, index_relay_options o) {
    static_assert(has_elsewhere<T>,
                  "tablemap[P3]: this type has no index in another partition or table, so there is nothing to "
                  "relay; declare an index_in<...>(...) in its mapping");
    value_or_throw(check_options(o));
    if constexpr (has_elsewhere<T>)
        return std::make_shared<index_relay_core const>(
            index_relay_core{std::move(table), index_set_of<T>, row_types_of<T>(), std::move(o)});
    else
        return {};
}

template <class T, class... Values>
result<std::vector<std::string>> relayed_partitions(partition_values<Values...> const& p) {
    query_keys keys;
    if (auto r = encode_partition<T>(keys, p); !r) return failure{std::move(r).error()};
    return std::move(keys.partitions);
}

}  // namespace tablemap::detail
