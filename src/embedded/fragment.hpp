// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/types.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

/// A fragment is the body of a stored row: the properties of an entity as JSON members, each with its comma before it
/// and its annotation, if its type needs one, right before it. No blanks, no keys, no etag, no timestamp. Part of the
/// file format.
namespace tablemap::inline v0_1::detail::embedded {

/// One property of a fragment. The views point into the fragment.
struct fragment_property {
    std::string_view name;
    edm_type type{};
    std::string_view value;  ///< its JSON token
    std::string_view whole;  ///< comma, annotation, name and value
};

/// Walks over a fragment. Errors (thrown): `store_errc::corrupt`.
class fragment_reader {
public:
    explicit fragment_reader(std::string_view fragment) noexcept : left_(fragment) {}

    bool next(fragment_property& p);

private:
    void take(char c);
    std::string_view take_name();
    std::string_view take_value();

    std::string_view left_;
};

/// The share of one property in the size of an entity, see `entity_size`.
std::size_t property_size(fragment_property const& p);

/// Appends the properties whose names are selected.
void append_selected(std::string& out, std::string_view fragment, std::span<std::string_view const> select);

/// The stored properties, changed and then added to by those of `changes`.
/// Errors (thrown): `service_errc::entity_too_large`, `too_many_properties`, `store_errc::corrupt`.
std::string merge_fragments(std::string_view stored, std::string_view changes, std::size_t key_units);

}  // namespace tablemap::detail::embedded
