// SPDX-License-Identifier: Apache-2.0
#include "tablemap/edm/dynamic_entity.hpp"

#include "tablemap/base/error.hpp"
#include "tablemap/detail/base/utf.hpp"

#include <algorithm>

namespace tablemap::inline v0_1 {

property_value const* property_bag::find(std::string_view name) const& noexcept {
    auto const at = std::find_if(properties_.begin(), properties_.end(), [&](auto& p) { return p.name == name; });
    return at == properties_.end() ? nullptr : &at->value;
}

std::optional<property_value> property_bag::find(std::string_view name) const&& {
    auto const* v = find(name);
    return v ? std::optional{*v} : std::nullopt;
}

void property_bag::set_value(std::string_view name, property_value value) {
    auto const at = std::find_if(properties_.begin(), properties_.end(), [&](auto& p) { return p.name == name; });
    if (at != properties_.end())
        at->value = std::move(value);
    else
        properties_.push_back({std::string{name}, std::move(value)});
}

bool property_bag::mark(std::string_view name, bool encrypted) noexcept {
    auto const at = std::find_if(properties_.begin(), properties_.end(), [&](auto& p) { return p.name == name; });
    if (at == properties_.end()) return false;
    at->encrypted = encrypted;
    return true;
}

void property_bag::encrypt(std::string_view name) {
    if (!mark(name, true))
        throw error{
            library_errc::invalid_property_name,
            {.reason = "there is no property of this name to encrypt: set it first", .member = std::string{name}}};
}

bool property_bag::erase(std::string_view name) {
    return std::erase_if(properties_, [&](auto& p) { return p.name == name; }) != 0;
}

std::size_t entity_size(dynamic_entity const& e) noexcept {
    auto units = [](std::string_view text) { return detail::utf16_length(text).value_or(text.size()); };
    std::size_t size = 4 + 2 * units(e.partition_key) + 2 * units(e.row_key);
    for (auto const& p : detail::properties_of(e)) {
        std::size_t text_units = 0;
        if (auto const* s = std::get_if<std::string>(&p.value)) text_units = units(*s);
        if (auto const* b = std::get_if<bytes>(&p.value)) text_units = b->size();
        size += 8 + 2 * units(p.name) + detail::value_size(type_of(p.value), text_units);
    }
    return size;
}

}  // namespace tablemap
