// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/service_call.hpp"
#include "tablemap/edm/access_policy.hpp"
#include "tablemap/edm/service_properties.hpp"
#include "tablemap/store/store.hpp"
#include "tablemap/table/administration.hpp"

#include <string>
#include <utility>
#include <vector>

/// The calls that are about tables as such, their access, and the service. Their tasks own what their requests borrow.
namespace tablemap::inline v0_1::detail {

class service_calls {
public:
    explicit service_calls(store_ptr s) : store_(std::move(s)) {}

    service_call<void> create_table(std::string name, if_being_deleted then) const;
    service_call<own_doing> create_table_if_not_exists(std::string name, if_being_deleted then) const;
    service_call<void> delete_table(std::string name) const;
    service_call<own_doing> delete_table_if_exists(std::string name) const;
    service_call<bool> has_table(std::string name) const;

    /// The names of all tables that begin with a text, in the store's order.
    service_call<std::vector<std::string>> tables(std::string prefix) const;

    service_call<std::vector<access_policy>> policies(std::string table) const;
    service_call<void> set_policies(std::string table, std::vector<access_policy> policies) const;

    service_call<service_properties> properties() const;
    service_call<void> set_properties(service_properties p) const;
    service_call<service_statistics> statistics() const;

private:
    store_ptr store_;
};

/// The blocking driver for them: compiled once.
template <class V> result<V> drive(service_call<V> c, call_options const& o);

}  // namespace tablemap::detail
