// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/incoming.hpp"
#include "serve/target.hpp"
#include "tablemap/store/stored_row.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Responses in JSON, with as much metadata as the client asks for.
namespace tablemap::inline v0_1::detail::serve {

enum class metadata : std::uint8_t { none, minimal, full };

/// Reads `$format`, or the header Accept without it. Refuses requests for another format than JSON.
metadata read_metadata(http_request const& r, parameters const& q);

/// The Content-Type of a response with this metadata.
std::string content_type_of(metadata m);

/// The text around entities, and the metadata in them.
struct json_frame {
    metadata level{};
    std::string_view base;     ///< the account's URL
    std::string_view account;  ///< its name
    std::string_view table;
    std::span<std::string_view const> select{};  ///< the selected properties; empty: all
};

/// The response to the read of one entity, of which a store gave `body`.
std::string entity_json(std::string&& body, json_frame const& f);

/// The same for an entity at hand.
std::string entity_json(stored_row const& row, json_frame const& f);

/// The response to a query, for a page that a store gave.
std::string page_json(std::string&& body, json_frame const& f);

/// The response to a list of tables, and that to the read or creation of one.
std::string tables_json(std::vector<std::string> const& names, json_frame const& f);
std::string table_json(std::string_view name, json_frame const& f);

/// `{"odata.error":…}`
std::string error_json(std::string_view code, std::string_view message);

}  // namespace tablemap::detail::serve
