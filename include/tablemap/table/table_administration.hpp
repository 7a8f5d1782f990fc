// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/write/operations.hpp"
#include "tablemap/table/administration.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tablemap {

/// What a `table<T>` offers for the table itself, whatever its rows are.
///
/// After a lost response nobody can tell who created or deleted a table: the next try finds it there, or gone, either way. Of `create` and
/// `delete_table` that is an error whose `outcome()` is `in_doubt`; `exists()` tells how things stand. `create_if_not_exists` and
/// `delete_if_exists` have reached their goal then and succeed; only who asks whether this call did it learns that it is not known.
class table_administration {
public:
    std::string const& name() const& noexcept { return shared_->name; }
    std::string name() const&& { return shared_->name; }

    /// Creates the table. Errors: `service_errc::table_already_exists`, `table_being_deleted`.
    void create(call_options const& o = {}) const { value_or_throw(try_create(o)); }
    result<void> try_create(call_options const& o = {}) const { return try_create(if_being_deleted::fail, o); }

    /// The same where the table may have been deleted just now: `create(if_being_deleted::wait)`. Round trips: one for each try.
    /// Errors: as above; `library_errc::deadline_exceeded`.
    void create(if_being_deleted then, call_options const& o = {}) const { value_or_throw(try_create(then, o)); }
    result<void> try_create(if_being_deleted then, call_options const& o = {}) const {
        return drive(detail::create_operation{store(), name(), then}, o);
    }

    /// Creates the table unless it exists. True if it was created; see `own_doing` for what a lost response leaves open.
    own_doing create_if_not_exists(call_options const& o = {}) const {
        return value_or_throw(try_create_if_not_exists(o));
    }
    own_doing create_if_not_exists(if_being_deleted then, call_options const& o = {}) const {
        return value_or_throw(try_create_if_not_exists(then, o));
    }
    result<own_doing> try_create_if_not_exists(call_options const& o = {}) const {
        return try_create_if_not_exists(if_being_deleted::fail, o);
    }
    result<own_doing> try_create_if_not_exists(if_being_deleted then, call_options const& o = {}) const {
        return drive(detail::create_if_not_exists_operation{store(), name(), then}, o);
    }

    /// Deletes the table with all its entities. Errors: `service_errc::resource_not_found`.
    void delete_table(call_options const& o = {}) const { value_or_throw(try_delete_table(o)); }
    result<void> try_delete_table(call_options const& o = {}) const { return ask<void>(what::delete_table, o); }

    /// Deletes the table if it exists. True if it did; see `own_doing` for what a lost response leaves open.
    own_doing delete_if_exists(call_options const& o = {}) const { return value_or_throw(try_delete_if_exists(o)); }
    result<own_doing> try_delete_if_exists(call_options const& o = {}) const {
        return ask<own_doing>(what::delete_if_exists, o);
    }

    /// Whether there is such a table; not while it is being deleted.
    bool exists(call_options const& o = {}) const { return value_or_throw(try_exists(o)); }
    result<bool> try_exists(call_options const& o = {}) const { return ask<bool>(what::exists, o); }

    /// The stored access policies of the table, which shared access signatures refer to. Embedded stores keep them and enforce
    /// nothing. Errors: `service_errc::table_not_found`; `library_errc::unsupported` at Cosmos.
    std::vector<access_policy> policies(call_options const& o = {}) const { return value_or_throw(try_policies(o)); }
    result<std::vector<access_policy>> try_policies(call_options const& o = {}) const {
        return ask<std::vector<access_policy>>(what::read_policies, o);
    }

    /// Replaces all access policies of the table; an empty list removes them. The service takes up to 30 seconds to heed them.
    /// Unconditional: policies have no etag. Errors: as `policies`; `service_errc::out_of_range_input`, `invalid_input` for more
    /// than 5 and for ids that are empty, longer than 64 characters or alike.
    void set_policies(std::vector<access_policy> policies, call_options const& o = {}) const {
        value_or_throw(try_set_policies(std::move(policies), o));
    }
    result<void> try_set_policies(std::vector<access_policy> policies, call_options const& o = {}) const {
        return drive(detail::service_operation<void>{store(), what::set_policies, name(), std::move(policies)}, o);
    }

protected:
    explicit table_administration(std::shared_ptr<detail::table_state const> shared) : shared_(std::move(shared)) {}

private:
    using what = detail::service_request::kind;

    store_ptr const& store() const noexcept { return shared_->store; }
    template <class V> result<V> ask(what w, call_options const& o) const {
        return drive(detail::service_operation<V>{store(), w, name()}, o);
    }

    std::shared_ptr<detail::table_state const> shared_;
};

}  // namespace tablemap
