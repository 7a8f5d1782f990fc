// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "inspect/schema_check.hpp"
#include "inspect/type_property.hpp"
#include "page/index_comparison.hpp"
#include "page/report.hpp"
#include "tablemap/edm/dynamic_entity.hpp"

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::page {

inline constexpr std::size_t largest_named = 10;

/// Counts rows that come in the order of their keys. Its memory is bounded, whatever the rows hold.
class row_facts {
public:
    /// The rows are compared with a schema, too, if there is a check.
    explicit row_facts(std::optional<inspect::schema_check> check = {}) : check_(std::move(check)) {}

    void add(dynamic_entity row);

    /// The facts of the rows so far.
    ///
    /// \pre is called once
    void write_to(table_report& to, std::string const& type_property);

    std::uint64_t rows() const noexcept { return rows_; }

private:
    /// Rows by their type, and by their text while these are few.
    struct property_count {
        std::array<std::uint64_t, 8> rows{};
        inspect::text_counts texts{};
        std::size_t longest_text = 0, largest_binary = 0;
    };

    void begin_partition(std::string key);
    void end_partition();
    void add_slice();
    void count(property const& p);
    void note_extremes(dynamic_entity const& row, std::size_t bytes);
    void write_type_property(table_report& to, std::string const& given) const;
    std::uint64_t entities_of(std::string const& property, std::string const& type) const;
    std::uint64_t rows_without(std::string const& type_property) const;
    void write_kinds(table_report& to) const;
    void write_properties(table_report& to) const;

    std::optional<inspect::schema_check> check_;
    partition_fact present_{};
    std::vector<partition_fact> largest_{};
    std::array<std::uint64_t, 7> sizes_{};
    std::vector<key_slice> slices_{};
    std::uint64_t partitions_of_slice_ = 1;
    std::map<std::string, property_count, std::less<>> properties_{};
    bool more_properties_ = false;
    extreme_fact extremes_{};
    std::map<std::string_view, std::uint64_t> companions_{};
    index_comparison indexes_{};
    std::uint64_t rows_ = 0, bytes_ = 0, partitions_ = 0;
};

}  // namespace tablemap::page
