// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/table/service_calls.hpp"
#include "tablemap/store/store.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1 {

/// The table service of an account, or an embedded store as one: its tables by name, and its settings.
///
///     tablemap::table_service service{store};
///     for (auto const& name : service.tables("Log")) use(name);
///
/// Every operation blocks until it is done and comes in two forms: the plain one throws `tablemap::error`, the one
/// named `try_…` returns a `result`. Lost responses have the effects that `table_administration` describes.
/// `async_table_service` has the same operations for callers that do not block.
///
/// \throws error from every operation: the errors of the store; `library_errc::deadline_exceeded`, `cancelled`;
/// `invalid_table_name` from those that name a table
/// \par Round trips
/// One, unless an operation says otherwise.
/// \par Thread safety
/// All members may be called from any number of threads.
/// \par Lifetime
/// Copies are cheap and share the store, which they keep alive.
class table_service {
public:
    /// \pre `s` is not null
    explicit table_service(store_ptr s) : calls_(std::move(s)) {}

    // ---- tables -----------------------------------------------------------------------------------------------------

    /// Lists all tables, or those whose names begin with a text, in any case of letters; the emulator compares exactly.
    ///
    /// \return the names in order
    /// \throws error `service_errc::invalid_resource_name` for a text that no name begins with
    /// \par Round trips
    /// One for each 1,000 tables.
    std::vector<std::string> tables(call_options const& o = {}) const { return value_or_throw(try_tables(o)); }
    std::vector<std::string> tables(std::string_view prefix, call_options const& o = {}) const {
        return value_or_throw(try_tables(prefix, o));
    }
    result<std::vector<std::string>> try_tables(call_options const& o = {}) const {
        return try_tables(std::string_view{}, o);
    }
    result<std::vector<std::string>> try_tables(std::string_view prefix, call_options const& o = {}) const {
        return drive(calls_.tables(std::string{prefix}), o);
    }

    /// True if there is a table of this name and it is not being deleted.
    bool has_table(std::string name, call_options const& o = {}) const {
        return value_or_throw(try_has_table(std::move(name), o));
    }
    result<bool> try_has_table(std::string name, call_options const& o = {}) const {
        return drive(calls_.has_table(std::move(name)), o);
    }

    /// Creates a table.
    ///
    /// \throws error `service_errc::table_already_exists`, `table_being_deleted`
    void create_table(std::string name, call_options const& o = {}) const {
        value_or_throw(try_create_table(std::move(name), o));
    }
    void create_table(std::string name, if_being_deleted then, call_options const& o = {}) const {
        value_or_throw(try_create_table(std::move(name), then, o));
    }
    result<void> try_create_table(std::string name, call_options const& o = {}) const {
        return try_create_table(std::move(name), if_being_deleted::fail, o);
    }
    result<void> try_create_table(std::string name, if_being_deleted then, call_options const& o = {}) const {
        return drive(calls_.create_table(std::move(name), then), o);
    }

    /// Creates a table unless it exists.
    ///
    /// \return true if this call created it
    own_doing create_table_if_not_exists(std::string name, call_options const& o = {}) const {
        return value_or_throw(try_create_table_if_not_exists(std::move(name), o));
    }
    own_doing create_table_if_not_exists(std::string name, if_being_deleted then, call_options const& o = {}) const {
        return value_or_throw(try_create_table_if_not_exists(std::move(name), then, o));
    }
    result<own_doing> try_create_table_if_not_exists(std::string name, call_options const& o = {}) const {
        return try_create_table_if_not_exists(std::move(name), if_being_deleted::fail, o);
    }
    result<own_doing> try_create_table_if_not_exists(std::string name, if_being_deleted then,
                                                     call_options const& o = {}) const {
        return drive(calls_.create_table_if_not_exists(std::move(name), then), o);
    }

    /// Deletes a table with all its entities.
    ///
    /// \throws error `service_errc::resource_not_found`
    void delete_table(std::string name, call_options const& o = {}) const {
        value_or_throw(try_delete_table(std::move(name), o));
    }
    result<void> try_delete_table(std::string name, call_options const& o = {}) const {
        return drive(calls_.delete_table(std::move(name)), o);
    }

    /// Deletes a table if it exists.
    ///
    /// \return true if this call deleted it
    own_doing delete_table_if_exists(std::string name, call_options const& o = {}) const {
        return value_or_throw(try_delete_table_if_exists(std::move(name), o));
    }
    result<own_doing> try_delete_table_if_exists(std::string name, call_options const& o = {}) const {
        return drive(calls_.delete_table_if_exists(std::move(name)), o);
    }

    // ---- the service ------------------------------------------------------------------------------------------------

    /// Reads the logging, metrics and CORS rules of the account. Embedded stores keep them and apply none.
    ///
    /// \throws error `library_errc::unsupported` at Cosmos
    service_properties properties(call_options const& o = {}) const { return value_or_throw(try_properties(o)); }
    result<service_properties> try_properties(call_options const& o = {}) const {
        return drive(calls_.properties(), o);
    }

    /// Changes the settings that are given: `set_properties({.cors = rules})`. The change is unconditional, since
    /// settings have no etag.
    ///
    /// \throws error as `properties`; `service_errc::out_of_range_input`, `invalid_input` with the setting at fault
    void set_properties(service_properties p, call_options const& o = {}) const {
        value_or_throw(try_set_properties(std::move(p), o));
    }
    result<void> try_set_properties(service_properties p, call_options const& o = {}) const {
        return drive(calls_.set_properties(std::move(p)), o);
    }

    /// Reads the state of the account's readable copy in another region, from that copy.
    ///
    /// \throws error `library_errc::unsupported` for a store without one
    service_statistics statistics(call_options const& o = {}) const { return value_or_throw(try_statistics(o)); }
    result<service_statistics> try_statistics(call_options const& o = {}) const {
        return drive(calls_.statistics(), o);
    }

private:
    detail::service_calls calls_;
};

}  // namespace tablemap
