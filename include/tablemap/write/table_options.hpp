// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/mapping/property_cipher.hpp"

#include <memory>

namespace tablemap {

/// How a table writes.
struct table_options {
    /// Adds a random identifier to every row that is written, as the property `TablemapOperation` (16 bytes). With it a write
    /// whose answer was lost is recognised when its row is met again, in retries and in `modify`.
    bool operation_ids = false;

    /// Which properties are written encrypted beside the members that are `encrypted<T>`: of dynamic entities, and of typed ones that
    /// can't be changed. Asked for each property of each write, but discriminators; it must give every writer of the table
    /// the same answers. Readers need only keys. Filters do not find what it encrypts. Needs a store with keys.
    encryption_resolver encrypt{};

    /// Keys of rows that older storage clients encrypted: such rows are read then, and written back by `replace`, `modify` and
    /// `reencrypt` as tablemap encrypts. Off by default, for nothing protects such rows from being altered.
    std::shared_ptr<tablemap::legacy_keys const> legacy_keys{};
};

}  // namespace tablemap
