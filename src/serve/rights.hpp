// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/entity_key.hpp"
#include "tablemap/edm/access_policy.hpp"
#include "tablemap/edm/access_range.hpp"
#include "tablemap/filter/expression.hpp"
#include "tablemap/rest/access_signature.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace tablemap::inline v0_1::detail::serve {

/// The kinds of requests that signatures distinguish.
enum class action : std::uint8_t {
    list_tables,
    create_table,
    delete_table,
    query,
    insert,
    update,  ///< of an entity that exists: replace or merge
    upsert,
    erase,
    get_settings,  ///< of the service; its statistics, too
    set_settings,
    policies,  ///< gets or sets the access policies of a table
};

/// The account's key allows everything.
struct owner_rights {};

/// A signature for a table allows this much of it.
struct table_rights {
    std::string table{};  ///< in lower case
    table_permissions permissions{};
    access_range range{};
    std::string secret{};  ///< hides continuations behind the range; empty without one
};

/// A signature for an account allows this much.
struct account_rights {
    access_set<account_permission> permissions{};
    access_set<account_resource> resources{};
};

/// The actions that a request may do.
class rights {
public:
    using any = std::variant<owner_rights, table_rights, account_rights>;
    explicit rights(any of) : of_(std::move(of)) {}

    /// Refuses an action that is not allowed. `table` is empty for those about the account.
    void require(action a, std::string_view table) const;

    /// The same for one entity.
    void require_row(action a, std::string_view table, std::string_view partition_key, std::string_view row_key) const;

    /// True if only the entities of a range of keys are allowed.
    bool has_range() const noexcept;

    /// The secret that hides where a query goes on; empty if all keys may be known.
    std::string_view secret_of_places() const noexcept;

    /// A filter for the entities that may be read; nothing if all may.
    std::optional<filter::expression> filter_of_range() const;

private:
    any of_;
};

}  // namespace tablemap::detail::serve
