// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/write/write_group.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

/// The rows of a bulk write that wait for being sent.
namespace tablemap::inline v0_1::detail {

struct bulk_row {
    std::size_t tag;
    encoded_write write;
    std::size_t bytes = 0;               ///< that it takes of a group
    std::size_t most;                    ///< rows that a group with this one may have
    std::size_t operations = 1;          ///< that it takes of a group
    std::unique_ptr<write_plan> plan{};  ///< its rows in indexes, once they are known
    bool planned_before = false;         ///< for an earlier group
    int conflicts = 0;                   ///< with other writers
    std::uint8_t strikes = 0;            ///< groups that failed because of others
    bool doubtful = false;               ///< an earlier try of it may have been applied
    std::size_t memory = 0;              ///< that was counted for it
};

std::size_t memory_of(bulk_row const& r) noexcept;

/// The rows of one partition, in order.
struct bulk_partition {
    std::string_view key{};
    std::list<bulk_row> rows{};  ///< taken and put back in front, of which there may be many
    std::size_t bytes = 0;
    std::size_t operations = 0;
    std::size_t filed_at = 0;  ///< the list that it is in; 0: it may not be sent
    std::list<bulk_partition*>::iterator place{};
    bool urgent = false;  ///< its first row was sent before

    void count(bulk_row const& r) noexcept {
        bytes += r.bytes;
        operations += r.operations;
    }
    void discount(bulk_row const& r) noexcept {
        bytes -= r.bytes;
        operations -= r.operations;
    }
};

/// The limits of one group.
struct bulk_group_limits {
    std::size_t rows;  ///< and what comes with them, in operations
    std::size_t bytes;
};

/// The partitions, ordered by how many operations they have. Memory: that of the rows and their partitions, no longer.
class bulk_queue {
public:
    explicit bulk_queue(bulk_group_limits limits);

    void add(bulk_row row);

    /// The partition that has waited longest with a whole group; of `partial` ones that with the most operations. Null
    /// if there is none.
    bulk_partition* pick(bool partial) noexcept;

    /// The number of a partition's rows that make the next group.
    std::size_t next_group(bulk_partition const& p) const;

    /// The number that the rate limiter counts when so many rows are begun: their reads if there are any, or their
    /// operations.
    static std::size_t requests_of(bulk_partition const& p, std::size_t rows) noexcept;

    /// Takes them out.
    std::vector<bulk_row> take(bulk_partition& p, std::size_t rows);

    /// Puts rows before all others of their partition.
    static void put_back(bulk_partition& p, std::vector<bulk_row> rows);

    /// Takes all rows of a partition out that are in doubt.
    static std::vector<bulk_row> take_doubtful(bulk_partition& p);

    /// A partition may not be picked until it is released.
    void hold(bulk_partition& p) noexcept;
    void release(bulk_partition& p);

    /// Takes out every row, those of held partitions too.
    std::vector<bulk_row> take_all();

private:
    struct hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view s) const noexcept { return std::hash<std::string_view>{}(s); }
    };

    void file(bulk_partition& p) noexcept;
    void move_to(bulk_partition& p, std::size_t list) noexcept;
    bool was_sent(bulk_row const& r) const noexcept;

    bulk_group_limits limits_;
    std::unordered_map<std::string, bulk_partition, hash, std::equal_to<>> partitions_{};
    std::vector<std::list<bulk_partition*>>
        by_size_;  ///< at n those of n operations, at the end those of a whole group
};

}  // namespace tablemap::detail
