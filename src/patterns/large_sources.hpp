// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "patterns/large_blobs.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <utility>

namespace tablemap::inline v0_1::detail {

/// The bytes of a value in memory.
class text_source final : public large_source {
public:
    explicit text_source(std::string_view text) : left_(text) {}

    std::size_t read(std::span<char> to) override {
        auto const size = std::min(to.size(), left_.size());
        std::copy_n(left_.begin(), size, to.begin());
        left_.remove_prefix(size);
        return size;
    }

private:
    std::string_view left_;
};

/// The bytes of a program's source.
class function_source final : public large_source {
public:
    explicit function_source(std::function<std::size_t(std::span<std::byte>)> f) : function_(std::move(f)) {}

    std::size_t read(std::span<char> to) override { return function_(std::as_writable_bytes(to)); }

private:
    std::function<std::size_t(std::span<std::byte>)> function_;
};

}  // namespace tablemap::detail
