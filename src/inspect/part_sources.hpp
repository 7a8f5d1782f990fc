// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "inspect/key_text.hpp"

#include <optional>
#include <vector>

namespace tablemap::inline v0_1::inspect {

/// Values of one kind, one for each row.
struct value_source {
    value_kind kind{};
    std::vector<key_value> values{};
};

/// The form in which a part has the values of a source in all rows; nothing if there is none, or if it may be chance.
/// `found` is the part as its texts alone let recognise it, `ends_key` tells that no other part follows it.
std::optional<key_shape_part> find_form(part_texts const& texts, value_source const& source,
                                        key_shape_part const& found, bool ends_key);

/// The part of `texts` as the bucket of a source's values; nothing if it is none, or if it may be chance.
std::optional<key_shape_part> find_spread(part_texts const& texts, value_source const& source);

/// True if `text` may be of this value in some form, as far as one row tells.
bool may_be_of(std::string_view text, value_kind kind, key_value const& value);

/// The number of different texts, counted up to `enough`.
std::size_t count_distinct(part_texts const& texts, std::size_t enough);

}  // namespace tablemap::inspect
