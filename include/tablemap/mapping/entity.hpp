// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/etag.hpp"

#include <utility>

namespace tablemap {

/// A value together with what the store knows of it. Thread safety: like a plain struct.
template <class T> struct entity {
    T value{};
    /// The version that was read or written; conditional writes send it and refresh it. Empty after a write that was
    /// recognised by its operation id: read the entity again before the next conditional write.
    tablemap::etag etag{};
    ticks timestamp{};  ///< when the store last changed it; year 1 on an entity that was written but not read
    /// The row has an older version of the type than the value, which was upgraded: a merge is refused until a replace or
    /// `migrate` has rewritten it.
    bool outdated = false;

    /// Equality is that of the values: two reads of one entity are equal whatever wrote it in between.
    friend bool operator==(entity const& a, entity const& b) requires requires(T const& v) { v == v; }
    { return a.value == b.value; }
};

}  // namespace tablemap
