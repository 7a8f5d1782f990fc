// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/index_row_type.hpp"
#include "tablemap/detail/mapping/index_rows.hpp"
#include "tablemap/mapping/decode.hpp"
#include "tablemap/mapping/entity.hpp"
#include "tablemap/mapping/expiry_in.hpp"
#include "tablemap/mapping/indexes.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <type_traits>

/// The expiry index of a type, and the times at which its entities expire.
namespace tablemap::inline v0_1::detail {

template <class T> constexpr std::size_t find_expiry_index() {
    if constexpr (constexpr auto found = find_elsewhere<T, expiry_name>(); found < count_elsewhere<T>()) {
        if (is_expiry_index<T, found>) return found;
    }
    return count_elsewhere<T>();
}

template <class T> inline constexpr bool has_expiry_index = find_expiry_index<T>() < count_elsewhere<T>();

template <class T> constexpr bool check_expiring() {
    static_assert(has_expiry_index<T>, "tablemap[P16]: the mapping of this type does not say when its entities expire; "
                                       "declare expiry_in<\"Table\">(part<&T::until>, spread<16>(part<&T::id>)) among "
                                       "its indexes");
    return has_expiry_index<T>;
}

/// The member that holds the time.
template <class T>
inline constexpr auto expiry_member_of =
    source_part<part_at<elsewhere_partition_key_of<T, find_expiry_index<T>()>, 0>>::member;

template <class T> using expiry_type_of = part_type_of<member_type<expiry_member_of<T>>>;

/// The time at which an entity expires; nothing if it never does.
template <class T> std::optional<ticks> expiry_of(T const& value) {
    auto const& time = value.*expiry_member_of<T>;
    if constexpr (is_optional_part<std::remove_cvref_t<decltype(time)>>)
        return time ? std::optional{ticks{*time}} : std::nullopt;
    else
        return ticks{time};
}

/// The same of an encoded entity, and its version.
struct expiring_version {
    std::optional<ticks> time{};
    etag version{};
};

/// The member that holds the time, unless a row may lack it.
template <class T>
inline constexpr field_marks<T> expiry_fields_of = [] {
    field_marks<T> marks{};
    if (!is_optional_part<member_type<expiry_member_of<T>>>) mark_members<T>(marks, member_list<expiry_member_of<T>>{});
    return marks;
}();

/// The rows of T, which must hold the time: the initialiser of the member says nothing about when a row expires.
template <class T>
inline constexpr row_type expiring_row_type_of = [] {
    auto t = row_type_of<T>;
    t.needed = expiry_fields_of<T>;
    return t;
}();
template <class T> inline constexpr std::array<row_type const*, 1> expiring_row_types{&expiring_row_type_of<T>};

/// The entity may grow in capacity. Errors: those of reading it; `library_errc::missing_property` if it lacks the time,
/// whose type is no std::optional.
template <class T> result<expiring_version> read_expiry(std::string& body, property_cipher const* cipher) {
    entity<T> e;
    if (auto r = read_row(body, target_of(e), expiring_row_types<T>, {.cipher = needed_for(body, cipher)}); !r)
        return failure{std::move(r).error()};
    return expiring_version{expiry_of(e.value), std::move(e.etag)};
}

/// The greatest time of this type that is not after `t`.
template <class Time> Time floor_of(ticks t) {
    if constexpr (std::is_same_v<Time, ticks>)
        return t;
    else
        return std::chrono::floor<typename Time::duration>(t.time());
}

}  // namespace tablemap::detail
