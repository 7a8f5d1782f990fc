// SPDX-License-Identifier: Apache-2.0
#include "tablemap/edm/dynamic_entity.hpp"

#include "tablemap/base/error.hpp"
#include "tablemap/detail/base/utf.hpp"

#include <algorithm>

namespace tablemap::inline v0_1 {

bool operator==(property const&, property const&) = default;

property_list::property_list(std::vector<property> all) : all_(std::move(all)) {}
property_list::property_list(property_list const&) = default;
property_list::property_list(property_list&&) noexcept = default;
property_list& property_list::operator=(property_list const&) = default;
property_list& property_list::operator=(property_list&&) noexcept = default;
property_list::~property_list() = default;

property property_list::operator[](std::size_t index) const&& { return all_[index]; }
property property_list::front() const&& { return all_.front(); }
bool operator==(property_list const& a, property_list const& b) { return a.all_ == b.all_; }

property_bag::property_bag() noexcept = default;
property_bag::property_bag(property_bag const&) = default;
property_bag::property_bag(property_bag&&) noexcept = default;
property_bag& property_bag::operator=(property_bag const&) = default;
property_bag& property_bag::operator=(property_bag&&) noexcept = default;
property_bag::~property_bag() = default;

property_list property_bag::properties() const { return property_list{properties_}; }
bool operator==(property_bag const& a, property_bag const& b) { return a.properties_ == b.properties_; }

property_value const* property_bag::find(std::string_view name) const& noexcept {
    auto const at = std::find_if(properties_.begin(), properties_.end(), [&](auto& p) { return p.name == name; });
    return at == properties_.end() ? nullptr : &at->value;
}

std::optional<property_value> property_bag::find(std::string_view name) const&& {
    auto const* v = find(name);
    return v ? std::optional{*v} : std::nullopt;
}

void property_bag::set(std::string_view name, char const* text) { set(name, std::string{text}); }

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

std::span<property const> detail::properties_of(property_bag const& bag) noexcept { return bag.properties_; }

dynamic_entity::dynamic_entity(std::string partition, std::string row)
    : partition_key(std::move(partition)), row_key(std::move(row)) {}

bool operator==(dynamic_entity const& a, dynamic_entity const& b) {
    return a.partition_key == b.partition_key && a.row_key == b.row_key &&
           static_cast<property_bag const&>(a) == static_cast<property_bag const&>(b);
}

namespace detail {

stored_entity::stored_entity(dynamic_entity e) : dynamic_entity(std::move(e)) {}

bool operator==(stored_entity const& a, stored_entity const& b) {
    return a.etag == b.etag && a.timestamp == b.timestamp &&
           static_cast<dynamic_entity const&>(a) == static_cast<dynamic_entity const&>(b);
}

}  // namespace detail

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
