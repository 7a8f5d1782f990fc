// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/process_number.hpp"
#include "crypto/primitives.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace tablemap::inline v0_1::detail {

/// Random bytes of the system in portions of `Size`, fetched sixteen at a time, which cost no more than one.
template <std::size_t Size> class random_stock {
public:
    /// Bytes that no other call gets. Errors (thrown): as `fill_random`.
    std::array<std::byte, Size> take() {
        // A child of fork would go on with its parent's portions.
        if (auto const self = process_number(); left_ == 0 || owner_ != self) {
            fill_random(std::as_writable_bytes(std::span{portions_}));
            left_ = portions_.size();
            owner_ = self;
        }
        return std::exchange(portions_[--left_], {});
    }

private:
    std::array<std::array<std::byte, Size>, 16> portions_{};
    std::size_t left_ = 0;
    std::uint64_t owner_ = 0;
};

}  // namespace tablemap::detail
