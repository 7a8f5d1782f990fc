// SPDX-License-Identifier: Apache-2.0
#include "tablemap/edm/names.hpp"

#include "base/ascii.hpp"
#include "edm/key_characters.hpp"
#include "tablemap/detail/base/utf.hpp"
#include "tablemap/edm/limits.hpp"

#include <algorithm>

namespace tablemap::inline v0_1 {

result<void> check_table_name(std::string_view name) {
    bool const good = name.size() >= limits::table_name_min && name.size() <= limits::table_name_max &&
                      detail::is_letter(name[0]) && std::all_of(name.begin(), name.end(), detail::is_letter_or_digit);
    if (good && !detail::equal_ignoring_case(name, "tables")) return {};
    return fail(library_errc::invalid_table_name,
                {.reason = "use 3 to 63 letters and digits of ASCII, beginning with a letter, and not 'tables'",
                 .table = std::string{name}});
}

result<void> check_resource_name(std::string_view name) {
    auto const is_listed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
    bool const good = name.size() >= limits::resource_name_min && name.size() <= limits::resource_name_max &&
                      std::all_of(name.begin(), name.end(), is_listed) && name.front() != '-' && name.back() != '-' &&
                      name.find("--") == std::string_view::npos;
    if (good) return {};
    return fail(service_errc::invalid_resource_name,
                {.reason = "use 3 to 63 lower-case letters of ASCII, digits and single hyphens, no hyphen at an end"});
}

result<void> check_key(std::string_view key) {
    auto const [units, forbidden] = detail::look_at_key(key);
    if (forbidden)
        return fail(
            library_errc::invalid_key,
            {.reason = "keys may not hold / \\ # ? or control characters (U+0000 to U+001F, U+007F to U+009F)"});
    if (!units) return fail(library_errc::invalid_key, {.reason = "keys must be valid UTF-8"});
    if (*units > limits::key_units)
        return fail(library_errc::key_too_large, {.reason = "it has " + std::to_string(*units) + " of them"});
    return {};
}

result<void> check_property_name(std::string_view name) {
    auto bad = [&](char const* reason) {
        return fail(library_errc::invalid_property_name, {.reason = reason, .member = std::string{name}});
    };
    if (detail::is_system_name(name)) return bad("PartitionKey, RowKey and Timestamp belong to the service");
    if (!detail::is_identifier(name)) return bad("use letters, digits and underscores, no digit first");
    auto const units = detail::utf16_length(name);
    if (!units) return bad("names must be valid UTF-8");
    if (*units > limits::property_name_units) return bad("names have at most 255 characters");
    return {};
}

}  // namespace tablemap
