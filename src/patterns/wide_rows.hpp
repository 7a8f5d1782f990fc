// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/read_row.hpp"
#include "tablemap/detail/patterns/wide_core.hpp"

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

/// Entities put together from the rows of pages.
namespace tablemap::inline v0_1::detail {

/// The entity that a row key belongs to.
struct wide_row_key {
    std::string_view head;   ///< the row key of the entity
    std::size_t number = 0;  ///< of the further row; 0: the head
};
wide_row_key split_row_key(std::string_view row_key) noexcept;

/// Puts entities together. Rows come in the order of their keys, in any number of pages.
class wide_assembly {
public:
    /// The list and the cipher, which may be null, are borrowed.
    wide_assembly(wide_type type, wide_entities& to, property_cipher const* cipher) noexcept
        : type_(type), to_(to), cipher_(cipher) {}

    /// Takes the rows of a page. Returns their number. Errors: as `read_page`, also for rows that
    /// come again or in another order. A row that cannot be read is a fault of
    /// its set.
    result<std::size_t> take(std::string& page, page_bounds const& bounds);

    /// No more rows follow.
    void end();

    /// The entities that are ended, in the order of the list, which may hold one more.
    std::deque<wide_set>& ended() noexcept { return ended_; }

private:
    class sink;
    struct row;

    result<void> take_row(row const& r, reading const& how);
    void read_into_open(row const& r, std::size_t number, reading const& how);
    bool are_together() const;
    bool names_stranger(std::string_view property) const;

    wide_type type_;
    wide_entities& to_;
    property_cipher const* cipher_;
    std::deque<wide_set> ended_{};
    std::optional<wide_set> open_{};
    std::optional<std::string> last_head_{};  ///< its row key
    wide_place place_{};
};

}  // namespace tablemap::detail
