// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/base/ticks.hpp"
#include "tablemap/detail/patterns/key_rules.hpp"
#include "tablemap/mapping/mapping.hpp"
#include "tablemap/store/options.hpp"
#include "tablemap/store/store.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Hot partitions: keys that send most requests of a moment to one partition, found in a mapping and in a table.
namespace tablemap::inline v0_1 {

/// The ways in which keys make a partition hot.
enum class hot_key : std::uint8_t {
    one_partition,   ///< all entities are in one partition
    few_partitions,  ///< the partition key has 16 values at most
    time_ordered,    ///< the partition key begins with a time: what is written now is in the last, or first, partition
    counted,         ///< the partition key begins with a number in order, which may be one that is counted up
    growing_rows,    ///< rows of one or few partitions begin with a time or a counter: all inserts go to one end
    large_share,     ///< one partition has more than half of the rows of a sample, or many more than most others
};

enum class lint_level : std::uint8_t {
    hint,     ///< it depends on the values, or on how many writes there are
    warning,  ///< a table with many writes will be slow
};

/// A finding about keys.
struct key_finding {
    hot_key what{};
    lint_level level{};
    std::string_view member{};  ///< the member of the key that it is about; empty: none

    std::string_view reason() const noexcept;  ///< a sentence without its full stop
    std::string_view remedy() const noexcept;  ///< the same
    std::string text() const;                  ///< "warning: at: the partition key begins with a time …"

    friend constexpr bool operator==(key_finding const&, key_finding const&) = default;
};

class key_findings;

namespace detail {
constexpr key_findings lint_layouts(std::span<part_layout const> partition, std::span<part_layout const> row) noexcept;
}

/// The findings about a mapping, a constant.
class key_findings {
public:
    constexpr key_finding const* begin() const noexcept { return all_.data(); }
    constexpr key_finding const* end() const noexcept { return all_.data() + count_; }
    constexpr std::size_t size() const noexcept { return count_; }
    constexpr bool empty() const noexcept { return count_ == 0; }

    constexpr bool has(hot_key what) const noexcept {
        for (auto const& f : *this)
            if (f.what == what) return true;
        return false;
    }

    /// True if one is a warning.
    constexpr bool has_warning() const noexcept {
        for (auto const& f : *this)
            if (f.level == lint_level::warning) return true;
        return false;
    }

private:
    friend constexpr key_findings detail::lint_layouts(std::span<detail::part_layout const>,
                                                       std::span<detail::part_layout const>) noexcept;

    constexpr void add(key_finding const& f) noexcept { all_[count_++] = f; }

    std::array<key_finding, 2> all_{};  // one about each key
    std::size_t count_ = 0;
};

namespace detail {
constexpr key_findings lint_layouts(std::span<part_layout const> partition, std::span<part_layout const> row) noexcept {
    key_findings found;
    auto const beginning = beginning_of(partition);
    if (beginning.parts < partition.size()) {
        auto const& first = partition[beginning.parts];
        bool const alone =
            beginning_of(partition.subspan(beginning.parts + 1)).parts + beginning.parts + 1 == partition.size();
        if (is_time_in_order(first))
            found.add({hot_key::time_ordered, alone ? lint_level::warning : lint_level::hint, first.name});
        else if (is_counter(first))
            found.add({hot_key::counted, lint_level::hint, first.name});
        return found;
    }
    auto const row_beginning = beginning_of(row);
    bool const has_row = row_beginning.parts < row.size();
    bool const by_time = has_row && is_time_in_order(row[row_beginning.parts]);
    bool const one = beginning.values == 1;
    found.add({one ? hot_key::one_partition : hot_key::few_partitions,
               one && by_time ? lint_level::warning : lint_level::hint,
               {}});
    if (by_time || (has_row && is_counter(row[row_beginning.parts])))
        found.add(
            {hot_key::growing_rows, by_time ? lint_level::warning : lint_level::hint, row[row_beginning.parts].name});
    return found;
}
}  // namespace detail

/// The ways in which the keys of a mapping can make a partition hot. They can be tested when a program is compiled:
///
///     static_assert(lint_keys<reading>().empty());
///
/// A text in a key is taken for one of many values in no order, as only a sample of a table can tell otherwise.
///
/// \return at most one finding about each key
template <class T> constexpr key_findings lint_keys() noexcept {
    static_assert(mapped<T>, "tablemap[P13]: keys are linted of one mapped struct with a partition_key and a row_key; "
                             "lint each type of a variant, and sample the table of dynamic entities");
    if constexpr (mapped<T>)
        return detail::lint_layouts(mapping<T>::partition_key.layouts, mapping<T>::row_key.layouts);
    else
        return {};
}

/// Options of `sample_partitions`.
struct sample_options {
    std::size_t rows = 10'000;    ///< the most that are counted, 1 or more
    std::size_t places = 16;      ///< of the table, from which rows are read, at most; 1 to 256
    std::size_t sized_rows = 10;  ///< rows at each place that are read with all properties as well, to estimate sizes;
                                  ///< 0 (none) to 1,000
    std::size_t hottest = 10;     ///< the most partitions that the result names
};

/// A partition of a sample.
struct partition_share {
    std::string partition_key{};  ///< data of the user
    std::size_t rows = 0;         ///< of the sample
    bool more = false;            ///< it may have more rows than were read
    double share = 0;             ///< of the rows of the sample, 0 to 1; too small if there may be more rows
    ticks newest{};               ///< the latest time at which one of these rows was written
};

/// The distribution of rows over partitions in a sample of a table.
struct partition_sample {
    std::size_t rows = 0;
    std::size_t partitions = 0;
    std::size_t places = 0;                  ///< of the table, from which rows were read
    bool complete = false;                   ///< the sample is the whole table
    std::size_t bytes_per_row = 0;           ///< by the service's formula, see `entity_size`; 0: no row was sized
    std::uint64_t estimated_bytes = 0;       ///< of the rows of the sample
    std::vector<partition_share> hottest{};  ///< those with the most rows first
    std::vector<key_finding> findings{};

    /// Lines for people, without keys of the table.
    std::string text() const;
};

/// Reads a bounded number of rows from several places of a table, and tells how they are distributed. Rows of indexes
/// and other companions count, as they are rows of their partitions.
///
/// The places are found by the beginnings of partition keys. At each, rows are read in key order. A partition that
/// fills a page when half of the rows of the place are read is left, so that others are seen. The sample then tells the
/// least number of its rows, and a hint says if that is four times the rows of the partition in the middle. `Timestamp`
/// tells whether keys grow with time.
///
/// Findings need some rows: 100 for the share of a partition, 16 differing times for an order. Rows that were imported
/// in the order of their keys look as if their keys grew with time.
///
/// \return the sample of an empty table has no rows
/// \throws error those of the store; `library_errc::value_out_of_range` for an option,
/// `library_errc::unsupported` for a store that does not answer in key order
/// \par Round trips
/// At each place one for `sized_rows`, and then pages of a quarter of its share of `rows`, of 50 to 1,000 rows. Before,
/// to find the places, up to `places` for each length of a beginning that is tried: 1, 2, 4, … 128 characters.
/// \par Cost
/// Rows are counted without their properties. `sized_rows` at each place, and one row for each request that finds
/// places, are read besides.
partition_sample sample_partitions(store_ptr const& s, std::string_view table, sample_options const& how = {},
                                   call_options const& o = {});
result<partition_sample> try_sample_partitions(store_ptr const& s, std::string_view table,
                                               sample_options const& how = {}, call_options const& o = {});

}  // namespace tablemap
