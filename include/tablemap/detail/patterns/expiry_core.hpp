// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/entity_key.hpp"
#include "tablemap/detail/mapping/index_set.hpp"
#include "tablemap/detail/patterns/expiry_rules.hpp"
#include "tablemap/detail/patterns/index_relay_core.hpp"
#include "tablemap/detail/store/task.hpp"
#include "tablemap/detail/write/single_request.hpp"
#include "tablemap/patterns/expiry_options.hpp"

#include <memory>
#include <string>
#include <string_view>

/// The part of an `expiry_sweeper` that does not depend on types.
namespace tablemap::inline v0_1::detail {

/// Immutable once the sweeper is made.
struct expiry_core {
    std::shared_ptr<table_state const> entities;
    index_relay_ptr relay;
    std::string_view rows;  ///< the name of the table of the index
    index_set const& indexes;
    result<entity_key> (*owner_of)(std::string& row);
    result<expiring_version> (*read)(std::string& entity, property_cipher const* cipher);
    expiry_options options;
};

using expiry_core_ptr = std::shared_ptr<expiry_core const>;

/// Errors: `library_errc::value_out_of_range` for an option that cannot be used.
result<void> check_options(expiry_options const& o);

/// Erases the entities whose time is past, from the beginning of the index or from a cursor, and carries out the
/// intents of their partitions. A fault ends up in the report.
task<result<expiry_report>> sweep_expired(expiry_core_ptr sweeper, std::string from);

template <class T> expiry_core_ptr make_expiry_core(std::shared_ptr<table_state const> entities, expiry_options o) {
    value_or_throw(check_options(o));
    constexpr auto number = find_expiry_index<T>();
    auto relay = make_index_relay<T>(entities, {});
    return std::make_shared<expiry_core const>(expiry_core{std::move(entities), std::move(relay),
                                                           elsewhere_rule_of<T, number>::table, index_set_of<T>,
                                                           &read_owner_elsewhere<T>, &read_expiry<T>, std::move(o)});
}

}  // namespace tablemap::detail
