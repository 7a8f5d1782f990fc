// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/ticks.hpp"

#include <array>
#include <cstddef>
#include <string_view>

namespace tablemap::inline v0_1::detail {

/// The text of a time, as `ticks::text` gives it, without an allocation.
class ticks_text {
public:
    explicit ticks_text(ticks t) noexcept;

    std::string_view view() const noexcept { return {bytes_.data(), size_}; }

private:
    std::array<char, 28> bytes_;
    std::size_t size_;
};

}  // namespace tablemap::detail
