// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "patterns/large_names.hpp"
#include "tablemap/crypto/encryption_key.hpp"
#include "tablemap/detail/store/task.hpp"
#include "tablemap/edm/limits.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// The values of large members in blobs.
///
/// A value is stored in pieces of 4 MiB, the last of which is shorter or as long. A plain blob holds them one after the
/// other, so it is the value itself. In an encrypted blob each piece is a sealed value of its own, see `seal`, of type
/// 1 for text and 8 for bytes, and of a place whose property is `PROPERTY:NAME:NUMBER:more`, or `…:last` for the last
/// piece, the number from 0. So no piece can be put in another place, in another member either, be left out or be the
/// last one in place of another. Never to be changed.
namespace tablemap::inline v0_1::detail {

inline constexpr std::size_t piece_bytes = 4 * 1024 * 1024;
static_assert(most_large_bytes == limits::blocks * piece_bytes);

/// A source of a value's bytes.
class large_source {
public:
    /// Writes the next bytes to the beginning of `to`, which is not empty. Returns their number; 0 at the end.
    virtual std::size_t read(std::span<char> to) = 0;

protected:
    ~large_source() = default;
};

/// A target of a value's bytes.
class large_sink {
public:
    virtual void write(std::string_view piece) = 0;

protected:
    ~large_sink() = default;
};

/// The place of a value: all is borrowed.
struct large_place {
    std::string_view container;
    std::string_view table;
    entity_key const& entity;
    std::string_view folder;  ///< of the entity
    std::string_view name;
    std::string_view property;
    bool is_text;

    std::string blob() const { return std::string{folder} + std::string{name}; }
};

/// Stores a value under a name that no blob has.
///
/// \return what stands in the row; not the name
/// Errors: those of the store and of encryption; `service_errc::block_count_exceeds_limit` before more pieces are sent
/// than a blob may have. Nothing names the blob, so it does not matter whether it was stored
task<result<large_reference>> store_value(large_place where, std::optional<encryption_key> key, large_source& from,
                                          std::size_t most_pieces = limits::blocks);

/// Reads a value. The keys are needed for an encrypted one.
///
/// \return false if there is no such blob
/// Errors: those of the store and of decryption; `library_errc::malformed_response` for a blob of another length or
/// checksum, after its pieces were written to the sink
task<result<bool>> read_value(large_place where, large_reference const& what, key_provider const* keys, large_sink& to);

/// Stores the value of a blob in another one, piece by piece.
///
/// \return what stands in the row; not the name. Nothing if there is no such blob
/// Errors: as `read_value` and `store_value`
task<result<std::optional<large_reference>>> store_anew(large_place from, large_reference const& what,
                                                        key_provider const* keys, large_place to,
                                                        std::optional<encryption_key> key);

}  // namespace tablemap::detail
