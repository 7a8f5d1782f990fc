// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/mapping/property_cipher.hpp"

#include <memory>

namespace tablemap::inline v0_1 {

/// Options of a table's writes.
struct table_options {
    /// Adds a random identifier to every row that is written, as the property `TablemapOperation` (16 bytes). By it a
    /// write whose response was lost is recognised when its row is read again, in retries and in `modify`.
    bool operation_ids = false;

    /// Chooses properties to encrypt beside the members that are `encrypted<T>`: of dynamic entities, and of types that
    /// can't be changed. It is asked for each property of each write, except discriminators, and must give every writer
    /// of the table the same responses. Readers need only keys. Filters do not find the values that it encrypts. The
    /// store needs keys.
    encryption_resolver encrypt{};

    /// Keys of rows that older storage clients encrypted. With them such rows are read, and `replace`, `modify` and
    /// `reencrypt` write them back as tablemap encrypts. Off by default, because nothing protects such rows from
    /// changes.
    std::shared_ptr<tablemap::legacy_keys const> legacy_keys{};
};

}  // namespace tablemap
