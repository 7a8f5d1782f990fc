// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/entity_key.hpp"
#include "tablemap/detail/store/task.hpp"
#include "tablemap/detail/write/modify_row.hpp"
#include "tablemap/detail/write/single_request.hpp"
#include "tablemap/patterns/unique_value.hpp"
#include "tablemap/query/key_ranges.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The part of tables with unique values that does not depend on types.
namespace tablemap::inline v0_1::detail {

/// The partition keys of the reservations that an entity needs, by the number of the unique value; empty: no value.
using unique_keys = std::vector<std::string>;

/// An entity of a page.
struct unique_entity {
    entity_key key{};
    unique_keys values{};
};

struct unique_page {
    std::size_t rows = 0;  ///< of the page, of whatever type
    std::vector<unique_entity> entities{};
    std::vector<bad_row> unreadable{};
};

/// A type with unique values as data for ordinary functions. Rows and pages may grow in capacity.
struct unique_type {
    std::span<std::string_view const> names;
    result<unique_keys> (*keys_of)(std::string& row, property_cipher const* cipher);
    result<unique_page> (*read_page)(std::string& page, property_cipher const* cipher);
};

/// The state that all copies of a table with unique values share.
struct unique_state {
    std::shared_ptr<table_state const> entities;
    std::shared_ptr<table_state const> reservations;
    unique_type type;
    std::chrono::milliseconds reserved_for;
};

/// The write of one try, and the values of the entity before and after it.
struct unique_change {
    std::optional<encoded_write> write{};  ///< none: nothing is to be written
    unique_keys before{};
    unique_keys after{};
    bool was_read = false;  ///< `before` is what is stored under the etag of the write
};

/// The typed part of a write. May be asked several times, each time for a fresh try.
class unique_editor {
public:
    virtual ~unique_editor() = default;

    /// True if the entity is read at the beginning of each try.
    virtual bool reads() const noexcept = 0;

    /// True if the entity is read and edited again after a conflict.
    virtual bool repeats() const noexcept { return false; }

    /// `stored`: the response to the read; null if nothing is read.
    virtual result<unique_change> edit(response* stored, environment const& env) = 0;
};

/// Reserves the values that the entity gains, writes it together with the erase of a guard, confirms the reservations
/// and releases those of the values that it loses. A write that gains none is a single request. After a conflict it
/// begins again, with jittered waits. All is borrowed.
///
/// \return the etag of the entity, empty if it was erased, or if only its reservations show that it was written;
/// nothing if there was nothing to write
task<result<std::optional<etag>>> write_unique(unique_state const& table, entity_key const& own, modify_options options,
                                               unique_editor& edit);

/// The etag, or the error of a key.
template <class Editor>
task<result<typename Editor::value_type>> write_unique_with(std::shared_ptr<unique_state const> table,
                                                            result<entity_key> key, modify_options options,
                                                            Editor edit) {
    if (!key) co_return failure{std::move(key).error()};
    auto stored = co_await write_unique(*table, *key, options, edit);
    if (!stored) co_return failure{std::move(stored).error()};
    co_return edit.finish(*std::move(stored));
}

/// Decodes the entity of a row into `found`. False if it does not have the value.
using unique_reader = result<bool> (*)(std::string& row, std::string_view value, void* found,
                                       property_cipher const* cipher);

/// Finds the entity that has a value: reads the reservation, then its owner. If the owner does not have the value, and
/// the reservation was changed between the two reads, both are read again. False if there is none. All is borrowed.
task<result<bool>> look_up_unique(unique_state const& table, std::string_view value, unique_reader read, void* found);

/// Compares all reservations with their owners, then all entities with their reservations, a page at a time. `entities`
/// are the keys of a scan, and `where` its condition.
task<result<unique_report>> check_unique_values(std::shared_ptr<unique_state const> table, query_keys entities,
                                                std::optional<filter::expression> where, bool repairs);

}  // namespace tablemap::detail
