// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "inspect/drift_list.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// A schema of tablemap-gen compared with the rows of a table.
namespace tablemap::inline v0_1::inspect {

/// A schema that cannot be used, or has no entity for a table. The message says what to do.
struct schema_fault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A schema without errors.
///
/// \par Thread safety
/// Immutable.
class checked_schema {
public:
    /// `json` is the schema, `file` its name for messages.
    ///
    /// \throws schema_fault for a schema with errors
    checked_schema(std::string_view json, std::string_view file);

    /// True if it has entities of this table.
    bool has_table(std::string_view table) const;

    /// The tables that its entities name, each once.
    std::vector<std::string> tables() const;

private:
    friend class schema_check;
    struct content;  ///< the generator's model

    std::shared_ptr<content const> content_;
};

struct checked_entity {
    std::string name{};
    std::uint64_t rows = 0;        ///< of all versions
    std::uint64_t older = 0;       ///< of versions that only the program can upgrade
    std::uint64_t unreadable = 0;  ///< that the generated struct refuses
};

struct schema_report {
    std::uint64_t rows = 0;
    std::uint64_t index_rows = 0;  ///< of indexes of the entities
    std::uint64_t companions = 0;  ///< that the library keeps beside entities
    std::uint64_t unclaimed = 0;   ///< of no entity
    std::vector<checked_entity> entities{};
    std::set<std::string, std::less<>> properties{};  ///< stored names of what the entities' members hold
    std::vector<drift> drifts{};                      ///< errors first
    std::uint64_t left_out = 0;                       ///< more that differs than is listed
    bool has_error() const noexcept;
};

/// Checks rows one after the other, in memory that does not grow with their number. A row is read by the library's own
/// reader with the mapping that the generated header has.
///
/// \par Thread safety
/// Like a standard container.
class schema_check {
public:
    /// The rows are those of the entities with this table; if there are none, of those without a table. `names`: these
    /// entities are in the table, too, or alone if none is of it.
    ///
    /// \throws schema_fault for a schema without entities for the table, a name that it does not have
    schema_check(checked_schema schema, std::string const& table, std::vector<std::string> const& names);
    schema_check(schema_check const&) = delete;
    schema_check(schema_check&&) noexcept;
    schema_check& operator=(schema_check const&) = delete;
    schema_check& operator=(schema_check&&) noexcept;
    ~schema_check();

    void add(dynamic_entity const& row);

    /// \pre is called once
    schema_report finish();

private:
    class implementation;
    std::unique_ptr<implementation> impl_;
};

}  // namespace tablemap::inspect
