// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/limits.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap::detail::embedded {

/// The property names of one entity, to find one that comes twice. Open addressing over a fixed table: an entity has at most
/// 252 names, so half of the slots stay free. Reused from entity to entity without allocating.
class name_set {
public:
    void clear() noexcept {
        for (auto const& p : places_) slots_[p.slot] = 0;
        places_.clear();
    }

    std::size_t size() const noexcept { return places_.size(); }

    /// False if the name is there already. `text` holds all names; this one stands at its position `at`.
    /// Precondition: fewer than `limits::properties` names.
    bool insert(std::string const& text, std::size_t at, std::size_t length) {
        std::string_view const name{text.data() + at, length};
        std::size_t slot = hash(name) % slots_.size();
        for (; slots_[slot] != 0; slot = (slot + 1) % slots_.size()) {
            auto const& p = places_[slots_[slot] - 1u];
            if (name == std::string_view{text.data() + p.at, p.length}) return false;
        }
        places_.push_back({at, length, slot});
        slots_[slot] = static_cast<std::uint16_t>(places_.size());
        return true;
    }

private:
    struct place {
        std::size_t at, length, slot;
    };

    /// From the length and both ends: names of one entity seldom share all of them, and if they do they are found all the same.
    static std::size_t hash(std::string_view name) noexcept {
        std::uint64_t head = 0;
        std::uint64_t tail = 0;
        auto const n = std::min(name.size(), sizeof head);
        std::memcpy(&head, name.data(), n);
        std::memcpy(&tail, name.data() + name.size() - n, n);
        return static_cast<std::size_t>(((head * 31 + tail + name.size()) * 0x9E3779B97F4A7C15u) >> 48);
    }

    std::array<std::uint16_t, 512> slots_{};
    std::vector<place> places_;
    static_assert(limits::properties < 512);
};

}  // namespace tablemap::detail::embedded
