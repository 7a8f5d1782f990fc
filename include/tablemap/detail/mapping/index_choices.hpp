// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The choices of entities and members that a declared index begins with.
namespace tablemap::inline v0_1::detail {

/// Every entity has a row in the index.
struct every_entity {
    template <class T> constexpr bool operator()(T const&) const noexcept { return true; }
};

/// All members are copied into the index.
struct all_members {};

template <class T> inline constexpr bool is_index_rule = false;
template <class T> inline constexpr bool is_index_in_rule = false;

}  // namespace tablemap::detail
