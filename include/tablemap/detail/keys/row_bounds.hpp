// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/base/static_list.hpp"
#include "tablemap/detail/keys/text.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Ranges of keys from the values of their leading parts.
namespace tablemap::inline v0_1::detail {

/// The condition of a selection of rows on the part after those whose values it gives.
enum class selection_kind : std::uint8_t { whole, range, between, prefix };

/// Keys from `from` up to, not including, `to`, or all keys after `from` if `to` is not set. `one`: `from` alone.
struct key_range {
    std::string from{};
    std::optional<std::string> to{};
    bool one = false;
};

/// The addresses of the bounds of a part: of values of its member's type, or a std::string that its text begins with.
struct part_bounds {
    void const* low = nullptr;
    void const* high = nullptr;
};

/// Makes the range of the keys whose first `at` parts have the values at these addresses, null for a literal, and whose
/// part `at` lies between `low` and `high` in the order of values, or begins with `low`. Bounds that no key can hold
/// stand below or above all. Errors: as `make_key_text`.
/// Precondition: part `at` has a value unless `kind` is whole, and sorts by its values unless `kind` is whole or
/// prefix.
result<void> make_key_range(key_range& out, static_list<part_layout> parts, void const* const* members, std::size_t at,
                            selection_kind kind, part_bounds bounds);

/// Makes a partition's keys of the values at these addresses, null for a part without one: one key, or one for each
/// bucket of part `spread_at`, in the order of buckets. Errors: as `make_key_text`.
result<void> make_partition_keys(std::vector<std::string>& out, static_list<part_layout> parts,
                                 void const* const* members, std::size_t spread_at);

}  // namespace tablemap::detail
