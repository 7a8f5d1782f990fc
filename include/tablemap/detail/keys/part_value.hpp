// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/guid.hpp"
#include "tablemap/base/result.hpp"
#include "tablemap/base/ticks.hpp"
#include "tablemap/reflect/enumeration.hpp"

#include <bit>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

/// The values of the parts of keys without their types, so that one function makes and reads all keys.
namespace tablemap::inline v0_1::detail {

/// A part's value. Numbers, times and the bits of a double are in `number`.
struct part_value {
    std::uint64_t number = 0;
    std::string_view text{};
    guid id{};
};

/// A part's value as it is read, or as a converter makes it: `text` may point into `decoded`. Must not be moved.
struct parsed_part : part_value {
    std::string decoded{};
    bool is_decoded = false;
};

/// The duration with room for every time that ticks count.
template <class D> using wide_duration = std::chrono::duration<std::int64_t, typename D::period>;

/// The count of ticks of a time; one that no key holds, on the same side, for a time beyond the years 1 to 9999.
template <class D> constexpr std::int64_t count_of_ticks(std::chrono::sys_time<D> t) noexcept {
    using std::chrono::floor;
    using wide = wide_duration<D>;
    auto const since = wide{static_cast<std::int64_t>(t.time_since_epoch().count())};
    if (since < floor<wide>(ticks{0}.time().time_since_epoch())) return -1;
    if (since > floor<wide>(ticks::max().time().time_since_epoch())) return ticks::max().count() + 1;
    return ticks{std::chrono::sys_time<wide>{since}}.count();
}

template <class V> part_value part_value_of(V const& v) {
    part_value p;
    if constexpr (std::same_as<V, std::string>)
        p.text = v;
    else if constexpr (std::same_as<V, guid>)
        p.id = v;
    else if constexpr (std::same_as<V, double>)
        p.number = std::bit_cast<std::uint64_t>(v);
    else if constexpr (std::same_as<V, ticks>)
        p.number = static_cast<std::uint64_t>(v.count());
    else if constexpr (is_sys_time<V>)
        p.number = static_cast<std::uint64_t>(count_of_ticks(v));
    else if constexpr (std::is_enum_v<V>)
        p.number = static_cast<std::uint64_t>(number_of(v));
    else
        p.number = static_cast<std::uint64_t>(v);
    return p;
}

/// False if the time is no whole number of the duration's units, or more of them than it counts.
template <class D> bool assign_time(std::chrono::sys_time<D>& to, ticks from) {
    auto const since =
        std::chrono::floor<std::chrono::duration<std::int64_t, typename D::period>>(from.time().time_since_epoch());
    if (!std::in_range<typename D::rep>(since.count())) return false;
    to = std::chrono::sys_time<D>{D{static_cast<typename D::rep>(since.count())}};
    return ticks{to} == from;
}

template <class V> bool assign_part(V& to, parsed_part& from) {
    if constexpr (std::same_as<V, std::string>) {
        if (from.is_decoded)
            to = std::move(from.decoded);
        else
            to = from.text;
    } else if constexpr (std::same_as<V, guid>) {
        to = from.id;
    } else if constexpr (std::same_as<V, double>) {
        to = std::bit_cast<double>(from.number);
    } else if constexpr (std::same_as<V, ticks>) {
        to = ticks{static_cast<std::int64_t>(from.number)};
    } else if constexpr (is_sys_time<V>) {
        return assign_time(to, ticks{static_cast<std::int64_t>(from.number)});
    } else {
        to = static_cast<V>(from.number);
    }
    return true;
}

/// The functions of a member's type: the first two, or of a type with a converter the last two. Others are null.
struct part_ops {
    part_value (*value)(void const* member);
    bool (*assign)(void* member, parsed_part& from);  ///< false if the type does not hold the value
    result<void> (*to_stored)(void const* member, parsed_part& to) = nullptr;
    result<void> (*from_stored)(void* member, parsed_part& from) = nullptr;
};

/// The first two functions of `part_ops`.
template <class V> struct part_functions {
    static part_value value(void const* member);
    static bool assign(void* member, parsed_part& from);
};

// Defined outside of the class: as inline functions they would be compiled in each program all the same.
template <class V> part_value part_functions<V>::value(void const* member) {
    return part_value_of(*static_cast<V const*>(member));
}
template <class V> bool part_functions<V>::assign(void* member, parsed_part& from) {
    return assign_part(*static_cast<V*>(member), from);
}

// Those of the most frequent types are compiled in the library, and not in every program.
extern template struct part_functions<std::string>;
extern template struct part_functions<std::int32_t>;
extern template struct part_functions<std::int64_t>;
extern template struct part_functions<guid>;
extern template struct part_functions<ticks>;

template <class V> inline constexpr part_ops part_ops_of{&part_functions<V>::value, &part_functions<V>::assign};

}  // namespace tablemap::detail
