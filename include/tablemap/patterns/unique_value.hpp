// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/entity_key.hpp"
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

/// A member whose value at most one entity of a table has, and its name: `unique_value<"email", &account::email>`. An
/// empty optional is no value. See `table_with_unique_values`.
template <detail::fixed_string Name, auto Member> struct unique_value {
    static constexpr std::string_view name = Name.view();
    static constexpr auto member = Member;
};

/// Options of a table with unique values.
struct unique_options {
    /// The name of the table that holds the reservations; empty: that of the entities' table and `Unique`. Each type of
    /// entity has one of its own.
    std::string reservations{};

    /// The time that a writer has from its reservation of a value to its write of the entity. After it others may take
    /// the value over, and the write is refused. A value that a crashed writer left is taken over after this time at
    /// the latest. All writers of a table should use the same time.
    std::chrono::milliseconds reserved_for{10'000};
};

/// The disagreements between entities and reservations.
enum class unique_fault : std::uint8_t {
    pending,      ///< a write is under way, or was given up less than `reserved_for` ago
    unconfirmed,  ///< the entity has the value, but its writer did not come to confirm that
    abandoned,    ///< the owner that the reservation names does not have the value
    unprotected,  ///< an entity has a value without a reservation: another one could get it, too
    held_twice,   ///< the value is reserved for another entity, which has it, too
    stray_guard,  ///< a guard of a write that ended long ago
};

/// One disagreement.
struct unique_finding {
    unique_fault fault{};
    std::string name{};                 ///< of the unique value; empty for a guard
    entity_key entity{};                ///< that has the value, or that it is reserved for; or the guard
    std::optional<entity_key> owner{};  ///< `held_twice`: the entity that the value is reserved for
    bool repaired = false;
};

/// The number of disagreements of one kind.
struct unique_count {
    std::size_t found = 0;
    std::size_t repaired = 0;  ///< of those that were found
};

/// The findings of `verify` and `repair`. All are counted; of many, only some are listed.
struct unique_report {
    /// The most findings, and the most unreadable rows, that are listed.
    static constexpr std::size_t most_listed = 1'000;

    std::size_t reservations = 0;            ///< that were read
    std::size_t entities = 0;                ///< that were read
    std::array<unique_count, 6> counts{};    ///< by the number of the `unique_fault`
    std::vector<unique_finding> findings{};  ///< at most `most_listed`; repaired ones make room for others
    std::vector<bad_row> unreadable{};       ///< rows that were passed over, of either table; at most `most_listed`

    unique_count const& count_of(unique_fault f) const noexcept { return counts[static_cast<std::size_t>(f)]; }

    /// True if every row was read, and nothing disagrees but writes under way.
    bool clean() const noexcept {
        for (std::size_t i = 0; i < counts.size(); ++i)
            if (i != static_cast<std::size_t>(unique_fault::pending) && counts[i].found != counts[i].repaired)
                return false;
        return unreadable.empty();
    }
};

}  // namespace tablemap
