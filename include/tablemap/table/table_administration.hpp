// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/detail/write/single_request.hpp"
#include "tablemap/edm/access_policy.hpp"
#include "tablemap/store/options.hpp"
#include "tablemap/table/administration.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1 {

/// The operations of a `table<T>` on the table itself, whatever its rows are.
///
/// After a lost response it is not known which call created or deleted a table: the next try finds the table there, or
/// gone, in either case. `create` and `delete_table` then fail with an error whose `outcome()` is `in_doubt`;
/// `exists()` tells whether the table is there. `create_if_not_exists` and `delete_if_exists` succeed, since their goal
/// is reached; only their result, whether this call did it, is not known.
class table_administration {
public:
    std::string const& name() const& noexcept { return shared_->name; }
    std::string name() const&& { return shared_->name; }

    /// Creates the table.
    ///
    /// \throws error `service_errc::table_already_exists`, `table_being_deleted`
    void create(call_options const& o = {}) const;
    result<void> try_create(call_options const& o = {}) const;

    /// Creates the table, which may have been deleted just now: `create(if_being_deleted::wait)`.
    ///
    /// \throws error as above; `library_errc::deadline_exceeded`
    /// \par Round trips
    /// One for each try.
    void create(if_being_deleted then, call_options const& o = {}) const;
    result<void> try_create(if_being_deleted then, call_options const& o = {}) const;

    /// Creates the table unless it exists.
    ///
    /// \return true if this call created it; see `own_doing` for a lost response
    own_doing create_if_not_exists(call_options const& o = {}) const;
    own_doing create_if_not_exists(if_being_deleted then, call_options const& o = {}) const;
    result<own_doing> try_create_if_not_exists(call_options const& o = {}) const;
    result<own_doing> try_create_if_not_exists(if_being_deleted then, call_options const& o = {}) const;

    /// Deletes the table with all its entities.
    ///
    /// \throws error `service_errc::resource_not_found`
    void delete_table(call_options const& o = {}) const;
    result<void> try_delete_table(call_options const& o = {}) const;

    /// Deletes the table if it exists.
    ///
    /// \return true if this call deleted it; see `own_doing` for a lost response
    own_doing delete_if_exists(call_options const& o = {}) const;
    result<own_doing> try_delete_if_exists(call_options const& o = {}) const;

    /// True if there is such a table and it is not being deleted.
    bool exists(call_options const& o = {}) const;
    result<bool> try_exists(call_options const& o = {}) const;

    /// Reads the stored access policies of the table, which shared access signatures refer to. Embedded stores keep
    /// them and enforce nothing.
    ///
    /// \throws error `service_errc::table_not_found`; `library_errc::unsupported` at Cosmos
    std::vector<access_policy> policies(call_options const& o = {}) const;
    result<std::vector<access_policy>> try_policies(call_options const& o = {}) const;

    /// Replaces all access policies of the table, unconditionally, since they have no etag; an empty list removes them.
    /// They take effect at the service within 30 seconds.
    ///
    /// \throws error as `policies`; `service_errc::out_of_range_input`, `invalid_input` for more than 5 policies and
    /// for ids that are empty, longer than 64 characters or equal
    void set_policies(std::vector<access_policy> policies, call_options const& o = {}) const;
    result<void> try_set_policies(std::vector<access_policy> policies, call_options const& o = {}) const;

protected:
    /// As the constructor of `table<T>`, for rows of these types.
    table_administration(store_ptr&& s, std::string&& name, table_options const& o,
                         detail::static_list<detail::row_type const*> types);
    explicit table_administration(std::shared_ptr<detail::table_state const> shared) : shared_(std::move(shared)) {}

    std::shared_ptr<detail::table_state const> const& shared_state() const noexcept { return shared_; }

private:
    std::shared_ptr<detail::table_state const> shared_;
};

}  // namespace tablemap
