// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/wire/name_index.hpp"

#include <algorithm>
#include <functional>

namespace tablemap::inline v0_1::detail {

name_index::name_index() = default;
name_index::~name_index() = default;

void name_index::clear() noexcept {
    for (auto const& n : names_) slots_[n.slot] = 0;
    names_.clear();
}

std::size_t name_index::insert(std::string_view name) {
    if (2 * names_.size() >= slots_.size()) grow();
    auto const slot = slot_of(name);
    if (slots_[slot] != 0) return slots_[slot] - 1;
    names_.push_back({name, slot});
    slots_[slot] = static_cast<std::uint32_t>(names_.size());
    return names_.size() - 1;
}

std::optional<std::size_t> name_index::find(std::string_view name) const noexcept {
    if (names_.empty()) return std::nullopt;
    auto const slot = slot_of(name);
    return slots_[slot] != 0 ? std::optional<std::size_t>{slots_[slot] - 1} : std::nullopt;
}

std::size_t name_index::slot_of(std::string_view name) const noexcept {
    auto const last = slots_.size() - 1;
    auto slot = std::hash<std::string_view>{}(name)&last;
    while (slots_[slot] != 0 && names_[slots_[slot] - 1].name != name) slot = (slot + 1) & last;
    return slot;
}

void name_index::grow() {
    slots_.assign(std::max<std::size_t>(64, 2 * slots_.size()), 0);
    for (std::size_t i = 0; i < names_.size(); ++i) {
        auto& slot = names_[i].slot;
        slot = std::hash<std::string_view>{}(names_[i].name) & (slots_.size() - 1);
        while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
        slots_[slot] = static_cast<std::uint32_t>(i + 1);
    }
}

}  // namespace tablemap::detail
