// SPDX-License-Identifier: Apache-2.0
#include "inspect/key_text.hpp"

#include "tablemap/detail/keys/text.hpp"

#include <array>
#include <bit>
#include <type_traits>
#include <variant>

namespace tablemap::inline v0_1::inspect {
namespace {

using detail::part_layout;

/// Parts of one key are told apart by the names of their members.
constexpr std::array<std::string_view, most_parts> part_names{"a", "b", "c", "d", "e", "f", "g", "h",
                                                              "i", "j", "k", "l", "m", "n", "o", "p",
                                                              "q", "r", "s", "t", "u", "v", "w", "x"};

part_layout plain_layout_of(key_shape_part const& part) {
    switch (part.kind) {
    case value_kind::literal: return detail::literal_layout(part.literal);
    case value_kind::text: return detail::plain_layout<std::string>();
    case value_kind::flag: return detail::plain_layout<bool>();
    case value_kind::int32: return detail::plain_layout<std::int32_t>();
    case value_kind::int64: return detail::plain_layout<std::int64_t>();
    case value_kind::uint64: return detail::plain_layout<std::uint64_t>();
    case value_kind::real: return detail::plain_layout<double>();
    case value_kind::time: return detail::plain_layout<ticks>();
    case value_kind::id: return detail::plain_layout<guid>();
    }
    return {};
}

/// The text that ends part `at`, which does not end itself.
std::string_view end_of(std::vector<part_layout> const& layouts, std::size_t at) {
    return detail::literal_after(layouts.data(), layouts.size(), at);
}

std::size_t length_of(std::vector<part_layout> const& layouts, std::size_t at, std::string_view text) {
    if (detail::ends_itself(layouts[at])) return detail::length_of_part(layouts[at], text);
    auto const end = end_of(layouts, at);
    return end.empty() ? text.size() : text.find(end);
}

}  // namespace

part_layout layout_of(key_shape_part const& part) {
    detail::part_options o;
    o.width = part.form == text_form::width ? part.number : 0;
    o.ordered = part.form == text_form::ordered;
    o.escaped = part.form == text_form::escaped;
    o.descending = part.descending;
    auto layout = plain_layout_of(part);
    if (part.kind == value_kind::literal) return layout;
    layout = detail::lay_out(layout, o);
    if (part.form == text_form::hashed) {
        layout.form = detail::part_form::hashed;
        layout.width = detail::hash_key_length;
    } else if (part.form == text_form::spread) {
        layout.form = detail::part_form::bucket;
        layout.buckets = part.number;
        layout.width = detail::count_digits(part.number - 1);
    }
    return layout;
}

std::vector<part_layout> layouts_of(key_shape const& shape) {
    std::vector<part_layout> all;
    for (auto const& part : shape) {
        all.push_back(layout_of(part));
        if (part.kind != value_kind::literal) all.back().name = part_names[all.size() - 1];
    }
    detail::join_layouts(all.data(), all.size());
    return all;
}

std::optional<part_texts> split_key(std::string_view key, std::vector<part_layout> const& layouts) {
    part_texts texts;
    for (std::size_t i = 0; i < layouts.size(); ++i) {
        auto const length = length_of(layouts, i, key);
        if (length > key.size()) return std::nullopt;
        texts.push_back(key.substr(0, length));
        detail::parsed_part read;
        if (!detail::read_part(layouts[i], texts.back(), read)) return std::nullopt;
        key.remove_prefix(length);
    }
    if (!key.empty()) return std::nullopt;
    return texts;
}

std::optional<key_value> read_value(part_layout const& layout, std::string_view text) {
    detail::parsed_part read;
    if (!detail::read_part(layout, text, read)) return std::nullopt;
    return key_value{read.number, std::string{read.text}, read.id};
}

value_kind kind_of(edm_type t) {
    switch (t) {
    case edm_type::string: return value_kind::text;
    case edm_type::boolean: return value_kind::flag;
    case edm_type::int32: return value_kind::int32;
    case edm_type::int64: return value_kind::int64;
    case edm_type::real: return value_kind::real;
    case edm_type::datetime: return value_kind::time;
    case edm_type::guid: return value_kind::id;
    case edm_type::binary: break;
    }
    return value_kind::literal;
}

std::optional<key_value> value_of(property_value const& v) {
    return std::visit(
        [](auto const& value) -> std::optional<key_value> {
            using type = std::remove_cvref_t<decltype(value)>;
            if constexpr (std::same_as<type, bytes>) {
                return std::nullopt;
            } else {
                auto const part = detail::part_value_of(value);
                return key_value{part.number, std::string{part.text}, part.id};
            }
        },
        v);
}

std::optional<std::string> text_of(part_layout const& layout, key_value const& value) {
    std::string text;
    if (detail::append_part(text, layout, {value.number, value.text, value.id})) return std::nullopt;
    return text;
}

}  // namespace tablemap::inspect
