// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/entity_key.hpp"
#include "tablemap/detail/mapping/index_rows.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

/// Comparing what entities imply with what indexes hold, without keeping either.
namespace tablemap::inline v0_1::detail {

/// A row of an index in short: its keys and its content.
using row_digest = std::array<std::uint64_t, 2>;

/// A row's content does not depend on how it is written: on the order of its properties, on the widths of its numbers,
/// on the random bytes of what is encrypted. The cipher may be null.
row_digest digest_of(dynamic_entity const& row, property_cipher const* cipher);

/// Sums over rows, in many buckets, so that few rows are suspects if sums differ.
class index_tally {
public:
    explicit index_tally(index_set const& indexes);

    /// The number of the first index whose rows' keys begin like this one; that of all indexes if there is none.
    std::size_t index_at(std::string_view row_key) const noexcept;

    void implied(entity_key const& row, row_digest const& d) noexcept { add(row, d, 1); }
    void held(entity_key const& row, row_digest const& d) noexcept;

    /// Takes a known difference of a row out of the sums; `held` is null if the index lacks the row.
    void explained(entity_key const& row, row_digest const& implied, row_digest const* held) noexcept;

    bool in_step() const noexcept;
    bool suspects(entity_key const& row) const noexcept;
    bool saw_none_like(entity_key const& row) const noexcept;

    void clear() noexcept;

private:
    struct bucket {
        row_digest sum{};
        std::uint64_t rows = 0;  ///< that the index holds
    };

    void add(entity_key const& row, row_digest const& d, std::uint64_t sign) noexcept;
    std::size_t place_of(entity_key const& row) const noexcept;

    index_set const& indexes_;
    std::vector<bucket> buckets_;
};

}  // namespace tablemap::detail
