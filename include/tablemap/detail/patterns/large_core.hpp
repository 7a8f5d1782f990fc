// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/entity_key.hpp"
#include "tablemap/detail/store/task.hpp"
#include "tablemap/detail/write/single_request.hpp"
#include "tablemap/detail/write/write_encoder.hpp"
#include "tablemap/index_audit/row_rewrite.hpp"
#include "tablemap/mapping/large.hpp"
#include "tablemap/patterns/large_options.hpp"
#include "tablemap/store/modify.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The part of large tables that does not depend on types.
///
/// A write that stores values in blobs takes these steps:
///
///     1. it inserts a permit, a row in the entity's partition with the random text that the names of its blobs have
///     2. it stores the blobs
///     3. one transaction writes the entity, which names the blobs, and erases the permit under its etag
///
/// A row may name a blob for two reasons only: its write erased the permit, or the row named it before and its write
/// was under the etag of that state. So a blob without a permit that its entity does not name can never be named again,
/// and a `large_collector` may delete it. It erases a permit that is old under its etag, and so keeps the writer of the
/// permit from committing. No step depends on clocks being right: time only decides who begins anew.
namespace tablemap::inline v0_1::detail {

/// The beginning of the row keys of permits; behind it the random text.
inline constexpr std::string_view permit_prefix = "~large_";

/// Immutable once the table is made.
struct large_state {
    std::shared_ptr<table_state const> rows;
    std::string container;
    large_options options;
};
using large_state_ptr = std::shared_ptr<large_state const>;

/// Errors (thrown): `service_errc::invalid_resource_name`; `library_errc::value_out_of_range` for an option that cannot
/// be used; `no_encryption_key` for encrypted members on a store without keys.
large_state_ptr make_large_state(std::shared_ptr<table_state const> rows, std::string container, large_options o,
                                 bool has_encrypted);

/// A large member of an entity in memory.
struct large_part {
    std::string_view member;
    std::string_view property;
    large_cell* cell;
    bool is_copied = false;  ///< its value is not in memory, and is stored in a blob anew
};

/// A large member that is encoded, and the property that it gets.
struct planned_part {
    large_part part;
    std::string text{};
};

/// Puts what is planned into an entity while it is encoded. Not longer: the entity may be copied while a request is
/// under way, or destroyed if the operation is abandoned.
class plans {
public:
    explicit plans(std::vector<planned_part> const& parts) : parts_(parts) {
        for (auto const& p : parts_) p.part.cell->planned.set(p.text);
    }
    ~plans() {
        for (auto const& p : parts_) p.part.cell->planned.reset();
    }
    plans(plans const&) = delete;
    plans& operator=(plans const&) = delete;

private:
    std::vector<planned_part> const& parts_;
};

/// The properties that members have in the row that they were read from.
std::vector<planned_part> as_stored(std::vector<large_part> const& parts);

/// An entity in memory.
class large_entity {
public:
    virtual result<void> decode(std::string& body, property_cipher const* cipher) = 0;
    virtual std::vector<large_part> parts() = 0;

    /// Gives generated parts of the key values if they have none.
    virtual void generate_key(clock& c) = 0;
    virtual result<entity_key> key() const = 0;
    virtual tablemap::etag& etag() noexcept = 0;

protected:
    ~large_entity() = default;
};

/// The write of an entity.
class large_writer {
public:
    virtual write_kind kind() const noexcept = 0;

    /// The large members that are written.
    virtual std::vector<large_part> written() = 0;

    /// With the properties that are planned for the large members.
    virtual encoded_write encode(table_state const& rows, clock& c) = 0;

    /// True if a merge has only those of the large members that changed.
    virtual bool leaves_out_unchanged() const noexcept { return false; }

protected:
    ~large_writer() = default;
};

/// Makes the change of `modify`.
class large_editor {
public:
    virtual result<void> edit() = 0;

protected:
    ~large_editor() = default;
};

/// Reads an entity and its values. What is behind references is borrowed, here and below.
///
/// \return false if there is none
/// Errors: those of the store, of decoding and of decryption; `library_errc::malformed_response` for a blob that is
/// gone or is not the one that was written; `too_many_conflicts` if writers replaced it each time
task<result<bool>> read_large(large_state_ptr table, entity_key key, bool current, large_entity& to);

/// Reads the values that an entity lacks; all of it again if one of its blobs is gone.
///
/// \return false if the entity is gone
/// Errors: as `read_large`
task<result<bool>> load_large(large_state_ptr table, large_entity& e);

/// A large member of an entity that is only read.
struct large_source_part {
    std::string_view member;
    std::string_view property;
    large_cell const& cell;
};

/// Reads the value of one member piece by piece, and does not keep it.
///
/// \return false if the entity was written or erased since it was read, and the blob is gone
/// Errors: as `read_large`; `library_errc::unsupported` for a value from a source
task<result<bool>> stream_large(large_state_ptr table, result<entity_key> key, large_source_part from,
                                std::function<void(std::span<std::byte const>)> to);

/// Writes an entity with its values. Sets its etag.
///
/// Errors: as the operation of `table<T>`; those of blobs; `library_errc::too_many_conflicts` if a collector took the
/// permit each time
task<result<void>> write_large(large_state_ptr table, large_entity& e, large_writer& writer);

/// Reads an entity, edits it, and writes what changed under its etag; again after a conflict.
task<result<void>> modify_large(large_state_ptr table, entity_key key, large_entity& e, large_writer& writer,
                                large_editor& editor, modify_options options);

/// Stores the values that are in blobs under other keys than the current one in new blobs, one row after the other.
///
/// Errors: those of the store and of the provider of keys; `in_doubt` once any row was rewritten
task<result<rewrite_report>> reencrypt_large(large_state_ptr table, rewrite_options options);

}  // namespace tablemap::detail
