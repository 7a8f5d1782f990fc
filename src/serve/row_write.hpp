// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/metadata.hpp"
#include "serve/rights.hpp"
#include "serve/target.hpp"
#include "tablemap/store/request.hpp"
#include "tablemap/store/stored_row.hpp"

#include <optional>
#include <string>

namespace tablemap::inline v0_1::detail::serve {

/// A write of one entity, alone or in a group transaction. Owns its texts.
struct row_write {
    write_kind kind{};
    std::string table{};
    std::string partition_key{};
    std::string row_key{};
    std::string body{};  ///< the entity, both keys in it; empty for erase
    std::string if_match{};
    std::optional<stored_row> content{};  ///< what an insert answers with, if it does, without etag and time
    metadata level{};                     ///< of that answer
    bool has_preference = false;          ///< the client says whether it does

    /// Borrows.
    write_operation operation() const noexcept {
        return {.kind = kind, .partition_key = partition_key, .row_key = row_key, .body = body, .if_match = if_match};
    }
};

/// Reads a write by its method, its headers and its body. If-Match alone tells an update from an upsert.
///
/// Refuses methods that change no entity, and bodies that no store takes. What the response needs is read here: once
/// a write is stored, nothing may refuse it.
row_write read_row_write(http_request const& r, target const& t);

/// The action that needs to be allowed.
action action_of_write(write_kind k) noexcept;

}  // namespace tablemap::detail::serve
