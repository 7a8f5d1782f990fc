// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// Numbers names in their order, so that a row of many properties is read in linear time. Open addressing, reused from
/// row to row without allocating. Borrows the names until `clear`.
class name_index {
public:
    void clear() noexcept {
        for (auto const& n : names_) slots_[n.slot] = 0;
        names_.clear();
    }

    std::size_t size() const noexcept { return names_.size(); }

    /// The number of a name. A name that is new gets the next number, `size()` before the call.
    std::size_t insert(std::string_view name) {
        if (2 * names_.size() >= slots_.size()) grow();
        auto const slot = slot_of(name);
        if (slots_[slot] != 0) return slots_[slot] - 1;
        names_.push_back({name, slot});
        slots_[slot] = static_cast<std::uint32_t>(names_.size());
        return names_.size() - 1;
    }

    std::optional<std::size_t> find(std::string_view name) const noexcept {
        if (names_.empty()) return std::nullopt;
        auto const slot = slot_of(name);
        return slots_[slot] != 0 ? std::optional<std::size_t>{slots_[slot] - 1} : std::nullopt;
    }

private:
    struct entry {
        std::string_view name;
        std::size_t slot;
    };

    /// The slot of a name, or the free one for it.
    std::size_t slot_of(std::string_view name) const noexcept {
        auto const last = slots_.size() - 1;
        auto slot = std::hash<std::string_view>{}(name)&last;
        while (slots_[slot] != 0 && names_[slots_[slot] - 1].name != name) slot = (slot + 1) & last;
        return slot;
    }

    void grow() {
        slots_.assign(std::max<std::size_t>(64, 2 * slots_.size()), 0);
        for (std::size_t i = 0; i < names_.size(); ++i) {
            auto& slot = names_[i].slot;
            slot = std::hash<std::string_view>{}(names_[i].name) & (slots_.size() - 1);
            while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
            slots_[slot] = static_cast<std::uint32_t>(i + 1);
        }
    }

    std::vector<std::uint32_t> slots_;  ///< a name's number plus one; 0: free. Their count is a power of two
    std::vector<entry> names_;
};

}  // namespace tablemap::detail
