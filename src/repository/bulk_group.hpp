// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "repository/bulk_queue.hpp"

#include "tablemap/repository/indexed_group.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// Rows of a bulk write on their way.
namespace tablemap::detail {

/// What a row takes of a group with the rows that its entity has in indexes; where those are known only when the entity was
/// read, about that. `stored`: the entity as it was read under the etag of the write; null if it was not. The cipher may be null.
/// Errors: those of `plan_write`.
result<void> measure(bulk_row& r, std::string* stored, std::string_view table, capabilities const& can,
                     property_cipher const* cipher);

/// A group lives until its answer is final: what its requests borrow is in it.
struct bulk_group {
    struct refusal {
        bulk_row row;
        error why;
    };
    struct leftover {
        std::vector<refusal> refused{};
        std::vector<bulk_row> rest{};  ///< what does not fit, in order
    };

    bulk_group(bulk_partition& p, std::vector<bulk_row> taken);

    /// True if it was given a row whose entity may have rows in indexes; others may stand beside it.
    bool indexed() const noexcept { return indexed_; }

    /// The reads that have to be answered before it can be planned.
    std::span<request const> ask(std::string_view table);

    /// True if it was the last one.
    bool answered(std::size_t read, response&& answer);

    /// Why it cannot be planned: a read failed otherwise than for an absent entity.
    std::optional<error> why_unread() const;

    /// Plans all rows, takes in as many as fit, and takes the others out, whose plans are kept. Rows that touch one row of an index
    /// do not go together, so that they take effect in their order.
    leftover plan(std::string_view table, capabilities const& can, bulk_group_limits limits,
                  property_cipher const* cipher);

    /// The group, or one row alone as a plain write.
    request const& to_send(std::string_view table);

    bulk_partition* partition;
    std::vector<bulk_row> rows;
    time_point began{};
    indexed_group with_indexes{};  ///< its members are `rows`, if it is indexed

private:
    bool indexed_;
    std::vector<write_operation> operations_{};
    std::vector<request> reads_{};
    std::vector<response> answers_{};
    std::size_t open_ = 0;
    request what_{};
};

}  // namespace tablemap::detail
