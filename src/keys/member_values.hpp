// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "keys/part_array.hpp"
#include "tablemap/detail/keys/text.hpp"

#include <cstddef>
#include <optional>
#include <utility>

namespace tablemap::inline v0_1::detail {

/// The values of members as parts of a key. What converters make of members lives as long as this. Must not be moved.
class member_values {
public:
    explicit member_values(std::size_t count) : values_(count) {}

    /// Takes the values at these addresses, one for each part, null for a part without one. Errors: those of
    /// converters, with the member.
    result<void> take(static_list<part_layout> parts, void const* const* members) {
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (!members[i]) continue;
            if (parts[i].ops->value)
                values_[i] = parts[i].ops->value(members[i]);
            else if (auto r = take_converted(parts[i], i, members[i]); !r)
                return r;
        }
        return {};
    }

    /// Takes the value of one part into any place.
    result<void> take(part_layout const& p, std::size_t place, void const* member) {
        if (!p.ops->value) return take_converted(p, place, member);
        values_[place] = p.ops->value(member);
        return {};
    }

    part_value const* data() const noexcept { return values_.data(); }
    part_value& operator[](std::size_t i) noexcept { return values_[i]; }

private:
    result<void> take_converted(part_layout const& p, std::size_t place, void const* member) {
        if (!converted_) converted_.emplace(values_.size());
        auto& made = (*converted_)[place];
        if (auto r = p.ops->to_stored(member, made); !r) return failure{part_not_converted(r.error(), p.name)};
        values_[place] = made;
        return {};
    }

    part_array<part_value> values_;
    std::optional<part_array<parsed_part>> converted_;  ///< in the places of their values
};

}  // namespace tablemap::detail
