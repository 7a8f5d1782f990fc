// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bulk/bulk_queue.hpp"
#include "tablemap/detail/write/write_group.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// Rows of a bulk write on their way.
namespace tablemap::inline v0_1::detail {

/// Measures the part of a group that a row takes with the rows that its entity has in indexes; an estimate if those are
/// known only after the entity is read. `stored` is the entity as it was read under the etag of the write; null if it
/// was not. The cipher may be null. Errors: those of `plan_write`.
result<void> measure(bulk_row& r, std::string* stored, std::string_view table, capabilities const& can,
                     property_cipher const* cipher);

/// A group lives until its response is final: it owns the data that its requests borrow.
struct bulk_group {
    struct refusal {
        bulk_row row;
        error why;
    };

    bulk_group(bulk_partition& p, std::vector<bulk_row> taken, time_point began_at);

    /// True if it was given a row whose entity may have rows in indexes; others may stand beside it.
    bool indexed() const noexcept { return indexed_; }

    /// The reads that have to be answered before it can be made: of entities, and of the rows of indexes that plans
    /// touch. Once their responses are taken there may be more.
    std::span<request const> missing_reads(std::string_view table);

    /// True if it was the last one.
    bool answered(std::size_t read, response&& answer);

    /// Why the responses cannot be taken: a read failed otherwise than for an absent row.
    std::optional<error> why_unread() const;

    /// Plans the rows whose entities were read, or need not be, and changes the plans so that they touch no row of
    /// another entity. Takes out and returns the rows that cannot be planned.
    std::vector<refusal> take_responses(std::string_view table, capabilities const& can, property_cipher const* cipher);

    /// Takes in as many rows as fit; takes out and returns the others in order, whose plans are kept. Rows that touch
    /// one row of an index do not go together, so that they take effect in their order.
    std::vector<bulk_row> fill(bulk_group_limits limits);

    /// A row of an index was changed after it was read: the row whose plan touches it has to read it again.
    void forget_look(write_group::changed const& at);

    /// The group, or one row alone as a plain write.
    request const& to_send(std::string_view table);
    std::size_t operations() const noexcept { return indexed() ? with_indexes.size() : rows.size(); }

    bulk_partition& partition;
    std::vector<bulk_row> rows;
    time_point began;
    bool counted = true;         ///< its next requests, by the rate limiter
    write_group with_indexes{};  ///< its members are `rows`, if it is indexed

private:
    bool indexed_;
    std::vector<write_operation> operations_{};
    std::vector<request> reads_{};
    std::vector<response> answers_{};
    std::size_t open_ = 0;
    request what_{};
};

}  // namespace tablemap::detail
