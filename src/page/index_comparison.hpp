// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "page/report.hpp"
#include "tablemap/edm/dynamic_entity.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace tablemap::inline v0_1::page {

/// Compares the rows of indexes with their entities, as far as this is possible without the types of a program. An
/// index row is recognised by its discriminator, which ends with `_index`, and its entity by the end of its row key.
/// The row keys of unique indexes do not have that end. A text that ends so by chance is no discriminator: the report
/// has only rows whose property tells kinds apart, or has the type of an entity of their partition.
class index_comparison {
public:
    void add(dynamic_entity row);
    void end_partition();

    /// Ends a partition of which not all rows were read: it is not compared.
    void end_part_of_partition();

    /// The number of entities with this property and type.
    using entity_count = std::function<std::uint64_t(std::string const& property, std::string const& type)>;

    void write_to(table_report& to, entity_count const& count_entities) const;

private:
    using entity_rows = std::map<std::string_view, dynamic_entity const*>;  ///< by row key
    /// The property with the type, the type, and the beginning of the row key.
    using index_name = std::tuple<std::string, std::string, std::string>;

    struct count {
        std::uint64_t rows = 0, in_step = 0, differing = 0, without_entity = 0;
        std::uint64_t entities = 0;  ///< that have a row
        bool has_type = false;       ///< a partition with a row has an entity of the type
    };

    void compare_partition();
    void compare(dynamic_entity const& row, entity_rows const& all, count& c, std::set<std::string_view>& owners);

    std::vector<dynamic_entity> partition_{};
    std::size_t bytes_ = 0;  ///< of the partition
    bool too_large_ = false;
    std::map<index_name, count> indexes_{};
    std::uint64_t not_compared_ = 0;
};

}  // namespace tablemap::page
