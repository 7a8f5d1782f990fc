// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/dynamic_entity.hpp"
#include "tablemap/patterns/hot_partitions.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// Tells whether times grow or shrink along a sequence.
class time_trend {
public:
    void add(ticks t) noexcept;

    /// True if of at least 16 steps nine tenths go the same way.
    bool is_ordered() const noexcept;

private:
    ticks last_{};
    bool begun_ = false;
    std::size_t up_ = 0, down_ = 0;
};

/// Counts the rows of a sample, which come in key order, by their partitions.
class partition_tally {
public:
    void add(stored_entity const& row);
    void size(stored_entity const& row) noexcept;

    /// The partition that was met last may have more rows.
    void cut() noexcept;

    /// The partition that was met last filled pages and is left.
    void pass() noexcept;
    void add_place() noexcept { ++places_; }

    partition_sample finish(std::size_t hottest, bool complete) const;

private:
    struct partition {
        partition_share share{};
        time_trend rows{};
        bool passed = false;
    };

    static std::vector<key_finding> findings(std::vector<partition> const& sorted, std::size_t rows);

    std::vector<partition> partitions_{};
    std::size_t places_ = 0, rows_ = 0, sized_ = 0;
    std::uint64_t bytes_ = 0;
};

}  // namespace tablemap::detail
