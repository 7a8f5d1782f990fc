// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/base/ticks.hpp"
#include "tablemap/detail/wire/token.hpp"
#include "tablemap/edm/dynamic_entity.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Reading rows in one pass, property by property, into a sink: the service's JSON, or packed rows.
namespace tablemap::inline v0_1::detail {

/// No entity has more properties, or more declared types, than this: services store 252.
inline constexpr std::size_t most_properties_read = 1000;

/// The keys of a row, and its stamp.
struct row_heading {
    std::string_view partition_key;
    std::string_view row_key;
    ticks stamp;  ///< the timestamp, of which the etag is made
};

/// The target of a reader. A member that returns false ends the reading, with `failure` as its error; `take_heading`
/// alone does not. Names and texts are valid until the entity has ended.
class entity_sink {
public:
    virtual bool begin() = 0;

    /// Takes the heading of a packed row, whose texts are valid until the entity has ended. False if it wants it as
    /// properties.
    virtual bool take_heading(row_heading const& heading);

    /// A property; `odata.etag` and the system properties, too, unless `take_heading` took them. Nulls and other
    /// metadata are not delivered.
    virtual bool property(std::string_view name, json_token const& value) = 0;

    /// The declared type of a property, which may come before or after the property itself. Called only if
    /// `wants_annotations`.
    virtual bool annotation(std::string_view name, std::string_view type);

    virtual bool end() = 0;

    /// Called after the first entity of a page: an estimate of how many follow, with an eighth to spare, and at most as
    /// many as a page may have.
    virtual void expect(std::size_t entities);

    bool wants_annotations = false;

    /// The name of the next property in most entities. It lives as long as the sink, and has no characters that JSON
    /// escapes.
    std::string_view probable_name{};

    std::optional<error> failure{};

protected:
    entity_sink();
    ~entity_sink();

    bool stop(error const& e);  ///< fails with this error; false
};

/// The keys of an encoded entity; those that are missing are empty. The views are valid until this thread reads keys
/// again, and while the text of the entity is not changed.
struct keys_in_row {
    std::optional<std::string_view> partition_key{};
    std::optional<std::string_view> row_key{};
};

/// Nothing for text that is no entity. Of a key that comes twice the first is given: the reader of the row refuses it.
std::optional<keys_in_row> read_keys(std::string& json);

/// The error of a page with rows outside its bounds.
error rows_not_asked_for();

/// Reads one entity, JSON or packed. The string stays as it is.
/// Errors: `library_errc::malformed_response`, also for more than `most_properties_read` properties; or the sink's.
result<void> read_entity(std::string& json, entity_sink& sink);

/// Reads a page, `{"value":[…]}` or packed rows. Returns the number of entities. Errors: as `read_entity`.
result<std::size_t> read_page(std::string& json, entity_sink& sink);

/// Reads entities of any shape, with the Edm type of every property: from its annotation, or from its token. Errors: as
/// `read_entity`; `library_errc::type_mismatch` for a value that contradicts its annotation.
result<stored_entity> read_dynamic(std::string& json);
result<std::vector<stored_entity>> read_dynamic_page(std::string& json);

}  // namespace tablemap::detail
