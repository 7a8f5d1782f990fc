// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/entity_key.hpp"
#include "tablemap/detail/write/modify_row.hpp"
#include "tablemap/detail/write/single_request.hpp"
#include "tablemap/mapping/decode.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The writes of entities whose values have rows of their own, without their types: `unique_value`, `index_entity`.
namespace tablemap::inline v0_1::detail {

/// The keys of the values of an entity, by the number of the item; empty: no value.
using value_keys = std::vector<std::string>;

/// An entity of a page.
struct valued_entity {
    entity_key key{};
    value_keys values{};
};

struct valued_page {
    std::size_t rows = 0;  ///< of the page, of whatever type
    std::vector<valued_entity> entities{};
    std::vector<bad_row> unreadable{};
};

/// A type with such items as data for ordinary functions. Rows and pages may grow in capacity.
struct valued_type {
    std::span<std::string_view const> names;
    result<value_keys> (*keys_of)(std::string& row, property_cipher const* cipher);
    result<valued_page> (*read_page)(std::string& page, property_cipher const* cipher);
};

/// A table of such entities.
struct valued_table {
    std::shared_ptr<table_state const> entities;
    valued_type type;
};

/// The write of one try, and the values of the entity before and after it.
struct valued_change {
    std::optional<encoded_write> write{};  ///< none: nothing is to be written
    value_keys before{};
    value_keys after{};
    bool was_read = false;  ///< `before` is what is stored under the etag of the write
};

/// The typed part of a write. May be asked several times, each time for a fresh try.
class valued_editor {
public:
    virtual ~valued_editor() = default;

    /// True if the entity is read at the beginning of each try.
    virtual bool reads() const noexcept = 0;

    /// True if the entity is read and edited again after a conflict.
    virtual bool repeats() const noexcept { return false; }

    /// True if an entity is made where the read finds none.
    virtual bool creates() const noexcept { return false; }

    /// `stored`: the response to the read; null if nothing is read.
    virtual result<valued_change> edit(response* stored, environment const& env) = 0;
};

}  // namespace tablemap::detail
