// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/guid.hpp"
#include "tablemap/base/ticks.hpp"
#include "tablemap/mapping/mapping.hpp"

#include <string>
#include <string_view>

/// The rows that keep values unique over a table.
namespace tablemap::inline v0_1 {
namespace detail {

/// A value that belongs to one entity, or is about to.
struct reservation {
    std::string value{};  ///< the name of the unique value, '=', and the form of the value in keys
    std::string owner_partition{};
    std::string owner_row{};
    guid token{};            ///< of the write that reserved it
    bool confirmed = false;  ///< the write was carried out
    ticks until{};           ///< the time at which others need not wait for it any more

    friend bool operator==(reservation const&, reservation const&) = default;
};

/// A row in the partition of an entity that is about to be written with a reserved value. The write erases it in its
/// group transaction, so the write is refused once somebody else has erased it.
struct reservation_guard {
    std::string partition{};
    guid token{};
    ticks until{};
};

inline constexpr std::string_view guard_beginning = "~guard_";

}  // namespace detail

template <> struct mapping<detail::reservation> {
    static constexpr auto partition_key = key(part<&detail::reservation::value>);
    static constexpr auto row_key = key("reservation");
};

template <> struct mapping<detail::reservation_guard> {
    static constexpr auto partition_key = key(part<&detail::reservation_guard::partition>.may_be_empty());
    static constexpr auto row_key = key("~guard_", part<&detail::reservation_guard::token>);
};

}  // namespace tablemap
