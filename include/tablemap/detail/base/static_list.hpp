// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace tablemap::inline v0_1::detail {

/// A list in static storage. A `std::span` is the same, but its constructors check the concepts of iterators and ranges
/// for each type, which took a tenth of the time that a program with one mapped struct needs to compile.
template <class T> class static_list {
public:
    constexpr static_list() noexcept = default;
    constexpr static_list(T const* first, std::size_t size) noexcept : first_(first), size_(size) {}
    template <std::size_t Size>
    constexpr static_list(std::array<T, Size> const& list) noexcept : static_list(list.data(), Size) {}

    constexpr T const* begin() const noexcept { return first_; }
    constexpr T const* end() const noexcept { return first_ + size_; }
    constexpr T const* data() const noexcept { return first_; }
    constexpr std::size_t size() const noexcept { return size_; }
    constexpr bool empty() const noexcept { return size_ == 0; }
    constexpr T const& front() const noexcept { return *first_; }
    constexpr T const& operator[](std::size_t i) const noexcept { return first_[i]; }

    constexpr operator std::span<T const>() const noexcept { return {first_, size_}; }

private:
    T const* first_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace tablemap::detail
