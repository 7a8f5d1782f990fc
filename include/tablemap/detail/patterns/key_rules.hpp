// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/keys/part_layout.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

/// The distribution of rows over partitions, as far as the layouts of keys tell it.
namespace tablemap::inline v0_1::detail {

inline constexpr std::uint64_t unbounded = std::numeric_limits<std::uint64_t>::max();
inline constexpr std::uint64_t few_partitions_most = 16;

/// A number of so many values is counted up without an end, as far as a lint can tell.
inline constexpr std::uint64_t least_of_counter = 1000;

/// The number of values that a part can have.
constexpr std::uint64_t count_values(part_layout const& p) noexcept {
    if (p.kind == part_kind::literal) return 1;
    if (p.form == part_form::hashed || p.form == part_form::bucket) return unbounded;
    if (p.entries) return p.entry_count;
    if (p.kind != part_kind::number) return unbounded;
    return p.high - p.low == unbounded ? unbounded : p.high - p.low + 1;
}

/// The beginning of a key: literals, and parts that have few values together.
struct key_beginning {
    std::size_t parts = 0;     ///< the place of the first part of many values; the number of parts if there is none
    std::uint64_t values = 1;  ///< that the parts before have together
};

constexpr key_beginning beginning_of(std::span<part_layout const> key) noexcept {
    key_beginning b;
    for (; b.parts < key.size(); ++b.parts) {
        auto const n = count_values(key[b.parts]);
        if (n > few_partitions_most || b.values * n > few_partitions_most) break;
        b.values *= n;
    }
    return b;
}

/// True for a time in order, upwards or downwards.
constexpr bool is_time_in_order(part_layout const& p) noexcept {
    return p.kind == part_kind::time && p.form == part_form::digits && !p.unsorted;
}

/// True for a number in order that can be one that is counted up.
constexpr bool is_counter(part_layout const& p) noexcept {
    return p.kind == part_kind::number && p.form == part_form::digits && p.entry_count == 0 && !p.unsorted &&
           count_values(p) > least_of_counter;
}

}  // namespace tablemap::detail
