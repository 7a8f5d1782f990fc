// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/patterns/large_table.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

/// Documents with large members.
namespace tablemap::test {

struct document {
    std::string folder{};
    std::int32_t id{};
    std::string title{};
    large<std::string> text{};
    large<bytes> picture{};

    friend bool operator==(document const&, document const&) = default;
};

struct secret_document {
    std::string folder{};
    std::int32_t id{};
    large<encrypted<std::string>> text{};
    large<encrypted<bytes>> picture{};
};

inline constexpr std::size_t small_size = 100, large_size = 50'000;

/// Text that differs with each state.
inline std::string sample_text(int state, std::size_t size = large_size) {
    auto text = std::to_string(state) + ':';
    auto const first = static_cast<std::size_t>(state);
    while (text.size() < size) text += static_cast<char>('a' + (text.size() * 7 + first) % 26);
    return text;
}

inline bytes sample_picture(int state, std::size_t size = large_size) {
    bytes picture;
    for (std::size_t i = 0; i < size; ++i) picture.push_back(std::byte(i * 13 + static_cast<std::size_t>(state)));
    return picture;
}

inline document sample_document(std::int32_t id, int state = 0) {
    return {.folder = "plans",
            .id = id,
            .title = "t" + std::to_string(state),
            .text = sample_text(state),
            .picture = sample_picture(state)};
}

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::document> {
    using document = tablemap::test::document;
    static constexpr auto partition_key = tablemap::key(tablemap::part<&document::folder>);
    static constexpr auto row_key = tablemap::key("doc_", tablemap::part<&document::id>.width(6));
};

template <> struct tablemap::mapping<tablemap::test::secret_document> {
    using document = tablemap::test::secret_document;
    static constexpr auto partition_key = tablemap::key(tablemap::part<&document::folder>);
    static constexpr auto row_key = tablemap::key("doc_", tablemap::part<&document::id>.width(6));
};
