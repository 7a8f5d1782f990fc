// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/entity_key.hpp"
#include "tablemap/base/error.hpp"
#include "tablemap/detail/reflect/name.hpp"
#include "tablemap/mapping/decode.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap::inline v0_1 {

/// A member whose values have lists of the entities that hold them, and the name of these lists:
/// `index_entity<"last_name", &employee::last_name>`. The lists are in the partition of the entities, and are written
/// in one transaction with them. An empty optional is no value. See `table_with_index_entities`.
template <detail::fixed_string Name, auto Member> struct index_entity {
    static constexpr std::string_view name = Name.view();
    static constexpr std::string_view table{};
    static constexpr std::string_view prefix = "~list_";
    static constexpr auto member = Member;
};

/// The same with lists in another table, over all partitions of the entities:
/// `index_entity_in<"city", "EmployeesByCity", &employee::city>`. A relay brings them up to date after the write.
template <detail::fixed_string Name, detail::fixed_string Table, auto Member> struct index_entity_in {
    static constexpr std::string_view name = Name.view();
    static constexpr std::string_view table = Table.view();
    static constexpr auto member = Member;
};

/// Options of a table with index entities. All programs that write to one table use the same.
struct index_entity_options {
    /// A list of more bytes than this is stored in a blob; it comes back into its row when it has at most half of them.
    /// At most 448 KiB.
    std::size_t row_bytes = std::size_t{64} * 1024;

    /// A write that would make a list larger than this is refused, and so is a larger list that is read. At most
    /// 60 MiB.
    std::size_t list_bytes = std::size_t{4} * 1024 * 1024;

    /// The container of the blobs; empty: that of the table's name in lower case with `-lists`. It is created when the
    /// first list needs it.
    std::string container{};

    /// False for a store without blobs: a list that outgrows its row is refused.
    bool blobs = true;

    /// The queue that tells `run_relay` which partitions have intents; it must exist. Its name has 3 to 56 characters.
    /// Each table has a queue of its own: a relay takes messages of another table for strange ones. Types that share a
    /// table had better have a queue each: a relay can only put back the message of another type. A write puts a
    /// message after it has stored an intent, in one try. If the queue takes none, the write succeeds,
    /// `observer::index_pass_done` receives the error, and a later sweep finds the intent. Empty: `run_relay` finds
    /// work by sweeps alone.
    std::string queue{};

    /// Deliveries of a message whose partition has an entity or a list that fails, or that is not of this table. Then
    /// it goes to the queue `<queue>-poison`, with the reason. At least 1.
    std::uint32_t deliveries = 5;

    /// `repair` deletes a blob that no list names if it is older than this.
    std::chrono::seconds keep_unnamed_blobs = std::chrono::hours{1};
};

/// The disagreements between entities and lists.
enum class index_entity_fault : std::uint8_t {
    missing,       ///< a list lacks an entity that has its value: look-ups do not find it
    pending,       ///< the same, or the opposite, and a relay has not yet been there
    stale,         ///< a list names an entity that does not have its value: look-ups pass it over
    damaged,       ///< a list cannot be read: look-ups of its value fail
    unnamed_blob,  ///< a blob that no list names, and that is old enough to be deleted
};

/// One disagreement.
struct index_entity_finding {
    index_entity_fault fault{};
    std::string name{};   ///< of the index entities
    entity_key entity{};  ///< that is missing or stale; the key of the list if that is damaged; empty for a blob
    bool repaired = false;
};

/// The number of disagreements of one kind.
struct index_entity_count {
    std::size_t found = 0;
    std::size_t repaired = 0;  ///< of those that were found
};

/// The findings of `verify` and `repair`. All are counted; of many, only some are listed.
struct index_entity_report {
    /// The most findings, and the most unreadable rows, that are listed.
    static constexpr std::size_t most_listed = 1'000;

    std::size_t entities = 0;                      ///< that were read
    std::size_t lists = 0;                         ///< that were read
    std::size_t blobs = 0;                         ///< that hold lists, or once did
    std::array<index_entity_count, 5> counts{};    ///< by the number of the `index_entity_fault`
    std::vector<index_entity_finding> findings{};  ///< at most `most_listed`
    std::vector<bad_row> unreadable{};             ///< entities that were passed over; at most `most_listed`

    index_entity_count const& count_of(index_entity_fault f) const noexcept {
        return counts[static_cast<std::size_t>(f)];
    }

    /// True if every entity was read, and nothing disagrees but what a relay will bring up to date.
    bool clean() const noexcept {
        for (std::size_t i = 0; i < counts.size(); ++i)
            if (i != static_cast<std::size_t>(index_entity_fault::pending) && counts[i].found != counts[i].repaired)
                return false;
        return unreadable.empty();
    }
};

/// The work of a relay of index entities.
struct index_entity_relay_report {
    std::size_t intents = 0;         ///< that were carried out and erased
    std::size_t lists = 0;           ///< that were written
    std::size_t failed = 0;          ///< entities whose lists were left as they are; their intents stay
    std::chrono::nanoseconds lag{};  ///< the greatest age of an intent that was met, by the clock of this machine
    std::optional<error> last_failure{};
};

}  // namespace tablemap
