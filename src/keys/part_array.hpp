// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

namespace tablemap::inline v0_1::detail {

/// One value for each part of a key: in place for as many as keys mostly have, since a key is made for each request and
/// read from each row. Must not be moved.
template <class Value> class part_array {
public:
    explicit part_array(std::size_t size)
        : size_(size), many_(size > in_place ? new Value[size]{} : nullptr), data_(many_ ? many_.get() : few()) {
        if (!many_) std::uninitialized_value_construct_n(few(), size_);
    }
    part_array(part_array const&) = delete;
    part_array& operator=(part_array const&) = delete;
    ~part_array() {
        if (!many_) std::destroy_n(few(), size_);
    }

    std::size_t size() const noexcept { return size_; }
    Value* data() noexcept { return data_; }
    Value const* data() const noexcept { return data_; }
    Value& operator[](std::size_t i) noexcept { return data_[i]; }
    Value const& operator[](std::size_t i) const noexcept { return data_[i]; }

private:
    static constexpr std::size_t in_place = 4;

    Value* few() noexcept { return reinterpret_cast<Value*>(bytes_); }

    std::size_t size_;
    std::unique_ptr<Value[]> many_;
    Value* data_;
    alignas(Value) std::byte bytes_[in_place * sizeof(Value)];
};

}  // namespace tablemap::detail
