// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "inspect/schema_check.hpp"
#include "tablemap/base/ticks.hpp"
#include "tablemap/edm/types.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The facts of a report on tables, as plain values.
namespace tablemap::inline v0_1::page {

struct partition_fact {
    std::string key{};
    std::uint64_t rows = 0;
    std::uint64_t bytes = 0;  ///< 0: not known
    double share = 0;         ///< of the rows that were read, 0 to 1
    bool more = false;        ///< the partition may have more rows than were read
};

/// Partitions that follow each other in the order of keys.
struct key_slice {
    std::string first{};
    std::string last{};
    std::uint64_t partitions = 0;
    std::uint64_t rows = 0;
};

/// The partitions that have from `least` to `most` rows.
struct size_class {
    std::uint64_t least = 0;
    std::uint64_t most = 0;
    std::uint64_t partitions = 0;
};

struct kind_fact {
    std::string name{};
    std::uint64_t rows = 0;
};

/// A property with the number of rows for each type that its value has.
struct property_fact {
    std::string name{};
    std::array<std::uint64_t, 8> rows{};  ///< by `edm_type`
    std::size_t longest_text = 0;         ///< UTF-16 code units of its longest text
    std::size_t largest_binary = 0;       ///< bytes of its largest binary value

    std::uint64_t total() const noexcept;
    std::size_t types() const noexcept;
};

/// Rows of one index, recognised by their discriminator and by the beginning of their row keys.
struct index_fact {
    std::string type{};
    std::string beginning{};  ///< of the row keys
    std::uint64_t rows = 0;
    std::uint64_t in_step = 0;
    std::uint64_t differing = 0;         ///< from their entity in a property that both have
    std::uint64_t without_entity = 0;    ///< their entity is not there
    std::uint64_t entities_without = 0;  ///< entities of the type that have no row in the index
    bool known = false;                  ///< the row keys end with those of entities, so that rows could be compared
};

struct outbox_fact {
    std::uint64_t partitions = 0;
    std::int64_t pending = 0;
    std::int64_t parked = 0;
    std::uint64_t unreadable = 0;
    std::chrono::seconds lag{};
};

/// The largest of what the service limits in one row.
struct extreme_fact {
    std::uint64_t row_bytes = 0;          ///< of the largest row
    std::string partition_of_largest{};   ///< the partition key of that
    std::size_t properties = 0;           ///< of the row with the most
    std::size_t partition_key_units = 0;  ///< UTF-16 code units of the longest
    std::size_t row_key_units = 0;
};

enum class weight : std::uint8_t { hint, warning };

/// Something that a person should look at.
struct attention {
    weight level{};
    std::string_view rule{};  ///< a word for programs, such as `types`
    std::string text{};
    std::optional<std::string> partition_key{};  ///< of the row that it is about, or the first one
    std::string entity{}, member{};              ///< of a schema; empty: none
    std::uint64_t rows = 0;                      ///< 0: they are not counted
};

struct table_report {
    std::string name{};
    bool complete = false;  ///< every row was read
    std::uint64_t rows = 0;
    std::uint64_t bytes = 0;
    std::uint64_t partitions = 0;
    bool sampled = false;                   ///< `largest` is of a sample of the whole table
    std::vector<partition_fact> largest{};  ///< most rows first
    std::vector<size_class> sizes{};
    std::vector<key_slice> slices{};
    std::string type_property{};          ///< that tells kinds of entities apart; empty: none was recognised
    bool type_property_certain = false;   ///< it was given, or the rows of indexes show it
    std::uint64_t rows_without_type = 0;  ///< entities that lack that property
    std::vector<kind_fact> kinds{};
    std::vector<property_fact> properties{};
    bool more_properties = false;  ///< the table has more names than the report counts
    extreme_fact extremes{};
    std::vector<index_fact> indexes{};
    std::uint64_t partitions_not_compared = 0;  ///< too large to compare their index rows with entities
    std::optional<outbox_fact> outbox{};
    std::optional<inspect::schema_report> drift{};  ///< how the rows differ from the schema, if it names the table
    std::vector<attention> findings{};
};

struct report {
    std::string title{};
    ticks made{};
    std::vector<table_report> tables{};
    std::size_t tables_left_out = 0;
    std::vector<std::string> missing{};  ///< tables that the schema names and the store does not have
    bool browsable = false;              ///< the page is served, with others that show partitions and rows
};

}  // namespace tablemap::page
