// SPDX-License-Identifier: Apache-2.0
#include "inspect/row_kind_names.hpp"

#include "tablemap/mapping/variant.hpp"

#include <algorithm>
#include <string>
#include <variant>

namespace tablemap::inline v0_1::inspect {
namespace {

constexpr std::size_t longest_type = 64;

/// Text that may be the name of a type. Other text is a value.
bool is_type_name(std::string_view text) {
    return !text.empty() && text.size() <= longest_type &&
           std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) <= 0x20; });
}

}  // namespace

std::string_view without_version(std::string_view type) {
    auto const at = type.rfind("_v");
    if (at == type.npos || at + 2 == type.size()) return type;
    bool const digits = type.find_first_not_of("0123456789", at + 2) == type.npos;
    return digits ? type.substr(0, at) : type;
}

std::string_view indexed_type(std::string_view type) {
    type = without_version(type);
    auto const suffix = detail::index_tag_suffix;
    if (!type.ends_with(suffix)) return {};
    type.remove_suffix(suffix.size());
    return is_type_name(type) ? type : std::string_view{};
}

std::optional<type_tag> index_tag(dynamic_entity const& row) {
    for (auto const& p : detail::properties_of(row)) {
        auto const* const text = std::get_if<std::string>(&p.value);
        if (!text) continue;
        if (auto const type = indexed_type(*text); !type.empty()) return type_tag{p.name, type};
    }
    return std::nullopt;
}

}  // namespace tablemap::inspect
