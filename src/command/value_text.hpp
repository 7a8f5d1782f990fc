// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/types.hpp"

#include <optional>
#include <string>
#include <string_view>

/// Values as text, in CSV and for people.
namespace tablemap::inline v0_1::command {

/// The text of a value, without quotes: that of the service's JSON, and text as it is.
std::string text_of(property_value const& v);

/// The value of this type that has this text; nothing if there is none. Reads whatever `text_of` writes.
std::optional<property_value> value_from_text(std::string_view text, edm_type type);

/// The narrowest type of the values of a column that has no type: Boolean, Int32, Int64, Double, DateTime, Guid, else
/// String. Text that a value of the type does not keep, such as 007 or a number of 20 digits, is a String.
class type_guess {
public:
    void add(std::string_view text);
    edm_type type() const noexcept { return type_.value_or(edm_type::string); }

private:
    std::optional<edm_type> type_{};
};

}  // namespace tablemap::inline v0_1::command
