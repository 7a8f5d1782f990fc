// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/base/right_use.hpp"
#include "tablemap/detail/keys/key_members.hpp"
#include "tablemap/mapping/index_in.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

/// The expiry index of a mapping, which an `expiry_sweeper` finds expired entities by. It is declared among the other
/// indexes:
///
///     static constexpr auto indexes = tablemap::indexes(tablemap::expiry_in<"SessionExpiry">(
///         tablemap::part<&session::until>, tablemap::spread<16>(tablemap::part<&session::id>)));
namespace tablemap::inline v0_1 {

/// The span of time, in UTC, whose rows share the partitions of an expiry index.
enum class expiry_per : std::uint8_t { hour, day };

namespace detail {

constexpr std::uint64_t ticks_of(expiry_per p) noexcept {
    constexpr std::uint64_t hour = 36'000'000'000;
    return p == expiry_per::hour ? hour : 24 * hour;
}

inline constexpr char expiry_name[] = "expiry";
inline constexpr char expiry_row_prefix[] = "expiry_";

/// Puts the member's name into the compiler's "required from" line.
template <auto Time, auto Hashed> constexpr bool check_expiry_parts() {
    using time = typename member_part<Time>::part_type;
    static_assert(is_key_time<time>(),
                  "tablemap[P16]: the first argument of expiry_in is the time at which an entity expires, and this "
                  "member is no time; name one of type ticks, or sys_time of whole ticks, or a std::optional of one");
    constexpr bool one_struct = std::is_same_v<member_owner<Time>, member_owner<Hashed>>;
    static_assert(one_struct, "tablemap[P16]: both members of expiry_in belong to the struct that expires; name a "
                              "member of the same struct in spread<N>(...)");
    constexpr bool always = !std::is_same_v<member_type<Hashed>, std::optional<part_type_of<member_type<Hashed>>>>;
    static_assert(always, "tablemap[P16]: an entity without a value of the member in spread<N>(...) would have no row, "
                          "and never expire; name a member that is no std::optional, such as one of the key");
    return is_key_time<time>() && one_struct && always;
}

template <class... Arguments> struct is_expiry_arguments : std::false_type {};
template <auto Time, std::size_t Buckets, auto Hashed>
struct is_expiry_arguments<member_part<Time>, spread_part<Buckets, Hashed>> : std::true_type {};
template <auto Time, std::size_t Buckets, auto Hashed>
struct is_expiry_arguments<member_part<Time>, spread_part<Buckets, Hashed>, expiry_per> : std::true_type {};

template <fixed_string Table, auto Time, std::size_t Buckets, auto Hashed>
constexpr auto make_expiry_index(member_part<Time> const&, spread_part<Buckets, Hashed> const& shard,
                                 expiry_per per = expiry_per::hour) {
    if constexpr (check_expiry_parts<Time, Hashed>())
        return index_in<expiry_name, Table>(key(period_part<Time>{member_part<Time>{}, ticks_of(per)}, "_", shard),
                                            key(expiry_row_prefix, member_part<Time>{}))
            .template include<>();
    else
        return index_in<expiry_name, Table>(key(expiry_name), key(expiry_row_prefix));  // one message is enough
}

}  // namespace detail

/// An index of the times at which entities expire, of the name "expiry". A row of it lies in a partition of its hour,
/// or of its day, and of one of N shards, which a hash of another member chooses: so the entities of one hour are
/// written to N partitions. An entity whose time is an empty std::optional has no row, and never expires. A type has
/// one such index at most, in a table that no other index has: a sweep reads all partitions of it up to the present.
///
/// It takes the member that holds the time, `spread<N>` of a member that tells entities apart, and the length of the
/// time that shares partitions: `expiry_in<"SessionExpiry">(part<&session::until>, spread<16>(part<&session::id>))`.
template <detail::fixed_string Table, class... Arguments> constexpr auto expiry_in(Arguments const&... arguments) {
    constexpr bool known = detail::is_expiry_arguments<Arguments...>::value;
    static_assert(known, "tablemap[P16]: expiry_in takes part<&T::time>, spread<N>(part<&T::member>) and, if you like, "
                         "expiry_per::day; nothing else can stand in it");
    static_assert(!Table.view().empty(), "tablemap[P16]: the rows of an expiry index lie in a table of their own; name "
                                         "it, expiry_in<\"SessionExpiry\">(...)");
    if constexpr (known)
        return detail::make_expiry_index<Table>(arguments...);
    else
        return index_in<detail::expiry_name, Table>(key("expiry"), key(detail::expiry_row_prefix));
}

}  // namespace tablemap
