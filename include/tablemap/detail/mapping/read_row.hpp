// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/base/static_list.hpp"
#include "tablemap/detail/mapping/row_type.hpp"
#include "tablemap/edm/etag.hpp"
#include "tablemap/edm/key_bounds.hpp"
#include "tablemap/mapping/property_cipher.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Reading rows into structs: the ordinary functions below the templates of `decode.hpp`.
namespace tablemap::inline v0_1::detail {

/// The target of a row. `emplace` makes the object of one of the types that the row may be of.
struct row_target {
    void* holder{};
    void* (*emplace)(void* holder, std::size_t alternative){};
    tablemap::etag* etag{};
    ticks* timestamp{};
    bool* outdated{};
};

/// The options of reading rows.
struct reading {
    bool partial = false;  ///< only some properties of a row were requested, so none counts as missing
    property_cipher const* cipher = nullptr;  ///< for rows some of which hold encrypted values
    page_bounds bounds{};                     ///< rows outside are refused, and with them the whole response
    /// The properties of the row that are encrypted in the store, and decrypted here.
    std::span<property const> opened{};
};

/// Reads one entity. `json` may grow in capacity. Errors: as `decode_into`.
result<void> read_row(std::string& json, row_target const& to, static_list<row_type const*> types, reading const& how);

/// The version in `employee_v2` behind the type's name; 1 for the name alone, 0 for a text that is neither.
int version_in(std::string_view text, std::string_view type);

/// Upgrades a row from a version to its type's current one. Errors: `library_errc::upgrade_failed` if a function threw.
result<void> upgrade_row(row_type const& type, int version, dynamic_entity& row);

/// The error of a row that cannot be read: its code is the first fault's, its reason lists them all.
error row_error(std::vector<property_fault> faults);

}  // namespace tablemap::detail
