// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/store/request.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The position of a query as text, from which another process can go on.
///
/// The text is `1` and, in base64 with `-` and `_` and without padding, the query's hash (8 bytes, the highest first)
/// and for each partition that the query reads: one byte of flags (1: ended, 2: a page token, 4: its row key, 8: the
/// next row's keys), then the texts that the flags announce, each as its length (4 bytes, the highest first) and its
/// bytes. Never to be changed.
namespace tablemap::inline v0_1::detail {

/// A partition of a query that has been read in part.
struct cursor_range {
    bool ended = false;
    std::optional<continuation> page{};  ///< the start of the page that holds the next row; nothing: the first page
    std::optional<std::string> partition_key{};  ///< that of the next row, if that page has been read in part
    std::string row_key{};

    friend bool operator==(cursor_range const&, cursor_range const&) = default;
};

/// FNV-1a, 64 bits, over texts and their ends. It covers everything that must be the same for a cursor to fit.
class query_hash {
public:
    query_hash& add(std::string_view text) noexcept;
    std::uint64_t value() const noexcept { return value_; }

private:
    std::uint64_t value_ = 14695981039346656037U;
};

std::string write_cursor(std::uint64_t query, std::vector<cursor_range> const& ranges);

/// Errors: `library_errc::invalid_cursor` for text that is no cursor, or one of another query.
result<std::vector<cursor_range>> read_cursor(std::string_view text, std::uint64_t query, std::size_t ranges);

}  // namespace tablemap::detail
