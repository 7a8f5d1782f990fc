// SPDX-License-Identifier: Apache-2.0
#include "tablemap/table/table_administration.hpp"

#include "tablemap/detail/table/service_calls.hpp"

namespace tablemap::inline v0_1 {
namespace {

detail::service_calls calls_about(detail::table_state const& table) { return detail::service_calls{table.store}; }

}  // namespace

table_administration::table_administration(store_ptr&& s, std::string&& name, table_options const& o,
                                           detail::static_list<detail::row_type const*> types)
    : shared_(detail::make_table_state(std::move(s), std::move(name), o, types)) {}

void table_administration::create(call_options const& o) const { value_or_throw(try_create(o)); }

result<void> table_administration::try_create(call_options const& o) const {
    return try_create(if_being_deleted::fail, o);
}

void table_administration::create(if_being_deleted then, call_options const& o) const {
    value_or_throw(try_create(then, o));
}

result<void> table_administration::try_create(if_being_deleted then, call_options const& o) const {
    return drive(calls_about(*shared_).create_table(name(), then), o);
}

own_doing table_administration::create_if_not_exists(call_options const& o) const {
    return value_or_throw(try_create_if_not_exists(o));
}

own_doing table_administration::create_if_not_exists(if_being_deleted then, call_options const& o) const {
    return value_or_throw(try_create_if_not_exists(then, o));
}

result<own_doing> table_administration::try_create_if_not_exists(call_options const& o) const {
    return try_create_if_not_exists(if_being_deleted::fail, o);
}

result<own_doing> table_administration::try_create_if_not_exists(if_being_deleted then, call_options const& o) const {
    return drive(calls_about(*shared_).create_table_if_not_exists(name(), then), o);
}

void table_administration::delete_table(call_options const& o) const { value_or_throw(try_delete_table(o)); }

result<void> table_administration::try_delete_table(call_options const& o) const {
    return drive(calls_about(*shared_).delete_table(name()), o);
}

own_doing table_administration::delete_if_exists(call_options const& o) const {
    return value_or_throw(try_delete_if_exists(o));
}

result<own_doing> table_administration::try_delete_if_exists(call_options const& o) const {
    return drive(calls_about(*shared_).delete_table_if_exists(name()), o);
}

bool table_administration::exists(call_options const& o) const { return value_or_throw(try_exists(o)); }

result<bool> table_administration::try_exists(call_options const& o) const {
    return drive(calls_about(*shared_).has_table(name()), o);
}

std::vector<access_policy> table_administration::policies(call_options const& o) const {
    return value_or_throw(try_policies(o));
}

result<std::vector<access_policy>> table_administration::try_policies(call_options const& o) const {
    return drive(calls_about(*shared_).policies(name()), o);
}

void table_administration::set_policies(std::vector<access_policy> policies, call_options const& o) const {
    value_or_throw(try_set_policies(std::move(policies), o));
}

result<void> table_administration::try_set_policies(std::vector<access_policy> policies, call_options const& o) const {
    return drive(calls_about(*shared_).set_policies(name(), std::move(policies)), o);
}

}  // namespace tablemap
