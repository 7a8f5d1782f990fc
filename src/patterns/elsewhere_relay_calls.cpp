// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/patterns/index_relay_core.hpp"
#include "tablemap/detail/table/service_calls.hpp"

#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

task<result<index_relay_report>> refuse(error e) { co_return failure{std::move(e)}; }

std::set<std::string> tables_of(index_set const& indexes) {
    std::set<std::string> all;
    for (auto const& index : indexes.elsewhere)
        if (!index.table.empty()) all.insert(std::string{index.table});
    return all;
}

}  // namespace

task<result<void>> create_tables_elsewhere(index_relay_ptr relay) {
    service_calls const service{relay->table->store};
    auto const names = tables_of(relay->indexes);
    for (auto const& name : names) {
        auto const creating = service.create_table_if_not_exists(name, if_being_deleted::fail);
        auto const& first = creating.first();
        auto const created = co_await first;
        if (!created) co_return failure{created.error().in(creating.label().action, name)};
    }
    co_return result<void>{};
}

std::set<std::string> index_relay_calls::tables() const { return tables_of(relay_->indexes); }

index_relay_call<void> index_relay_calls::create_if_not_exists() const {
    return {relay_, "create_if_not_exists", create_tables_elsewhere(relay_)};
}

index_relay_call<index_relay_report> index_relay_calls::run_once(result<std::vector<std::string>> partitions) const {
    constexpr auto action = "run_once";
    if (!partitions) return {relay_, action, refuse(partitions.error())};
    return {relay_, action, relay_indexes(relay_, *std::move(partitions))};
}

index_relay_call<index_relay_report> index_relay_calls::sweep() const {
    return {relay_, "sweep", sweep_indexes(relay_)};
}

index_relay_call<index_relay_report> index_relay_calls::run() const {
    return {relay_, "run", relay_indexes_until_stopped(relay_)};
}

index_relay_call<void> index_relay_calls::announce(result<std::vector<std::string>> partitions) const {
    return {relay_, "announce", announce_partitions(relay_, std::move(partitions))};
}

index_relay_call<put_back_report> index_relay_calls::put_back() const {
    return {relay_, "put_back", put_back_partitions(relay_)};
}

index_relay_call<index_report> index_relay_calls::verify(index_audit_options options) const {
    return {relay_, "verify", audit_rows_elsewhere(relay_, false, std::move(options))};
}

index_relay_call<index_report> index_relay_calls::rebuild(index_audit_options options) const {
    return {relay_, "rebuild", audit_rows_elsewhere(relay_, true, std::move(options))};
}

}  // namespace tablemap::detail
