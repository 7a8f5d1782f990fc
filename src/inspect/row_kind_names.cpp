// SPDX-License-Identifier: Apache-2.0
#include "inspect/row_kind_names.hpp"

#include "tablemap/mapping/variant.hpp"

#include <array>
#include <string>
#include <utility>
#include <variant>

namespace tablemap::inline v0_1::inspect {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> companion_kinds{{
    {"~outbox_", outbox_kind},
    {"~index_", "changes on their way to indexes in other tables"},
    {"~list", "rows of index entities"},
    {"~large_", "permits of large members"},
    {"~moved_", "traces of moved entities"},
    {"~guard_", "guards of unique values"},
}};

}  // namespace

std::string_view companion_kind(std::string_view row_key) {
    for (auto const& [beginning, kind] : companion_kinds)
        if (row_key.starts_with(beginning)) return kind;
    return {};
}

std::string_view without_version(std::string_view type) {
    auto const at = type.rfind("_v");
    if (at == type.npos || at + 2 == type.size()) return type;
    bool const digits = type.find_first_not_of("0123456789", at + 2) == type.npos;
    return digits ? type.substr(0, at) : type;
}

std::string_view indexed_type(std::string_view type) {
    type = without_version(type);
    auto const suffix = detail::index_tag_suffix;
    bool const is_index = type.size() > suffix.size() && type.ends_with(suffix);
    return is_index ? type.substr(0, type.size() - suffix.size()) : std::string_view{};
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
