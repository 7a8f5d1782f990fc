// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/guid.hpp"
#include "tablemap/edm/access_policy.hpp"
#include "tablemap/edm/key_bounds.hpp"
#include "tablemap/filter/expression.hpp"
#include "tablemap/store/blob_request.hpp"
#include "tablemap/store/queue_request.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

/// The requests to a store. Requests are values that borrow: every view must outlive the response.
namespace tablemap::inline v0_1 {

struct service_properties;

struct create_table {
    std::string_view table;
};

struct delete_table {
    std::string_view table;
};

/// Names of tables, in order of their lower-case form.
struct list_tables {
    std::string_view from{};           ///< empty, or `service_response::next_table` of the page before
    std::optional<std::size_t> top{};  ///< at most this many, 1 to 1,000
    std::string_view prefix{};         ///< only names that begin with these letters and digits, in any case
};

/// One entity by its keys.
struct get_entity {
    std::string_view table;
    std::string_view partition_key;
    std::string_view row_key;
    std::span<std::string_view const> select{};  ///< empty: all properties. The keys, etag and timestamp always come
    bool current = false;                        ///< never from a copy that may be out of date
    bool packed = false;                         ///< see `response::body`; a store may ignore it
};

enum class write_kind : std::uint8_t {
    insert,          ///< fails if the entity exists
    replace,         ///< needs `if_match`; removes the properties that are not sent
    merge,           ///< needs `if_match`; keeps the properties that are not sent
    upsert_replace,  ///< unconditional
    upsert_merge,    ///< unconditional
    erase,           ///< needs `if_match`
};

/// True for the kinds that act on an existing entity, and so need `if_match`.
constexpr bool is_conditional(write_kind k) noexcept {
    return k == write_kind::replace || k == write_kind::merge || k == write_kind::erase;
}

inline constexpr std::string_view any_etag = "*";  ///< an `if_match` for any version of an existing entity

/// One change of one entity.
struct write_operation {
    write_kind kind{};
    std::string_view partition_key;
    std::string_view row_key;
    std::string_view body{};             ///< the encoded entity, both keys in it; empty for erase
    std::string_view if_match{};         ///< an etag or `any_etag` for the conditional kinds, else empty
    std::optional<guid> operation_id{};  ///< the operation id in `body`, if there is one
    /// The place in `body` at which the properties begin, if the encoder of a mapping wrote the body and checked it by
    /// the service's rules, so that a store need not read it; else 0.
    std::size_t properties_at = 0;
};

struct write_entity {
    std::string_view table;
    write_operation operation;
};

/// A group transaction: all operations or none. At most 100, in one partition, each entity at most once.
struct transact {
    std::string_view table;
    std::span<write_operation const> operations;
};

/// The start of the next page. Opaque to all but the store that made it.
struct continuation {
    std::string partition_key{};
    std::optional<std::string> row_key{};

    friend bool operator==(continuation const&, continuation const&) = default;
};

/// One page of a query. A page may hold fewer entities than exist, or none, and still have a continuation.
struct query_page {
    std::string_view table{};
    key_bounds partition{};
    key_bounds row{};                            ///< applies in every partition
    filter::expression const* where = nullptr;   ///< over properties; null: all
    std::span<std::string_view const> select{};  ///< as in `get_entity`
    std::optional<std::size_t> top{};            ///< page size, 1 to 1,000
    continuation const* from = nullptr;          ///< null: from the start
    bool current = false;                        ///< as in `get_entity`
    bool packed = false;                         ///< as in `get_entity`
};

/// The stored access policies of a table.
struct get_access_policies {
    std::string_view table;
};

/// Replaces all access policies of a table.
struct set_access_policies {
    std::string_view table;
    std::span<access_policy const> policies;
};

struct get_service_properties {};

/// Changes the settings that are present.
struct set_service_properties {
    service_properties const* properties;
};

struct get_service_statistics {};

using request = std::variant<create_table, delete_table, list_tables, get_entity, query_page, write_entity, transact,
                             get_access_policies, set_access_policies, get_service_properties, set_service_properties,
                             get_service_statistics, queue_request, blob_request>;

/// The table, queue or container of a request; empty for requests about the service.
std::string_view table_of(request const& r) noexcept;

/// The action of a request, for messages: "insert", "query" and so on.
std::string_view action_of(request const& r) noexcept;
std::string_view action_of(write_kind k) noexcept;

/// True if carrying out the request changes the store.
bool is_write(request const& r) noexcept;

/// True for writes of rows: `write_entity` and `transact`.
bool writes_rows(request const& r) noexcept;

}  // namespace tablemap
