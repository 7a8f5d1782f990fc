// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/base/static_list.hpp"
#include "tablemap/detail/keys/part_layout.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// Both keys of an entity, to be made of the values that a user gives.
namespace tablemap::inline v0_1::detail {

/// The number of a literal among the values.
inline constexpr std::uint8_t no_value = 0xFF;

struct key_pair {
    static_list<part_layout> partition;
    static_list<part_layout> row;
    static_list<std::uint8_t> values;  ///< the number of each part's value, the partition key's parts first
};

/// For each part of both keys, the partition key's first, the number of its member's value: the members of the
/// partition key come first, in the order in which they stand there, then those of the row key, then those that only
/// choose buckets, each once, as in `key_members`.
template <std::size_t P, std::size_t R>
constexpr std::array<std::uint8_t, P + R> number_values(std::array<part_layout, P> const& partition,
                                                        std::array<part_layout, R> const& row) {
    std::array<std::uint8_t, P + R> numbers{};
    std::array<std::string_view, P + R> known{};
    std::uint8_t count = 0;
    auto const number_of = [&](part_layout const& p) {
        std::uint8_t at = 0;
        while (at < count && known[at] != p.name) ++at;
        if (at == count) known[count++] = p.name;
        return at;
    };
    for (auto& n : numbers) n = no_value;
    for (bool const buckets : {false, true})
        for (std::size_t i = 0; i < P + R; ++i) {
            auto const& p = i < P ? partition[i] : row[i - P];
            if (p.kind != part_kind::literal && (p.form == part_form::bucket) == buckets) numbers[i] = number_of(p);
        }
    return numbers;
}

template <auto const& PartitionKey, auto const& RowKey>
inline constexpr auto value_numbers = number_values(PartitionKey.layouts, RowKey.layouts);

template <auto const& PartitionKey, auto const& RowKey>
inline constexpr key_pair key_pair_of{PartitionKey.layouts, RowKey.layouts, value_numbers<PartitionKey, RowKey>};

}  // namespace tablemap::detail
