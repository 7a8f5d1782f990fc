// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// One value for each part of a key: in place for as many as keys mostly have, since a key is made for each request and
/// read from each row. Must not be moved.
template <class Value> class part_array {
public:
    explicit part_array(std::size_t size) : size_(size), many_(size > in_place ? size : 0) {}
    part_array(part_array const&) = delete;
    part_array& operator=(part_array const&) = delete;

    std::size_t size() const noexcept { return size_; }
    Value* data() noexcept { return size_ > in_place ? many_.data() : few_.data(); }
    Value const* data() const noexcept { return size_ > in_place ? many_.data() : few_.data(); }
    Value& operator[](std::size_t i) noexcept { return data()[i]; }
    Value const& operator[](std::size_t i) const noexcept { return data()[i]; }

private:
    static constexpr std::size_t in_place = 4;

    std::size_t size_;
    std::array<Value, in_place> few_{};
    std::vector<Value> many_;
};

}  // namespace tablemap::detail
