// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/dynamic_entity.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

/// Differences between the rows of a table and a schema.
namespace tablemap::inline v0_1::inspect {

enum class drift_level : std::uint8_t {
    note,
    error,  ///< a row cannot be read, is of no entity, or contradicts itself
};

struct drift {
    drift_level level{};
    std::string_view rule{};                 ///< a word for programs, such as `types`
    std::string entity{};                    ///< empty: none
    std::string member{};                    ///< empty: the whole row
    std::uint64_t rows = 0;                  ///< 0: it is about none
    std::string what{};                      ///< a clause, such as "it is missing"
    std::string remedy{};                    ///< empty: none
    std::string partition_key{}, row_key{};  ///< of the first row
};

/// Collects what differs: rows that differ in the same way are one entry. At most 200 of each level are kept, whatever
/// the rows hold.
class drift_list {
public:
    /// Begins a row. An entry counts it once, however often it is added.
    void begin_row() noexcept { ++row_; }

    /// Adds the row to the entry with these words.
    void add(drift d, dynamic_entity const& row);

    /// Adds an entry that is about no row.
    void add(drift d);

    /// All entries: errors first, in the order of entities, members and rules.
    std::vector<drift> take() &&;

    /// The number of additions for which there was no room.
    std::uint64_t left_out() const noexcept { return left_out_; }

private:
    using name = std::tuple<drift_level, std::string, std::string, std::string_view, std::string>;

    struct entry {
        drift what{};
        std::uint64_t last_row = 0;
    };

    entry* find_or_add(drift d);

    std::map<name, entry> all_{};
    std::uint64_t row_ = 0;
    std::size_t counts_[2]{};
    std::uint64_t left_out_ = 0;
};

}  // namespace tablemap::inspect
