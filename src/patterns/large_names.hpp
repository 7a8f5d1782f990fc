// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/entity_key.hpp"
#include "tablemap/base/result.hpp"
#include "tablemap/detail/patterns/large_core.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// The names of the blobs of large members:
///
///     table/pPARTITION/rROW/NAME
///
/// The table's name is in lower case. In keys, bytes other than letters, digits, `-` and `_` are `~` and two
/// hexadecimal digits. NAME is 32 random hexadecimal digits, `-` and a number of three digits. Never to be changed.
namespace tablemap::inline v0_1::detail {

inline constexpr std::size_t name_size = random_digits + 4;

/// The beginning of the names of a table's blobs.
std::string folder_of(std::string_view table);

/// That of an entity's blobs. Errors: `library_errc::key_too_large`.
result<std::string> folder_of(std::string_view table, entity_key const& key);

/// The entity that a blob belongs to, and the part of the blob's name behind the entity's place.
struct large_owner {
    entity_key key{};
    std::string name{};
};

/// Nothing for a name that no large table makes.
std::optional<large_owner> owner_of(std::string_view folder, std::string_view blob);

/// 32 random digits. Errors (thrown): as `fill_random`.
std::string random_text();
std::string name_of(std::string_view random, std::size_t number);

std::string permit_key(std::string_view random);

/// The property of a permit that has the time of its writer's clock.
inline constexpr std::string_view permit_begun = "Begun";

/// True for the row key of a permit, and not for another key that begins like one.
bool is_permit_key(std::string_view row_key);

/// True if the encoded row names the blob: the name is random, so nothing else holds it.
inline bool names(std::string_view body, std::string_view name) noexcept {
    return body.find(name) != std::string_view::npos;
}

std::string hex_of(std::span<std::byte const> data);

}  // namespace tablemap::detail
