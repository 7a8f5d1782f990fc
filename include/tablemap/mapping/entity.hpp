// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/etag.hpp"

#include <utility>

namespace tablemap::inline v0_1 {

/// A value with its etag and timestamp in the store.
///
/// \par Thread safety
/// Like a plain struct.
template <class T> struct entity {
    T value{};
    /// The version that was read or written; conditional writes send it and refresh it. Empty after a write that was
    /// recognised by its operation id: read the entity again before the next conditional write.
    tablemap::etag etag{};
    ticks timestamp{};  ///< the time of its last change in the store; year 1 on an entity that was written but not read
    /// The row has an older version of the type than the value, which was upgraded: a merge is refused until a replace
    /// or `migrate` has rewritten it.
    bool outdated = false;

    /// Compares the values only: two reads of one entity are equal even if another program rewrote it in between.
    friend bool operator==(entity const& a, entity const& b) requires requires(T const& v) { v == v; }
    { return a.value == b.value; }
};

}  // namespace tablemap
